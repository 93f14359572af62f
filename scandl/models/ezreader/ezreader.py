"""E-Z Reader 10.2: reading as a race of eight stages, the next one to end decides what follows.

Attention goes from word to word; the familiarity check of a word (L1) starts the programme of a saccade to
the next one, its lexical completion (L2) moves attention. See docs/cognitive-models.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scandl.extras import check_compiler, compiled
from scandl.models.cognitive.random_numbers import State, gamma, new_state, normal, uniform
from scandl.models.cognitive.simulator import (
    N_COLUMNS,
    Floats,
    Ints,
    Simulation,
    TrialBatch,
    Word,
    appended,
    check_finished,
    fixation_limit,
    record,
)
from scandl.models.cognitive.word_inputs import WordProperties
from scandl.models.ezreader.ezreader_parameters import EZREADER_10_2, EZReaderParameters, check_ezreader

V, L1, L2, I, A, M1, M2, S = range(8)  # noqa: E741 - the literature's names of the stages


class EZReaderMind(Protocol):
    """The state of one reading: a numpy record."""

    left: Floats  # (8,) ms until each stage ends; infinity = it does not run
    word: Ints  # (8,) the word each stage is about
    length: Floats  # (8,) of M1 the intended saccade, of M2 and S the actual one, characters
    attended: int
    eye: float  # characters from the start of the sentence
    time: float  # ms on this fixation so far
    rate: float  # how much eccentricity slows L1
    drawn: float  # ms of M1 before any of it was inherited


class EZReaderWord(Word, Protocol):
    """A word and what the model has done with it."""

    base: float  # α1 − α2 ln f
    failed: bool  # its integration has failed once


def new_mind() -> Any:
    """Return room for the state of one reading: an array with one record ``EZReaderMind``."""
    stages = [("left", np.float64, 8), ("word", np.int64, 8), ("length", np.float64, 8)]
    return np.zeros(
        1,
        [*stages, ("attended", np.int64), *((name, np.float64) for name in ("eye", "time", "rate", "drawn"))],
    )


def new_words(batch: TrialBatch) -> Any:
    """Return the words of a batch as an array of records ``EZReaderWord``."""
    return batch.words(("base", np.float64), ("failed", np.bool_))


def simulate_ezreader(
    stimuli: Sequence[WordProperties],
    *,
    runs: int = 1,
    parameters: EZReaderParameters = EZREADER_10_2,
    seed: int = 1,
    include_final_fixation: bool = False,
) -> Simulation:
    """Simulate ``runs`` readings of each sentence by one average reader, run by run."""
    batch = TrialBatch.of_runs(stimuli, runs, seed)
    return run_ezreader(batch, parameters, include_final_fixation=include_final_fixation)


def run_ezreader(
    batch: TrialBatch,
    parameters: EZReaderParameters = EZREADER_10_2,
    *,
    alpha1_factor: Floats | None = None,
    include_final_fixation: bool = False,
    count_flight: bool = True,
) -> Simulation:
    """Simulate a batch of trials.

    Parameters
    ----------
    alpha1_factor
        What α1 is multiplied with in each trial: slow and fast readers.
    include_final_fixation
        Whether the fixation during which the simulation ends is kept. It is cut off by that end, often
        after a few ms, so the original program drops it, and so do we; a path keeps its only fixation.
    count_flight
        Whether time that passes in other stages while the eyes fly is added to the fixation
        before, as in the original program (1.6 ms on average).
    """
    check_compiler()
    if alpha1_factor is None:
        alpha1_factor = np.ones(len(batch.keys))
    counts, rows = _simulate(
        new_mind(),
        new_words(batch),
        batch.starts,
        batch.sentence,
        batch.keys,
        alpha1_factor,
        check_ezreader(parameters),
        include_final_fixation,
        count_flight,
    )
    check_finished("E-Z Reader", counts, batch)
    return Simulation.of_rows(counts, rows)


@compiled
def _simulate(
    minds: Sequence[EZReaderMind],
    words: Sequence[EZReaderWord],
    starts: Ints,
    sentence: Ints,
    keys: NDArray[np.uint64],
    alpha1_factor: Floats,
    p: EZReaderParameters,
    include_final: bool,
    count_flight: bool,
) -> tuple[Ints, Floats]:
    counts = np.empty(len(keys), np.int64)
    rows = np.empty((10 * len(keys) + 10, N_COLUMNS))
    trial = np.empty((fixation_limit(len(words)), N_COLUMNS))
    used = 0
    for i in range(len(keys)):
        text = words[starts[sentence[i]] : starts[sentence[i] + 1]]
        for j in range(len(text)):
            text[j].base = alpha1_factor[i] * p.alpha1 - p.alpha2 * text[j].log_frequency
            text[j].failed = False
        counts[i] = _read(minds[0], text, p, new_state(keys[i]), trial, include_final, count_flight)
        rows = appended(rows, used, trial, max(counts[i], 0))
        used += max(counts[i], 0)
    return counts, rows[:used]


@compiled
def _read(
    mind: EZReaderMind,
    text: Sequence[EZReaderWord],
    p: EZReaderParameters,
    rng: State,
    trial: Floats,
    include_final: bool,
    count_flight: bool,
) -> int:
    """Read one sentence; return the number of fixations, or −1 when it would not end."""
    n = 0
    _begin(mind, text, p, rng)
    while True:
        stage = 0
        for k in range(1, 8):
            if mind.left[k] < mind.left[stage]:
                stage = k
        passed = mind.left[stage]
        if stage != S and (count_flight or math.isinf(mind.left[S])):
            mind.time += passed
        for k in range(8):
            mind.left[k] -= passed
        mind.left[stage] = np.inf
        word = mind.word[stage]
        if stage == S:
            _record(mind, text, trial, n, p.saccade)
            n += 1
            if n == len(trial):
                return -1
            _land(mind, text, p, rng)
        elif stage == I:
            if _integrated(mind, text, p, rng, word):
                break
        elif stage == A:
            _attend(mind, text, p, rng, word)
        elif stage == V:
            _see(mind, text, p)
        elif stage == L1:
            _familiar(mind, text, p, rng, word)
        elif stage == L2:
            _complete(mind, text, p, rng, word)
        elif stage == M1:
            _settle(mind, p, rng)
        else:
            mind.word[S], mind.length[S], mind.left[S] = mind.word[M2], mind.length[M2], p.saccade
    if include_final or n == 0:
        _record(mind, text, trial, n, 0.0)
        n += 1
    return n


@compiled
def _begin(mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State) -> None:
    """Put eyes and attention on the first word."""
    for stage in range(8):
        mind.left[stage] = np.inf
    mind.eye = text[0].centre
    mind.time = 0.0
    mind.attended = 0
    _attend(mind, text, p, rng, mind.attended)


@compiled
def _attend(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State, word: int
) -> None:
    """Start the familiarity check of ``word``: guessed from context, or slowed by eccentricity."""
    mind.attended = mind.word[L1] = mind.word[L2] = word
    mind.rate = _rate(mind, text, p, word)
    guessed = uniform(rng) < text[word].cloze
    mind.left[L1] = 0.0 if guessed else mind.rate * gamma(rng, p.shape, _lexical_mean(mind, text, p, word))


@compiled
def _lexical_mean(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, word: int
) -> float:
    """Return α1 − α2 ln f − α3 c; context helps once the word before is integrated."""
    waiting = mind.left[I] < np.inf and mind.word[I] == word - 1
    context = 0.0 if word == 0 or waiting else p.alpha3 * text[word].cloze
    return max(0.0, text[word].base - context)


@compiled
def _rate(mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, word: int) -> float:
    """Return ε to the summed distance of the eye from the word's letter edges, per letter."""
    distance = 0.0
    edge = text[word].border - text[word].length
    for _ in range(int(text[word].length) + 1):
        distance += abs(edge - mind.eye)
        edge += 1.0
    return float(p.epsilon ** (distance / text[word].length))


