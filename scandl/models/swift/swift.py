"""SWIFT 3: reading as a continuous-time random walk of counters.

Each word has an activation that rises to a threshold and falls again; the words that are active compete to be
the next saccade target, while an autonomous timer, slowed by the fixated word, decides when the eyes move.
See docs/cognitive-models.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.extras import check_compiler, compiled
from scandl.models.cognitive.random_numbers import (
    State,
    exponential,
    gamma_cdf,
    new_state,
    truncated_gamma,
    uniform,
)
from scandl.models.cognitive.simulator import (
    N_COLUMNS,
    SACCADE,
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
from scandl.models.swift.swift_parameters import (
    DELTA0,
    DONE,
    FLIGHT,
    LABILE,
    LEXICAL,
    NONLABILE,
    POSTLEXICAL,
    READER_PARAMETERS,
    SWIFT_3,
    T_SAC,
    TIMER,
    M,
    R,
    SaccadeError,
    SwiftMind,
    SwiftParameters,
    SwiftWord,
    all_read,
    check_swift,
    choose_target,
    new_mind,
    new_words,
    see,
    set_word_rates,
    threshold,
    word_at,
)

_SHORTEST = 0.5  # the least mean length of a saccade, characters


@compiled
def landing(
    text: Sequence[Word], p: SwiftParameters, rng: State, gaze: float, word: int, target: int
) -> float:
    """Return where a saccade from ``gaze``, on ``word``, to the centre of ``target`` lands."""
    centre = text[target].centre
    room = text[-1].border - gaze
    if target > word + 1:
        return gaze + _length(rng, p.skip, gaze, centre, 1.0, room)
    if target == word + 1:
        return gaze + _length(rng, p.forward, gaze, centre, 1.0, room)
    if target < word:
        return gaze - _length(rng, p.regression, gaze, centre, -1.0, gaze)
    width = text[word].length + 1.0
    progress = (gaze - (text[word].border - width)) / width
    backward = progress * _fits(p.refixation_backward, gaze, centre, -1.0, gaze)
    forward = (1.0 - progress) * _fits(p.refixation_forward, gaze, centre, 1.0, room)
    if uniform(rng) * (backward + forward) < backward:
        return gaze - _length(rng, p.refixation_backward, gaze, centre, -1.0, gaze)
    return gaze + _length(rng, p.refixation_forward, gaze, centre, 1.0, room)


@compiled
def mean_and_shape(error: SaccadeError, gaze: float, centre: float, direction: float) -> tuple[float, float]:
    """Return mean and shape of the length of a saccade in ``direction`` (1 right, −1 left)."""
    distance = abs(centre - gaze)
    aim = centre + error.s1 - error.s2 * distance
    mean = max(_SHORTEST, direction * (aim - gaze))
    sd = error.o1 + error.o2 * distance
    return mean, (mean / sd) ** 2


@compiled
def _length(
    rng: State, error: SaccadeError, gaze: float, centre: float, direction: float, room: float
) -> float:
    mean, shape = mean_and_shape(error, gaze, centre, direction)
    return truncated_gamma(rng, shape, mean, room)


@compiled
def _fits(error: SaccadeError, gaze: float, centre: float, direction: float, room: float) -> float:
    """Return the probability that an unlimited saccade would stay within the sentence."""
    mean, shape = mean_and_shape(error, gaze, centre, direction)
    return gamma_cdf(room, shape, mean)


def simulate_swift(
    stimuli: Sequence[WordProperties],
    *,
    runs: int = 1,
    parameters: SwiftParameters = SWIFT_3,
    seed: int = 1,
) -> Simulation:
    """Simulate ``runs`` readings of each sentence by one average reader, run by run."""
    return run_swift(TrialBatch.of_runs(stimuli, runs, seed), parameters)


def run_swift(
    batch: TrialBatch, parameters: SwiftParameters = SWIFT_3, *, readers: Floats | None = None
) -> Simulation:
    """Simulate a batch of trials; ``readers`` has delta0, M, R and t_sac of each trial's reader."""
    check_compiler()
    p = check_swift(parameters)
    if readers is None:
        readers = np.tile([getattr(p, name) for name in READER_PARAMETERS], (len(batch.keys), 1))
    counts, rows = _simulate(
        new_mind(), new_words(batch), batch.starts, batch.sentence, batch.keys, readers, p
    )
    check_finished("SWIFT", counts, batch)
    return Simulation.of_rows(counts, rows)


@compiled
def _simulate(
    minds: Sequence[SwiftMind],
    words: Sequence[SwiftWord],
    starts: Ints,
    sentence: Ints,
    keys: NDArray[np.uint64],
    readers: Floats,
    p: SwiftParameters,
) -> tuple[Ints, Floats]:
    counts = np.empty(len(keys), np.int64)
    rows = np.empty((12 * len(keys) + 12, N_COLUMNS))
    trial = np.empty((fixation_limit(len(words)), N_COLUMNS))
    used = 0
    for i in range(len(keys)):
        text = words[starts[sentence[i]] : starts[sentence[i] + 1]]
        counts[i] = _read(minds[0], text, p, readers[i], new_state(keys[i]), trial)
        rows = appended(rows, used, trial, max(counts[i], 0))
        used += max(counts[i], 0)
    return counts, rows[:used]


