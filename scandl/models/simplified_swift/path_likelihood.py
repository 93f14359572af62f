"""How probable a scanpath is under simplified SWIFT.

The likelihood of a path is a product over its fixations: the density of the duration, given what
happened before, times the probability of the next word, given the duration as well. The first
word and the end of the path are taken as given: the model itself leaves no choice about them.

With words and durations known, activations need no simulation. They only rise, so the ceiling
may be applied once at the end: ``a_n = min(ceiling_n, r sigma (t_0 + nu t_1 + nu**2 t_2))``, where
``t_d`` is the time the eyes have spent on the word, next to it, and two words to its left. These
times hold no parameter; they are computed once and every likelihood is a closed expression in
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scandl.models.simplified_swift.simulation import SHAPE, Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.intp]

LOG_FACTORIAL = float(np.log(np.arange(1, SHAPE)).sum())
"""log Gamma(SHAPE)"""

Reading = tuple[Sequence[int], Sequence[float], Sequence[float]]
"""Words fixated, durations in ms, and the log-frequency share of each word of the sentence."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a set of readings holds that does not depend on parameters.

    A pair is a word at a saccade (a transition from one fixation to the next). Only words that
    were near a fixation before, and the saccade's target, have pairs; the others have the floor
    as salience and are counted.
    """

    times: Floats  # (3, pairs) seconds on the word, next to it, two words to its left
    share: Floats  # (pairs,) log-frequency share
    left: Floats  # (pairs,) 1 where the word is left of the saccade's target
    first: Integers  # (saccades,) first pair of each saccade
    target: Integers  # (saccades,) pair of the word that was fixated next
    untouched: Floats  # (saccades,) number of words without a pair
    next_duration: Floats  # (saccades,) ms, of the fixation that follows
    first_duration: Floats  # (readings,) ms, of the first fixation
    reading: Integers  # (saccades,) which reading


def exposure(readings: Iterable[Reading]) -> Exposure:
    """Collect the exposure times of all readings; those without a fixation are not allowed."""
    parts: list[tuple[Floats, ...]] = []
    sizes: list[Integers] = []
    reading: list[int] = []
    first_duration: list[float] = []
    for index, (words, durations, share) in enumerate(readings):
        pairs, size = _pairs(np.asarray(words), np.asarray(durations, dtype=float), np.asarray(share))
        parts.append(pairs)
        sizes.append(size)
        reading += [index] * size.size
        first_duration.append(durations[0])
    times, shares, left, is_target, untouched, next_duration = (
        np.concatenate(column, axis=-1) for column in zip(*parts, strict=True)
    )
    size = np.concatenate(sizes)
    return Exposure(
        times=times,
        share=shares,
        left=left,
        first=np.cumsum(size) - size,
        target=np.flatnonzero(is_target),
        untouched=untouched,
        next_duration=next_duration,
        first_duration=np.array(first_duration),
        reading=np.array(reading, dtype=np.intp),
    )


def _pairs(words: Integers, durations: Floats, share: Floats) -> tuple[tuple[Floats, ...], Integers]:
    """Return the columns of one reading, and the number of pairs of each of its saccades."""
    position = np.arange(share.size)
    distance = position - words[:-1, None]  # (saccades, words)
    seconds = durations[:-1, None] / 1000.0
    near = (distance == 0, np.abs(distance) == 1, distance == 2)
    times = np.stack([np.cumsum(seconds * here, axis=0) for here in near])  # (3, saccades, words)
    is_target = position == words[1:, None]
    kept = times.any(axis=0) | is_target
    left = position < words[1:, None]
    shares = np.broadcast_to(share, kept.shape)
    size = kept.sum(axis=1)
    columns = (times[:, kept], shares[kept], left[kept].astype(float), is_target[kept])
    return (*columns, (share.size - size).astype(float), durations[1:]), size


def activations(data: Exposure, parameters: Parameters) -> tuple[Floats, Floats]:
    """Return activation and salience of every pair, after the fixation and before the saccade."""
    p = parameters
    sigma = 1.0 / (1.0 + p.nu) ** 2
    ceiling = 1.0 - p.beta * data.share
    on, beside, ahead = data.times
    a = np.minimum(ceiling, p.r * sigma * (on + p.nu * beside + p.nu**2 * ahead))
    phase = np.divide(a, ceiling, out=np.ones_like(a), where=ceiling > 0)
    return a, ceiling * np.sin(np.pi * phase) + p.floor


def location_log_probs(data: Exposure, parameters: Parameters) -> Floats:
    """Return the log-probability of each saccade's target."""
    _, s = activations(data, parameters)
    return _location(data, s, parameters)


def duration_log_densities(data: Exposure, parameters: Parameters) -> tuple[Floats, Floats]:
    """Return the log-density of the first fixation of each reading, and of each later fixation."""
    return _durations(data, *activations(data, parameters), parameters)


def log_likelihoods(data: Exposure, parameters: Parameters) -> Floats:
    """Return the log-likelihood of each reading."""
    a, s = activations(data, parameters)
    first, later = _durations(data, a, s, parameters)
    later = later + _location(data, s, parameters)
    return first + np.bincount(data.reading, weights=later, minlength=first.size)


def log_likelihood(
    words: Sequence[int],
    durations: Sequence[float],
    log_frequency_share: Sequence[float],
    parameters: Parameters,
) -> float:
    """Return the log-likelihood of one reading, given its first word and its end.

    >>> round(log_likelihood([0], [200.0], [0.5], Parameters(mu=200.0)), 4)  # Gamma(9) at its mean
    -5.1279
    """
    return float(log_likelihoods(exposure([(words, durations, log_frequency_share)]), parameters)[0])


def _location(data: Exposure, s: Floats, p: Parameters) -> Floats:
    weights = s if p.gamma == 1.0 else s**p.gamma
    if not data.first.size:
        return np.zeros(0)
    total = np.add.reduceat(weights, data.first) + data.untouched * p.floor**p.gamma
    chosen: Floats = np.log(weights[data.target]) - np.log(total)
    return chosen


def _durations(data: Exposure, a: Floats, s: Floats, p: Parameters) -> tuple[Floats, Floats]:
    rate = SHAPE / p.mu * (1.0 + p.iota * a[data.target])
    if p.kappa and data.first.size:
        rate = rate / np.exp(np.add.reduceat(data.left * np.log1p(p.kappa * (s - p.floor)), data.first))
    first = np.full(data.first_duration.size, SHAPE / p.mu)
    return _log_gamma_density(data.first_duration, first), _log_gamma_density(data.next_duration, rate)


def _log_gamma_density(duration: Floats, rate: Floats) -> Floats:
    return SHAPE * np.log(rate) + (SHAPE - 1) * np.log(duration) - rate * duration - LOG_FACTORIAL
