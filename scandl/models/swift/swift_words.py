"""How SWIFT processes the words: activation under the span, and the competition to be the next target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from scandl.extras import compiled
from scandl.models.cognitive.random_numbers import State, uniform
from scandl.models.cognitive.simulator import Floats, Ints, TrialBatch, Word
from scandl.models.swift.swift_parameters import SwiftParameters

LEXICAL, POSTLEXICAL, DONE = range(3)
TIMER, LABILE, NONLABILE, FLIGHT = range(4)
DELTA0, M, R, T_SAC = range(4)


class SwiftMind(Protocol):
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


class SwiftWord(Word, Protocol):
    """A word and what the model has done with it."""

    activation: float  # steps of its counter
    threshold: float
    phase: int
    span: float  # share of the processing span on it, from the present gaze
    rate: float  # transitions per ms


def new_mind() -> Any:
    """Return room for the state of one reading: an array with one record ``SwiftMind``."""
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


def new_words(batch: TrialBatch) -> Any:
    """Return the words of a batch as an array of records ``SwiftWord``."""
    numbers = [(name, np.float64) for name in ("activation", "threshold", "span", "rate")]
    return batch.words(*numbers, ("phase", np.int64))


@compiled
def threshold(p: SwiftParameters, log_frequency: float) -> float:
    """Return how many steps a word's activation must climb; frequent words need fewer."""
    share = min(1.0, max(0.0, log_frequency / math.log(p.max_frequency)))
    return math.ceil(p.order_word * (1.0 - p.beta * share))


@compiled
def see(mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters, delta0: float) -> None:
    """Spread the processing span, an inverted parabola around the gaze, over the letters of the words."""
    right = delta0 + p.delta1 * (1.0 - text[mind.word].activation / p.order_word)
    left = delta0 * p.asymmetry
    peak = 1.5 / (left + right)
    for j in range(len(text)):
        total = 0.0
        e = text[j].border - text[j].length + 0.5 - mind.gaze
        for _ in range(int(text[j].length)):
            share = e / (left if e < 0.0 else right)
            if abs(share) < 1.0:
                total += peak * (1.0 - share * share)
            e += 1.0
        text[j].span = text[j].length ** (-p.eta) * math.exp(p.theta * text[j].cloze ** 2) * total
    mind.stale = True


@compiled
def set_word_rates(mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters) -> None:
    """Set α·λ per word; in flight nothing is seen, but what was seen is still worked on."""
    to_the_left = total = 0.0
    for j in range(len(text)):
        processing = text[j].span
        if p.p != 0.0:
            processing *= math.exp(-p.p * to_the_left / p.order_word)
            to_the_left += text[j].activation
        if text[j].phase == DONE or (text[j].phase == LEXICAL and mind.running[FLIGHT]):
            processing = 0.0
        elif text[j].phase == POSTLEXICAL:
            processing = max(p.proc * processing, p.decay)
        text[j].rate = p.alpha * processing
        total += text[j].rate
    mind.words_rate = total
    mind.stale = False


@compiled
def choose_target(text: Sequence[SwiftWord], p: SwiftParameters, rng: State) -> int:
    """Draw the next saccade target by activation; words far from the left-most unread one need more."""
    unread = 0
    while unread < len(text) - 1 and text[unread].phase == DONE:
        unread += 1
    weight = np.empty(len(text))
    total = 0.0
    for j in range(len(text)):
        least = math.exp(p.min_activation * max(1, abs(j - unread)))
        weight[j] = (text[j].activation / p.order_word + least) ** p.gamma
        total += weight[j]
    left = uniform(rng) * total
    for j in range(len(text)):
        left -= weight[j]
        if left < 0.0:
            return j
    return unread


@compiled
def word_at(text: Sequence[SwiftWord], gaze: float) -> int:
    """Return the first word whose right border the gaze does not pass."""
    word = 0
    while word < len(text) - 1 and gaze > text[word].border:
        word += 1
    return word


@compiled
def all_read(text: Sequence[SwiftWord]) -> bool:
    """Return whether every word has been through both phases."""
    for j in range(len(text)):  # noqa: SIM110 - numba compiles a loop, not a generator
        if text[j].phase != DONE:
            return False
    return True
