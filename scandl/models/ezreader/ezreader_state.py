"""What E-Z Reader keeps in mind while it reads, as records a compiled loop can change."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from scandl.models.cognitive.simulator import Batch, Floats, Ints, Word

V, L1, L2, I, A, M1, M2, S = range(8)  # noqa: E741 - the literature's names of the stages


class Mind(Protocol):
    """The state of one reading: a numpy record."""

    left: Floats  # (8,) ms until each stage ends; infinity = it does not run
    word: Ints  # (8,) the word each stage is about
    length: Floats  # (8,) of M1 the intended saccade, of M2 and S the actual one, characters
    attended: int
    eye: float  # characters from the start of the sentence
    time: float  # ms on this fixation so far
    rate: float  # how much eccentricity slows L1
    drawn: float  # ms of M1 before any of it was inherited


class ReadWord(Word, Protocol):
    """A word and what the model has done with it."""

    base: float  # α1 − α2 ln f
    failed: bool  # its integration has failed once


def new_mind() -> Any:
    """Return room for the state of one reading: an array with one record ``Mind``."""
    stages = [("left", np.float64, 8), ("word", np.int64, 8), ("length", np.float64, 8)]
    return np.zeros(
        1,
        [*stages, ("attended", np.int64), *((name, np.float64) for name in ("eye", "time", "rate", "drawn"))],
    )


def new_words(batch: Batch) -> Any:
    """Return the words of a batch as an array of records ``ReadWord``."""
    return batch.words(("base", np.float64), ("failed", np.bool_))
