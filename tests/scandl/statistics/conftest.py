"""What the tests of statistics share: readings of sentences with known truth."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from scandl.records import Scanpath

N_WORDS = 8
Readings = dict[str, list[Scanpath]]


@pytest.fixture
def readings() -> Callable[..., Readings]:
    """Return readings by a random walk: more words to the right with a greater ``pace``."""

    def make(seed: int, *, sentences: int = 12, readers: int = 8, pace: int = 3, who: str = "r") -> Readings:
        rng = np.random.default_rng(seed)

        def path() -> tuple[int, ...]:
            walked = np.cumsum(rng.integers(-1, pace, rng.integers(4, 9)))
            return tuple(np.clip(walked, 0, N_WORDS - 1).tolist())

        return {
            f"s{s}": [Scanpath(f"{who}{r}", f"s{s}", path()) for r in range(readers)]
            for s in range(sentences)
        }

    return make


@pytest.fixture
def styled() -> Callable[..., Readings]:
    """Return readings by readers who skip words to a degree of their own, which ``traits`` holds."""

    def make(rng: np.random.Generator, traits: np.ndarray, *, sentences: int = 6) -> Readings:
        return {
            f"s{s}": [
                Scanpath(f"r{r}", f"s{s}", tuple(np.flatnonzero(rng.random(N_WORDS) < trait).tolist()))
                for r, trait in enumerate(traits)
            ]
            for s in range(sentences)
        }

    return make