@compiled
def _see(mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters) -> None:
    """Let a running familiarity check go on at the pace of the new eye position."""
    if mind.left[L1] < np.inf:
        rate = _rate(mind, text, p, mind.attended)
        mind.left[L1] *= rate / mind.rate
        mind.rate = rate


@compiled
def _familiar(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State, word: int
) -> None:
    """End L1: complete the lexical access, and programme a saccade to the next word."""
    mind.left[L2] = gamma(rng, p.shape, p.delta * _lexical_mean(mind, text, p, word))
    if word < len(text) - 1:
        _programme(mind, text, p, rng, word + 1)


@compiled
def _complete(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State, word: int
) -> None:
    """End L2: integrate the word and shift attention, unless the word before is not yet integrated."""
    unfinished = mind.word[I] if mind.left[I] < np.inf else 0
    mind.left[I] = np.inf
    if unfinished > 0 and not text[unfinished].failed:
        _go_back(mind, text, p, rng, unfinished)
        return
    mind.word[I] = word
    mind.left[I] = gamma(rng, p.shape, p.integration)
    if word < len(text) - 1:
        mind.word[A] = word + 1
        mind.left[A] = gamma(rng, p.shape, p.attention)


@compiled
def _integrated(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State, word: int
) -> bool:
    """End the integration of ``word``; return whether the sentence is read."""
    if uniform(rng) < p.p_failure and not text[word].failed and mind.attended > 0:
        mind.left[L1] = mind.left[L2] = np.inf
        _go_back(mind, text, p, rng, word)
        return False
    return bool(word == len(text) - 1)


