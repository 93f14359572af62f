"""Trained networks as models: by name, file or folder, and one line for what is none; those that ship."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import scandl
from scandl.cli import main
from scandl.config import to_table
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.make_shipped import ABOUT, demonstration_config
from scandl.models.diffusion.numpy_model import NumpyScandl
from scandl.models.model import Request
from scandl.models.trained_model import (
    ModelOptions,
    card_rows,
    file_name,
    model_card,
    open_trained,
    shipped_models,
)
from scandl.records import Sentence

CAT = Sentence("t1", "The cat sat on the mat.")


def test_checkpoint_folder_and_export_are_one_model(pointer_checkpoint: Path, pointer_file: Path) -> None:
    paths = [
        scandl.generate(CAT.text, samples=3, seed=2, model=model)
        for model in (pointer_checkpoint, pointer_checkpoint.parent, pointer_file, open_trained(pointer_file))
    ]
    assert paths[0] == paths[1] == paths[2] == paths[3]
    assert all(path.durations and len(path.durations) == path.n_fixations for path in paths[0])


def test_raw_weights_are_others(pointer_checkpoint: Path) -> None:
    models = [open_trained(pointer_checkpoint, ModelOptions(raw=raw)) for raw in (False, True)]
    states = [model.network.network.weights for model in models]  # type: ignore[union-attr]
    assert any((states[0][name] != states[1][name]).any() for name in states[0])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            ModelOptions(raw=True),
            "--raw: an exported model has one set of weights; it goes with a checkpoint",
        ),
        (
            ModelOptions(device="cuda"),
            "--device cuda: exported models and that of the package run on the CPU",
        ),
        (ModelOptions(sampling=Denoising()), "denoising steps and symbols are of diffusion models"),
    ],
)
def test_what_an_exported_pointer_cannot(options: ModelOptions, text: str, pointer_file: Path) -> None:
    with pytest.raises(ScandlError) as caught:
        open_trained(pointer_file, options)
    assert str(caught.value).startswith(text)


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="found a folder without last.pt, expected a checkpoint of scandl"):
        open_trained(tmp_path)
    with pytest.raises(ScandlError, match=r"none.npz: no such model"):
        open_trained(tmp_path / "none.npz")
    (tmp_path / "x.npz").write_bytes(b"scandl-pointer")
    with pytest.raises(ScandlError, match=r"x.npz: not a whole model file"):
        open_trained(tmp_path / "x.npz")


def test_a_batch_changes_no_path(pointer_file: Path) -> None:
    texts = [CAT.text, "A dog.", "One two three four five six seven eight."] * 3
    models = [open_trained(pointer_file, ModelOptions(batch=batch)) for batch in (None, 1, 4)]
    found = [scandl.generate(texts, samples=2, model=model) for model in models]
    assert found[0] == found[1] == found[2]


def test_the_shipped_one_needs_no_torch() -> None:
    script = (
        "import sys, scandl; scandl.generate('A cat sat.');"
        "sys.exit(int(any(m in sys.modules for m in ('torch', 'transformers'))))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0


def test_the_demonstration_is_small_and_says_what_it_is() -> None:
    file = Path(str(files("scandl.models.shipped").joinpath("demo.npz")))
    assert file.stat().st_size < 8_000_000
    model = open_trained("demo")
    assert model.about == ABOUT
    assert ABOUT.startswith("demonstration model: ")
    network = model.diffusion()
    assert to_table(network.config.model) == to_table(demonstration_config().model)
    assert (network.encoder.identity, network.fold["corpus"]) == ("lexical/3", "demo")
    assert isinstance(open_trained(file).network, NumpyScandl)


def test_the_demonstration_reads_like_the_simulated_readers() -> None:
    """A loose check that it has learned: it starts early, moves on and does not stop at once."""
    demo = open_corpus("demo")
    sentences = list(demo.sentences.values())[:12]
    requests = [Request(sentence, "", k) for sentence in sentences for k in range(5)]
    paths = open_trained("demo", ModelOptions(sampling=Denoising(steps=30))).read(requests, seed=1)
    assert sum(not path.positions for path in paths) <= 0.05 * len(paths)
    starts = sum(path.positions[:1] == (0,) for path in paths) / len(paths)
    assert starts > 0.8  # every simulated reader starts on the first word
    human = [p.n_fixations for s in sentences for p in demo.by_sentence[s.sentence_id]]
    generated = [path.n_fixations for path in paths]
    assert sum(generated) / len(generated) == pytest.approx(sum(human) / len(human), rel=0.35)


def test_the_first_line_of_output_is_its_label(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--model", "demo", "--text", "The cat sat on the mat.", "--steps", "10"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == ABOUT


def test_a_model_that_has_learned_from_a_fold_is_refused_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    where = ["--corpus", "demo", "--setting", "ns", "--fold", "0", "--out", str(tmp_path / "p.csv")]
    assert main(["generate", "--model", "demo", *where]) == 2
    assert "was trained on" in capsys.readouterr().err
    assert not (tmp_path / "p.csv").exists()


def test_the_demonstration_imports_no_torch() -> None:
    script = (
        "import sys; from scandl.cli import main; main(['generate', '--model', 'demo', '--text', 'A cat.']);"
        "sys.exit(int('torch' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], capture_output=True).returncode == 0


def test_a_text_may_be_longer_than_what_it_saw() -> None:
    model = open_trained("demo", ModelOptions(sampling=Denoising(steps=5)))
    (path,) = model.read([Request(Sentence("t", "word " * 30))], seed=1)
    assert all(0 <= word < 30 for word in path.positions)


def test_a_pointer_is_no_diffusion_model(pointer_file: Path) -> None:
    with pytest.raises(ScandlError, match="found a model that points at words, expected a diffusion model"):
        open_trained(pointer_file).diffusion()
    assert file_name(pointer_file) == open_trained(pointer_file).name == "few"


@pytest.mark.parametrize("name", shipped_models())
def test_a_card_says_what_one_must_know(name: str) -> None:
    card = model_card(name)
    assert card.name == name
    assert 0 < card.bytes < 8_000_000
    assert card.kind in ("human", "simulated")
    assert card.corpora
    for corpus in card.corpora:
        assert corpus.licence
        assert corpus.citation
        assert corpus.scanpaths > 0
    for line in (card.about, card.engine, card.licence, card.made_by):
        assert line
    assert card.limits
    rows = dict(card_rows(card))
    assert rows["licence"] == card.licence
    assert rows["trained on"].startswith(card.corpora[-1].name)


def test_the_demonstration_is_of_the_demo_corpus() -> None:
    (corpus,), demo = model_card("demo").corpora, open_corpus("demo")
    assert (corpus.readers, corpus.texts, corpus.scanpaths) == (
        len(demo.reader_ids),
        len(demo.sentences),
        len(demo.scanpaths),
    )
    assert model_card("demo").longest_text == max(s.n_words for s in demo.sentences.values())


def test_an_unknown_name_says_what_there_is() -> None:
    with pytest.raises(ScandlError, match="no shipped model 'dem'; did you mean 'demo'\\? known: demo"):
        model_card("dem")
