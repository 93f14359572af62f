"""Parameters of SWIFT 3, how readers differ in them, and what it needs to know of words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from scandl.errors import ConfigError
from scandl.extras import compiled
from scandl.models.cognitive.random_numbers import State, uniform
from scandl.models.cognitive.simulator import Floats, Ints, TrialBatch, Word
from scandl.text.word_facts import LARGEST


class SaccadeError(NamedTuple):
    """Where a type of saccade lands: SD o1 + o2·d, systematic range error s1 − s2·d (characters)."""

    o1: float
    o2: float
    s1: float
    s2: float


class SwiftParameters(NamedTuple):
    """The defaults of SWIFT 3 (program 14.1); times in units of 100 ms, distances in characters."""

    delta0: float = 7.23  # processing span
    delta1: float = 0.0  # how much an easy fixated word widens the span to the right
    asymmetry: float = 1.0  # span to the left as a share of delta0
    eta: float = 0.5  # exponent of word length
    alpha: float = 1.5  # processing rate
    beta: float = 0.75  # effect of frequency on the activation a word needs
    gamma: float = 0.7  # exponent of target selection
    min_activation: float = -5.0  # log of the least activation, per word from the left-most unread one
    t_sac: float = 2.67  # mean interval of the saccade timer
    h: float = 2.0  # inhibition of the timer by the fixated word
    h1: float = 0.0  # and by the words to its right
    p: float = 0.0  # inhibition of processing by unread words to the left
    R: float = 0.7  # factor on the rate of the labile stage after a refixation
    M: float = 1.5  # and after a mislocated fixation
    kappa0: float = 0.0  # slowing of the non-labile stage near the target
    kappa1: float = 0.0
    proc: float = 1.0  # post-lexical processing rate
    decay: float = 0.07  # least post-lexical rate
    tau_l: float = 1.20  # labile stage
    tau_n: float = 0.80  # non-labile stage
    tau_x: float = 0.20  # saccade
    order_word: float = 30.0
    order_timer: float = 15.0
    order_labile: float = 12.0
    order_nonlabile: float = 10.0
    order_saccade: float = 20.0
    forward: SaccadeError = SaccadeError(0.8, 0.03, 2.4, 0.3)
    skip: SaccadeError = SaccadeError(0.8, 0.14, 2.0, 0.1)
    refixation_forward: SaccadeError = SaccadeError(0.8, 0.03, 2.5, 0.5)
    refixation_backward: SaccadeError = SaccadeError(0.8, 0.03, -2.5, -0.5)
    regression: SaccadeError = SaccadeError(0.8, 0.03, 0.0, 0.0)
    theta: float = 0.0  # extension, not in program 14.1: processing × exp(theta · cloze²)
    max_frequency: float = LARGEST  # the frequency that needs the least activation, per million


SWIFT_3 = SwiftParameters()

READER_PARAMETERS = ("delta0", "M", "R", "t_sac")
"""The parameters in which readers differ, in the order of the columns of ``draw_reader``."""

# Posterior means of 61 readers (Rabe et al. 2023): delta0, ln M, ln R, t_sac.
_MEAN = (12.158, -0.044, 0.099, 2.003)
_SD = (2.344, 0.178, 0.191, 0.426)
_CORRELATION = (
    (1.00, -0.35, -0.04, 0.14),
    (-0.35, 1.00, 0.73, -0.85),
    (-0.04, 0.73, 1.00, -0.72),
    (0.14, -0.85, -0.72, 1.00),
)


def draw_reader(rng: np.random.Generator) -> tuple[float, float, float, float]:
    """Draw delta0, M, R and t_sac of a reader from the fitted population (preset ``rabe2023-readers``)."""
    covariance = np.outer(_SD, _SD) * np.array(_CORRELATION)
    while True:
        delta0, log_m, log_r, t_sac = rng.multivariate_normal(_MEAN, covariance).tolist()
        if delta0 > 0.0 and t_sac > 0.0:
            return delta0, math.exp(log_m), math.exp(log_r), t_sac


def around(centre: SwiftParameters, reader: tuple[float, float, float, float]) -> tuple[float, ...]:
    """Return a drawn reader moved so that the population's average reader has the ``centre`` values.

    >>> average = (12.158, math.exp(-0.044), math.exp(0.099), 2.003)
    >>> [round(value, 6) for value in around(SWIFT_3, average)]  # delta0, M, R, t_sac
    [7.23, 1.5, 0.7, 2.67]
    """
    population = (_MEAN[0], math.exp(_MEAN[1]), math.exp(_MEAN[2]), _MEAN[3])
    return tuple(
        getattr(centre, name) * value / mean
        for name, value, mean in zip(READER_PARAMETERS, reader, population, strict=True)
    )


def check_swift(parameters: SwiftParameters) -> SwiftParameters:
    """Return the parameters as numbers the simulator can run with, or say which one it cannot."""
    values = SwiftParameters(
        *(SaccadeError(*map(float, v)) if isinstance(v, tuple) else float(v) for v in parameters)  # type: ignore[arg-type]
    )
    for name, value in values._asdict().items():
        if not all(map(math.isfinite, value if isinstance(value, tuple) else (value,))):
            raise ConfigError(f"SWIFT parameter {name!r}: found {value}, expected finite numbers")
    positive = (
        "delta0",
        "asymmetry",
        "alpha",
        "t_sac",
        "R",
        "M",
        "decay",
        "tau_l",
        "tau_n",
        "tau_x",
        "order_word",
        "order_timer",
        "order_labile",
        "order_nonlabile",
        "order_saccade",
    )
    for name in positive:
        if not getattr(values, name) > 0.0:
            raise ConfigError(
                f"SWIFT parameter {name!r}: found {getattr(values, name):g}, expected a number above 0"
            )
    if values.max_frequency <= 1.0:
        raise ConfigError(
            f"SWIFT parameter 'max_frequency': found {values.max_frequency:g}, expected per million, above 1"
        )
    return values


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