@compiled
def _go_back(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State, word: int
) -> None:
    """Send attention and eyes to the word whose integration failed; each word fails once."""
    text[word].failed = True
    mind.attended = mind.word[A] = word
    mind.left[A] = gamma(rng, p.shape, p.attention)
    _programme(mind, text, p, rng, word)


@compiled
def _programme(
    mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State, word: int
) -> None:
    """Start M1 to the centre of ``word``; a pending M1 is replaced and part of its time inherited."""
    drawn = gamma(rng, p.shape, p.labile)
    saved = 0.0
    if mind.left[M1] < np.inf:
        saved = min(mind.drawn - mind.left[M1], p.xi * drawn)
    mind.drawn = drawn
    mind.left[M1] = drawn - saved
    mind.word[M1] = word
    mind.length[M1] = text[word].centre - mind.eye


@compiled
def _settle(mind: EZReaderMind, p: EZReaderParameters, rng: State) -> None:
    """End M1: the actual length of the saccade is settled and cannot be changed any more."""
    d = mind.length[M1]
    # ln T of a fixation that has just begun would throw the eyes anywhere: T counts from 1 ms.
    range_error = (p.omega1 - math.log(max(1.0, mind.time))) / p.omega2
    mind.word[M2] = mind.word[M1]
    mind.length[M2] = (
        d + np.sign(d) * (p.psi - abs(d)) * range_error + normal(rng) * (p.eta1 + p.eta2 * abs(d))
    )
    mind.left[M2] = gamma(rng, p.shape, p.nonlabile)


@compiled
def _land(mind: EZReaderMind, text: Sequence[EZReaderWord], p: EZReaderParameters, rng: State) -> None:
    """Begin a fixation; far from the centre of the word aimed at, a refixation is programmed at once."""
    end = text[-1].border
    landing = max(0.0, mind.eye + mind.length[S])
    mind.eye = min(landing, np.nextafter(end, 0.0))
    mind.time = 0.0
    mind.left[V] = p.vision
    target = mind.word[S]
    off_centre = abs(text[target].centre - mind.eye)
    if uniform(rng) < p.refixation * off_centre:
        _programme(mind, text, p, rng, target)


@compiled
def _record(mind: EZReaderMind, text: Sequence[EZReaderWord], trial: Floats, n: int, saccade: float) -> None:
    """Write the present fixation into row ``n``; a position belongs to a word with its left space."""
    word = 0
    while text[word].border <= mind.eye:
        word += 1
    left = text[word].border - text[word].length - 1.0
    record(trial, n, word, mind.eye, left, mind.time, saccade)
