"""The two generators of the registry: trained, kept, resumed, and clear about what they cannot do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.models.pointer.pointer_generator import ScandlMasked, ScanpathTransformer
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import PointerTask
from scandl.records import Scanpath, Sentence
from scandl.training.checkpoint import read_checkpoint
from scandl.training.trainer import Trainer
from scandl.workers import showing_trainings

TRAINING = TrainingConfig(steps=6, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1)
SMALL = PointerConfig(
    network=NetworkConfig(width=16, heads=2, word_layers=1, path_layers=1), training=TRAINING
)

TEXTS = [
    "I.",
    "Yes it is.",
    "a" * 400 + " end.",
    "Zahlen 3,14 und 😀 … “so” – der Rheinfall!",
    " ".join(["word"] * 60),
    " ".join(["paragraph", "of", "many", "words,", "and", "more."] * 40),
]


@pytest.mark.parametrize("kind", [ScanpathTransformer, ScandlMasked])
def test_any_text_gets_a_valid_path(kind: type[ScanpathTransformer], corpus: Corpus) -> None:
    generator = kind(SMALL).fit(corpus, seed=1)
    assert generator.likelihood
    sentences = [Sentence(f"t{n}", text) for n, text in enumerate(TEXTS)]
    for sentence, path in zip(
        sentences, generator.read([Request(s) for s in sentences], seed=1), strict=True
    ):
        assert path.positions
        assert all(0 <= word < sentence.n_words for word in path.positions)
        assert path.durations is not None
        assert len(path.durations) == len(path.positions)
        assert all(1 <= ms < 10_000 for ms in path.durations)
        assert generator.log_prob(sentence, path) < 0


def test_both_orders_are_of_one_training(corpus: Corpus, tmp_path: Path) -> None:
    masked, in_order = (
        kind(SMALL, tmp_path).fit(corpus, seed=1) for kind in (ScandlMasked, ScanpathTransformer)
    )
    assert len(list(tmp_path.iterdir())) == 1
    weights = [model.model.network.weights for model in (masked, in_order)]
    assert all((value == weights[1][name]).all() for name, value in weights[0].items())
    assert (masked.model.config.sampling.order, in_order.model.config.sampling.order) == ("random", "time")


def test_they_are_in_the_registry() -> None:
    assert isinstance(open_model("scanpath-transformer"), ScanpathTransformer)
    assert isinstance(open_model("scandl-masked"), ScandlMasked)


def test_a_training_is_kept_and_not_repeated(corpus: Corpus, tmp_path: Path) -> None:
    one = ScanpathTransformer(SMALL, tmp_path).fit(corpus, seed=1)
    (checkpoint,) = tmp_path.glob("*/last.pt")
    written = checkpoint.stat().st_mtime_ns
    requests = [Request(s, "a", k) for s in corpus.sentences.values() for k in range(4)]
    two = ScanpathTransformer(SMALL, tmp_path).fit(corpus, seed=1)
    assert one.read(requests, seed=1) == two.read(requests, seed=1)
    assert len(list(tmp_path.iterdir())) == 1
    assert checkpoint.stat().st_mtime_ns >= written
    ScanpathTransformer(SMALL, tmp_path).fit(corpus, seed=2)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_resumed_training_gives_the_same_weights(corpus: Corpus, tmp_path: Path) -> None:
    config = replace(SMALL, network=replace(SMALL.network, dropout=0.1))

    def trainer(folder: str) -> Trainer:
        return Trainer(
            PointerTask(config, corpus), config.training, tmp_path / folder, quiet=True, device="cpu"
        )

    whole = read_checkpoint(trainer("whole").run())
    trainer("parts").run(stop_after=3)
    parts = read_checkpoint(trainer("parts").run())
    assert parts["step"] == whole["step"] == 6
    for name, weight in whole["ema"].items():
        assert weight.equal(parts["ema"][name]), name


def test_errors_say_what_is_wrong(corpus: Corpus) -> None:
    with pytest.raises(ScandlError, match="needs training before it is used"):
        ScandlMasked().read([], seed=1)
    with pytest.raises(ScandlError, match="corpus 'none' has no scanpath to learn from"):
        ScanpathTransformer(SMALL).fit(Corpus(Card(name="none"), {}, ()), seed=1)
    generator = ScanpathTransformer(SMALL).fit(corpus, seed=1)
    with pytest.raises(ScandlError, match="found word 3, expected 0 to 2"):
        generator.log_prob(corpus.sentences["s"], Scanpath("a", "s", (0, 3)))
    with pytest.raises(ScandlError, match="path of reader 'a', sentence 's' is empty"):
        generator.log_prob(corpus.sentences["s"], Scanpath("a", "s", ()))
    with pytest.raises(ScandlError, match="sentence 'e' has no words"):
        generator.read([Request(Sentence("e", " "))], seed=1)


def test_a_corpus_without_durations_gives_paths_without(corpus: Corpus) -> None:
    bare = replace(corpus, scanpaths=tuple(replace(path, durations=None) for path in corpus.scanpaths))
    generator = ScanpathTransformer(SMALL).fit(bare, seed=1)
    (path,) = generator.read([Request(corpus.sentences["s"])], seed=1)
    assert path.durations is None


@pytest.mark.parametrize("kind", [ScanpathTransformer, ScandlMasked])
def test_many_paths_are_as_likely_as_each(kind: type[ScanpathTransformer], corpus: Corpus) -> None:
    generator = kind(SMALL).fit(corpus, seed=1)
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    each = [generator.log_prob(s, p) for s, p in zip(sentences, corpus.scanpaths, strict=True)]
    assert generator.log_probs(sentences, corpus.scanpaths) == pytest.approx(each, abs=1e-4)


def test_a_training_shows_how_far_it_is_where_somebody_waits(
    corpus: Corpus, capfd: pytest.CaptureFixture[str]
) -> None:
    ScanpathTransformer(SMALL).fit(corpus, seed=1)
    assert capfd.readouterr().err == ""
    with showing_trainings():
        ScanpathTransformer(SMALL).fit(corpus, seed=1)
    assert "train: 6/6 loss" in capfd.readouterr().err
