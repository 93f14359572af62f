"""A tiny corpus and a model that was trained on it through the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from scandl.cli import main
from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import write_corpus
from scandl.records import Scanpath, Sentence

TINY = (
    "model.layers=1",
    "model.dim=16",
    "model.heads=2",
    "model.feed_forward=16",
    "diffusion.steps=20",
    "training.steps=4",
    "training.batch=4",
    "training.save_every=2",
    "training.log_every=1",
)


def corpus_of(n_readers: int) -> Corpus:
    sentences = {f"s{n}": Sentence(f"s{n}", f"The cat {n} sat on the mat.") for n in range(6)}
    paths = [Scanpath(f"r{r}", s, (0, 1, r % 7)) for s in sentences for r in range(n_readers)]
    return Corpus(Card(name="tiny", kind="simulated"), sentences, tuple(paths))


@pytest.fixture
def tiny_corpus() -> Callable[[int], Corpus]:
    return corpus_of


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpora") / "tiny"
    write_corpus(corpus_of(6), folder)
    return folder


TrainCommand: TypeAlias = Callable[..., list[str]]


@pytest.fixture(scope="session")
def train_command(corpus_folder: Path) -> TrainCommand:
    """Return the arguments that train on the tiny corpus; what comes later wins."""

    def command(out: Path, *more: str) -> list[str]:
        settings = [part for setting in TINY for part in ("--set", setting)]
        return [
            "train",
            "--corpus",
            str(corpus_folder),
            "--setting",
            "ns",
            "--fold",
            "0",
            "--out",
            str(out),
            "--device",
            "cpu",
            "--preset",
            "small",
            "--quiet",
            *settings,
            *more,
        ]

    return command


@pytest.fixture(scope="session")
def checkpoint(train_command: TrainCommand, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    assert main(train_command(out)) == 0
    return out / "last.pt"
