"""What the tests of distributions share: readings of sentences with known truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import Corpus, read_corpus
from scandl.files.prediction_files import read_predictions
from scandl.records import Scanpath

N_WORDS = 8


@pytest.fixture
def simulation(shared: Callable[[str], Path]) -> Callable[[str], tuple[Corpus, list[Scanpath]]]:
    """Return the corpus mertzen and what a published model, swift or seam, simulated for it."""
    folder = shared("mertzen")
    return lambda model: _simulation(folder, model)


@cache
def _simulation(folder: Path, model: str) -> tuple[Corpus, list[Scanpath]]:
    corpus = _mertzen(folder)
    predictions = read_predictions(folder / f"simulated_{model}.csv", corpus=corpus)
    return corpus, [Scanpath(p.reader_id or "", p.sentence_id, p.predicted) for p in predictions]


_mertzen = cache(read_corpus)


@pytest.fixture
def readings() -> Callable[..., list[Scanpath]]:
    """Return readings by a random walk: more words to the right with a greater ``pace``."""

    def make(
        seed: int, *, sentences: int = 12, readers: int = 8, pace: int = 3, who: str = "r"
    ) -> list[Scanpath]:
        rng = np.random.default_rng(seed)

        def path() -> tuple[int, ...]:
            walked = np.cumsum(rng.integers(-1, pace, rng.integers(4, 9)))
            return tuple(np.clip(walked, 0, N_WORDS - 1).tolist())

        return [Scanpath(f"{who}{r}", f"s{s}", path()) for s in range(sentences) for r in range(readers)]

    return make


@pytest.fixture
def n_words() -> dict[str, int]:
    """Return the number of words of the sentences that ``readings`` reads."""
    return {f"s{s}": N_WORDS for s in range(100)}
