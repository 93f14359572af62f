"""ScanDL as a generator: found by name, reproducible, trained once where there is a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError, StoppedError
from scandl.files.symbol_repair import clean
from scandl.models.catalogue import open_model
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.scandl_generator import ScandlGenerator
from scandl.models.diffusion.settings import preset
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.splits import make_folds
from scandl.training.checkpoint import read_checkpoint

SENTENCES = {name: Sentence(name, f"The cat {name} sat on the mat.") for name in ("s1", "s2")}
CORPUS = Corpus(
    Card(name="toy"),
    SENTENCES,
    tuple(Scanpath(f"r{r}", s, (0, 1, r % 7, 5)) for s in SENTENCES for r in range(8)),
)
TINY = preset(
    "small",
    [
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=32",
        "diffusion.steps=60",
        "training.steps=6",
        "training.batch=4",
        "training.save_every=3",
    ],
)
REQUESTS = [Request(SENTENCES["s1"], "new", k) for k in range(3)]


def test_the_registry_knows_it() -> None:
    assert isinstance(open_model("scandl"), ScandlGenerator)
    assert open_model("scandl").config == preset("small")  # type: ignore[attr-defined]
    assert open_model("scandl-paper").config == preset("paper")  # type: ignore[attr-defined]


def test_same_seed_same_paths_with_and_without_a_folder(tmp_path: Path) -> None:
    first, second = (
        ScandlGenerator(TINY, folder).fit(CORPUS, seed=3).read(REQUESTS, seed=3)
        for folder in (None, tmp_path)
    )
    assert first == second
    assert ScandlGenerator(TINY).fit(CORPUS, seed=4).read(REQUESTS, seed=3) != first


def test_a_training_is_kept_by_what_it_was_made_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCANDL_CHECKPOINTS", str(tmp_path))
    ScandlGenerator(TINY).fit(CORPUS, seed=3)
    (checkpoint,) = tmp_path.glob("*/last.pt")
    written = checkpoint.stat().st_mtime_ns
    log = (checkpoint.parent / "log.csv").read_text()
    ScandlGenerator(TINY).fit(CORPUS, seed=3)
    assert (checkpoint.parent / "log.csv").read_text() == log  # nothing was trained again
    assert checkpoint.stat().st_mtime_ns >= written
    fewer = CORPUS.restricted_to({(p.reader_id, p.sentence_id) for p in CORPUS.scanpaths[:8]})
    ScandlGenerator(TINY).fit(fewer, seed=3)
    assert len(list(tmp_path.glob("*/last.pt"))) == 2


def test_it_samples_as_it_is_told(tmp_path: Path) -> None:
    few, many = (
        ScandlGenerator(TINY, tmp_path, sampling=Denoising(steps=steps)).fit(CORPUS, seed=3)
        for steps in (3, 50)
    )
    default = ScandlGenerator(TINY, tmp_path).fit(CORPUS, seed=3)
    assert many.read(REQUESTS, seed=3) == default.read(REQUESTS, seed=3) != few.read(REQUESTS, seed=3)


def test_it_must_be_fitted() -> None:
    with pytest.raises(ScandlError, match="model 'scandl' needs training before it reads"):
        ScandlGenerator(TINY).read(REQUESTS, seed=1)


def test_a_training_in_no_folder_does_not_claim_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> Path:
        raise StoppedError("told to stop at step 3; last.pt is saved, the same command resumes")

    monkeypatch.setattr("scandl.models.diffusion.fold_training.train", stop)
    with pytest.raises(
        StoppedError, match="told to stop and is not kept: name a folder in SCANDL_CHECKPOINTS to resume"
    ):
        ScandlGenerator(TINY).fit(CORPUS, seed=3)
    with pytest.raises(StoppedError, match="the same command resumes"):
        ScandlGenerator(TINY, tmp_path).fit(CORPUS, seed=3)


def changed(name: str, *changes: str) -> ScandlGenerator:
    generator = open_model(name)
    assert isinstance(generator, ScandlGenerator)
    return generator.with_settings(changes, None)


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("scandl-paper-cosine", "diffusion.schedule=cosine"),
        ("scandl-paper-linear", "diffusion.schedule=linear"),
        ("scandl-paper-no-condition", "model.sentence_condition=false"),
        ("scandl-paper-no-text", "model.text_and_position=false"),
    ],
)
def test_an_ablation_is_the_paper_but_for_one_setting(name: str, setting: str) -> None:
    assert open_model(name).config == preset("paper", [setting])  # type: ignore[attr-defined]
    assert changed(name, "training.steps=3").config == preset("paper", [setting, "training.steps=3"])


def test_the_seed_of_training_is_the_run_s_unless_the_settings_say_it(tmp_path: Path) -> None:
    few = (
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "diffusion.steps=10",
        "training.steps=2",
        "training.batch=4",
    )
    for more, seed in (((), 3), (("training.seed=101",), 101)):
        folder = tmp_path / str(seed)
        generator = changed("scandl", *few, *more)
        generator.folder = folder
        generator.fit(CORPUS, seed=3)
        (checkpoint,) = folder.glob("*/last.pt")
        assert read_checkpoint(checkpoint)["config"]["training"]["seed"] == seed


def test_the_published_way_keeps_the_symbols_as_they_were_drawn() -> None:
    generator = changed(
        "scandl-paper",
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "model.encoder=lexical",
        "diffusion.steps=10",
        "training.steps=2",
        "training.batch=4",
    )
    for path in generator.fit(CORPUS, seed=3).read(REQUESTS, seed=3):
        symbols = [int(symbol) for symbol in path.extra["symbols"].split()]
        assert len(symbols) == 128 - 9  # what the sentence, its CLS and SEP leave of the input
        assert clean(symbols, 7)[0] == path.positions


def test_a_fold_is_kept_with_the_checkpoint_and_its_training_part_refused(tmp_path: Path) -> None:
    fold = make_folds(CORPUS, "ns", n_folds=2)[0]
    generator = ScandlGenerator(TINY, tmp_path).for_fold(fold, CORPUS)
    generator.fit(CORPUS.restricted_to(fold.train), seed=3)
    (checkpoint,) = tmp_path.glob("*/last.pt")
    assert read_checkpoint(checkpoint)["fold"]["fold_id"] == "ns-0"
    learned, new = fold.train[0][1], fold.test[0][1]
    assert generator.read([Request(SENTENCES[new], "r1")], seed=3)
    with pytest.raises(ScandlError, match=f"the checkpoint of fold ns-0 was trained on sentence '{learned}'"):
        generator.read([Request(SENTENCES[learned], "r1")], seed=3)