@compiled
def _read(
    mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters, reader: Floats, rng: State, trial: Floats
) -> int:
    """Read one sentence; return the number of fixations, or −1 when it would not end."""
    n = 0
    fixated_at = now = 0.0
    _begin(mind, text, p, reader)
    while True:
        if p.delta1 != 0.0 and not mind.running[FLIGHT]:
            see(mind, text, p, reader[DELTA0])
        if mind.stale or p.p != 0.0:
            set_word_rates(mind, text, p)
        _set_stage_rates(mind, text, p, reader[T_SAC])
        now += _step(mind, text, rng)
        if mind.steps[TIMER] >= p.order_timer:
            _restart(mind)
        _select(mind, text, p, rng)
        if mind.running[NONLABILE] and mind.steps[NONLABILE] >= p.order_nonlabile:
            _launch(mind)
            left = text[mind.word].border - text[mind.word].length - 1.0
            record(trial, n, mind.word, mind.gaze, left, now - fixated_at, 0.0)
            n += 1
            fixated_at = now  # until landing: the start of the saccade
            if n >= 2 and all_read(text):
                return n
            if n == len(trial):
                return -1
        if mind.running[FLIGHT] and mind.steps[FLIGHT] >= p.order_saccade:
            trial[n - 1, SACCADE] = now - fixated_at
            fixated_at = now
            _land(mind, text, p, reader, rng)


@compiled
def _begin(mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters, reader: Floats) -> None:
    """Put the gaze on the first word, with nothing read and a full timer, which starts a saccade."""
    for j in range(len(text)):
        text[j].activation = 0.0
        text[j].phase = LEXICAL
        text[j].threshold = threshold(p, text[j].log_frequency)
    for stage in range(4):
        mind.running[stage] = 1 if stage <= LABILE else 0
        mind.steps[stage] = 0.0
    mind.word = mind.target = 0
    mind.gaze = text[0].centre
    mind.speed = 1.0
    see(mind, text, p, reader[DELTA0])


@compiled
def _step(mind: SwiftMind, text: Sequence[SwiftWord], rng: State) -> float:
    """Let one counter move, drawn in proportion to its rate; return the time that passes."""
    total = mind.words_rate
    for k in range(4):
        total += mind.rate[k]
    passed = exponential(rng) / total
    left = uniform(rng) * total
    for k in range(4):
        if left < mind.rate[k]:
            mind.steps[k] += 1.0
            return passed
        left -= mind.rate[k]
    j = 0
    while left >= text[j].rate and j < len(text) - 1:
        left -= text[j].rate
        j += 1
    if text[j].phase == LEXICAL:
        text[j].activation += 1.0
        if text[j].activation >= text[j].threshold:
            text[j].phase = POSTLEXICAL
            mind.stale = True
    elif text[j].phase == POSTLEXICAL:
        text[j].activation -= 1.0
        if text[j].activation <= 0.0:
            text[j].phase = DONE
            mind.stale = True
    return passed


@compiled
def _set_stage_rates(mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters, t_sac: float) -> None:
    inhibition = p.h * text[mind.word].activation
    if p.h1 != 0.0:
        for j in range(mind.word + 1, len(text)):
            inhibition += p.h1 * text[j].activation
    mind.rate[TIMER] = p.order_timer / (100.0 * t_sac) / (1.0 + inhibition / p.order_word)
    mind.rate[LABILE] = mind.rate[NONLABILE] = mind.rate[FLIGHT] = 0.0
    if mind.running[LABILE] and mind.steps[LABILE] < p.order_labile:  # full, it waits
        mind.rate[LABILE] = mind.speed * p.order_labile / (100.0 * p.tau_l)
    if mind.running[NONLABILE]:
        d = text[mind.target].centre - mind.gaze
        slowing = 1.0 + p.kappa0 * math.exp(-p.kappa1 * d * d) if p.kappa0 != 0.0 else 1.0
        mind.rate[NONLABILE] = p.order_nonlabile / (100.0 * p.tau_n) / slowing
    if mind.running[FLIGHT]:
        mind.rate[FLIGHT] = p.order_saccade / (100.0 * p.tau_x)


@compiled
def _restart(mind: SwiftMind) -> None:
    """Start a labile saccade programme; one that runs already is cancelled."""
    mind.steps[TIMER] = mind.steps[LABILE] = 0.0
    mind.running[LABILE] = 1


@compiled
def _select(mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters, rng: State) -> None:
    """Turn a full labile programme into a non-labile one, unless a saccade is still on its way."""
    full = mind.running[LABILE] and mind.steps[LABILE] >= p.order_labile
    if full and not mind.running[NONLABILE] and not mind.running[FLIGHT]:
        mind.target = choose_target(text, p, rng)
        mind.running[LABILE], mind.running[NONLABILE] = 0, 1
        mind.steps[NONLABILE] = 0.0


@compiled
def _launch(mind: SwiftMind) -> None:
    """Let the saccade start."""
    mind.running[NONLABILE], mind.running[FLIGHT] = 0, 1
    mind.steps[FLIGHT] = 0.0
    mind.stale = True


@compiled
def _land(mind: SwiftMind, text: Sequence[SwiftWord], p: SwiftParameters, reader: Floats, rng: State) -> None:
    """End the saccade; a mislocated fixation or a refixation starts a new programme at once."""
    mind.running[FLIGHT] = 0
    before = mind.word
    mind.gaze = landing(text, p, rng, mind.gaze, before, mind.target)
    mind.word = word_at(text, mind.gaze)
    mislocated, refixated = mind.word != mind.target, mind.word == before
    mind.speed = reader[M] if mislocated else reader[R] if refixated else 1.0
    if mislocated or refixated:
        _restart(mind)
    see(mind, text, p, reader[DELTA0])
