"""Learning is real: a small model memorises what it saw, and draws it as often as it saw it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.model import Request
from scandl.records import Positions, Scanpath, Sentence

pytestmark = pytest.mark.slow

SMALL = (
    "model.dropout=0.0",
    "diffusion.steps=200",
    "diffusion.bins=20",
    "training.batch=64",
    "training.warmup=100",
    "training.ema_decay=0.998",
    "training.save_every=100000",
)


def trained(corpus: Corpus, folder: Path, *settings: str) -> TrainedScandl:
    path = train(preset("small", [*SMALL, *settings]), corpus, folder, device="cpu", quiet=True)
    return TrainedScandl.load(path, device="cpu")


def drawn(model: TrainedScandl, sentence: Sentence, n: int, sampling: Denoising) -> Counter[Positions]:
    requests = [Request(sentence, "", k) for k in range(n)]
    return Counter(path.positions for path in model.read(requests, seed=1, sampling=sampling))


def test_sixteen_paths_of_one_sentence_are_learned_by_heart(tmp_path: Path) -> None:
    demo = open_corpus("demo")
    sentence, paths = next(
        (sentence, paths)
        for sentence in demo.sentences.values()
        if sentence.n_words <= 7 and len(paths := _short_and_different(demo, sentence)) >= 16
    )
    paths = paths[:16]
    length = sentence.n_words + 14  # nine fixations, CLS and SEP twice, one PAD
    model = trained(
        demo.restricted_to({(path.reader_id, path.sentence_id) for path in paths}),
        tmp_path,
        "model.layers=3",
        "model.dim=64",
        "model.feed_forward=256",
        f"model.seq_len={length}",
        f"model.buckets=[{length}]",
        "training.warmup=200",
        "training.steps=5000",
        "training.lr=2e-3",
    )
    found = drawn(model, sentence, 64, Denoising(steps=200))
    among = [found[path.positions] for path in paths]
    assert sum(among) >= 0.9 * 64
    assert sum(count > 0 for count in among) >= 12  # and not one of them again and again


def _short_and_different(corpus: Corpus, sentence: Sentence) -> list[Scanpath]:
    """Return the first scanpath of each kind that has at most nine fixations."""
    kinds: dict[Positions, Scanpath] = {}
    for path in corpus.by_sentence[sentence.sentence_id]:
        if path.n_fixations <= 9:
            kinds.setdefault(path.positions, path)
    return list(kinds.values())


A, B = (0, 1, 2), (0, 2, 1, 2)


@pytest.fixture(scope="module")
def two_paths(tmp_path_factory: pytest.TempPathFactory) -> TrainedScandl:
    sentence = Sentence("s", "The cat sat.")
    paths = ([A] * 7 + [B] * 3) * 4
    corpus = Corpus(
        Card(name="two"), {"s": sentence}, tuple(Scanpath(f"r{i}", "s", p) for i, p in enumerate(paths))
    )
    return trained(
        corpus,
        tmp_path_factory.mktemp("two"),
        "model.layers=2",
        "model.dim=32",
        "model.feed_forward=128",
        "model.seq_len=12",
        "model.buckets=[12]",
        "training.steps=4000",
        "training.lr=2e-3",
        "training.clip_norm=1e9",
    )


def share_of_a(model: TrainedScandl, sampling: Denoising) -> float:
    found = drawn(model, Sentence("s", "The cat sat."), 2000, sampling)
    assert found[A] + found[B] >= 0.98 * 2000  # no mixtures of the two
    return found[A] / 2000


def test_two_paths_come_nearly_as_often_as_they_were_seen(two_paths: TrainedScandl) -> None:
    """Rounding the mean of two paths picks the frequent one early: the published way favours it."""
    assert 0.7 < share_of_a(two_paths, Denoising(steps=50, batch=500)) < 0.88
