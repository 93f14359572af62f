"""What SWIFT keeps in mind while it reads, as records a compiled loop can change."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from scandl.models.cognitive.simulator import Batch, Floats, Ints, Word

LEXICAL, POSTLEXICAL, DONE = range(3)
TIMER, LABILE, NONLABILE, FLIGHT = range(4)
DELTA0, M, R, T_SAC = range(4)


class Mind(Protocol):
    """The state of one reading: a numpy record."""

    steps: Floats  # (4,) done by timer, labile stage, non-labile stage, saccade
    running: Ints  # (4,) 1 while the stage runs
    rate: Floats  # (4,) transitions per ms
    words_rate: float  # of all words together
    stale: bool  # the words' rates must be computed anew
    gaze: float  # characters from the start of the sentence
    word: int  # fixated
    target: int  # of the next saccade
    speed: float  # of the labile stage


class ReadWord(Word, Protocol):
    """A word and what the model has done with it."""

    activation: float  # steps of its counter
    threshold: float
    phase: int
    span: float  # share of the processing span on it, from the present gaze
    rate: float  # transitions per ms


def new_mind() -> Any:
    """Return room for the state of one reading: an array with one record ``Mind``."""
    return np.zeros(
        1,
        [
            ("steps", np.float64, 4),
            ("running", np.int64, 4),
            ("rate", np.float64, 4),
            ("words_rate", np.float64),
            ("stale", np.bool_),
            ("gaze", np.float64),
            ("word", np.int64),
            ("target", np.int64),
            ("speed", np.float64),
        ],
    )


def new_words(batch: Batch) -> Any:
    """Return the words of a batch as an array of records ``ReadWord``."""
    numbers = [(name, np.float64) for name in ("activation", "threshold", "span", "rate")]
    return batch.words(*numbers, ("phase", np.int64))
