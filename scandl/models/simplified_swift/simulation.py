"""Simplified SWIFT: a model of eye movements in reading that is small enough to be fitted.

Every word ``n`` has an activation ``a_n`` that rises, while the eyes are on or near it, from 0 to
a ceiling that is lower for frequent words. Words half-way to their ceiling attract the eyes most,
so words that are not processed yet and words that are done are passed over. The model is
described by Engbert & Rabe (2024), "A tutorial on Bayesian inference for dynamical modeling of
eye-movement control during reading", Journal of Mathematical Psychology.

Where that description leaves a choice, this one is made:

- Reading begins on word 0 and ends with the first fixation of the last word; that fixation has a
  duration like any other. A sentence of one word is read with one fixation.
- Beyond the edges of the sentence there is nothing to process: the share of the processing rate
  that falls there is lost, not given to the other words.
- A ceiling of 0 (``beta`` = 1 and the most frequent word) means a word that is done from the
  start; its salience is the floor ``10**eta``.
- ``s_j`` in the inhibition of a fixation's timer is the salience at the onset of the fixation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from scandl.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np

SHAPE = 9
"""The shape of the gamma distribution of fixation durations: a coefficient of variation of 1/3."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The free quantities of the model, with the published defaults."""

    nu: float = 0.3  # processing rate of a neighbouring word, relative to the fixated one
    r: float = 10.0  # processing speed, activation per second
    mu: float = 200.0  # mean fixation duration on a word without activation, ms
    iota: float = 0.5  # how much the activation of the fixated word speeds the timer
    eta: float = -3.0  # log10 of the salience floor, which any word keeps
    beta: float = 0.6  # how much a word's frequency lowers its ceiling
    kappa: float = 0.0  # how much unfinished words to the left slow the timer
    gamma: float = 1.0  # how strictly the most salient word is chosen

    def __post_init__(self) -> None:
        for name, least, most in _LIMITS:
            if not least <= getattr(self, name) <= most:
                raise ConfigError(f"{name} = {getattr(self, name)}: expected {least:g} to {most:g}")

    @property
    def floor(self) -> float:
        """The salience that any word keeps."""
        return 10.0**self.eta

    @property
    def rates(self) -> tuple[tuple[int, float], ...]:
        """Processing rates by distance from the fixated word; they sum to less than 1."""
        nu, sigma = self.nu, 1.0 / (1.0 + self.nu) ** 2
        return ((-1, sigma * nu), (0, sigma), (1, sigma * nu), (2, sigma * nu**2))


_LIMITS = (
    ("nu", 0.0, 1.0),
    ("r", 0.0, math.inf),
    ("mu", 1.0, math.inf),
    ("iota", -0.99, math.inf),
    ("eta", -12.0, 0.0),
    ("beta", 0.0, 1.0),
    ("kappa", 0.0, math.inf),
    ("gamma", 0.0, math.inf),
)


def ceilings(log_frequency_share: Sequence[float], beta: float) -> list[float]:
    """Return the activation at which each word is done.

    >>> ceilings([0.0, 0.5, 1.0], beta=0.5)
    [1.0, 0.75, 0.5]
    """
    return [1.0 - beta * share for share in log_frequency_share]


def salience(activation: float, ceiling: float, floor: float) -> float:
    """Return how much a word attracts the eyes: most when it is half processed.

    >>> [round(salience(a, ceiling=0.8, floor=0.001), 3) for a in (0.0, 0.4, 0.8)]
    [0.001, 0.801, 0.001]
    """
    return ceiling * math.sin(math.pi * activation / ceiling) + floor if ceiling > 0 else floor


def simulate(
    log_frequency_share: Sequence[float],
    parameters: Parameters,
    rng: np.random.Generator,
    *,
    max_fixations: int = 1000,
) -> tuple[list[int], list[float]]:
    """Read one sentence: return the words fixated and the durations in ms.

    ``max_fixations`` only guards against parameters with which reading would hardly ever end.

    >>> import numpy as np
    >>> words, durations = simulate([0.9, 0.4, 0.0], Parameters(), np.random.default_rng(1))
    >>> words[0], words[-1], words.count(2), len(words) == len(durations)
    (0, 2, 1, True)
    """
    words, durations = [], []
    for word, duration in islice(fixations(log_frequency_share, parameters, rng), max_fixations):
        words.append(word)
        durations.append(duration)
        if word == len(log_frequency_share) - 1:
            break
    return words, durations


def fixations(
    log_frequency_share: Sequence[float], parameters: Parameters, rng: np.random.Generator, *, first: int = 0
) -> Iterator[tuple[int, float]]:
    """Yield word and duration of one fixation after the other, without end."""
    p, floor, rates = parameters, parameters.floor, parameters.rates
    ceiling = ceilings(log_frequency_share, p.beta)
    n_words = len(ceiling)
    a, s = [0.0] * n_words, [floor] * n_words
    k = first
    while True:
        duration = erlang(rng) / duration_rate(a[k], s[:k], p)
        yield k, duration
        for distance, rate in rates:
            n = k + distance
            if 0 <= n < n_words:
                a[n] = min(ceiling[n], a[n] + p.r * rate * duration / 1000.0)
                s[n] = salience(a[n], ceiling[n], floor)
        k = choose([salient**p.gamma for salient in s], rng)


def duration_rate(activation: float, left_salience: Sequence[float], parameters: Parameters) -> float:
    """Return the rate of the gamma distribution of a fixation's duration, per ms.

    >>> duration_rate(0.0, [], Parameters(mu=180.0))
    0.05
    """
    p = parameters
    rate = SHAPE / p.mu * (1.0 + p.iota * activation)
    if p.kappa:
        rate /= math.prod(1.0 + p.kappa * (s - p.floor) for s in left_salience)
    return rate


def erlang(rng: np.random.Generator) -> float:
    """Draw from the gamma distribution of rate 1.

    The shape is a whole number, so the sum of as many exponential waiting times has that
    distribution. Plain uniform numbers are the one stream that numpy has kept the same over its
    versions, and a simulated corpus has to be the same in every year.
    """
    return -math.log(math.prod(1.0 - rng.random(SHAPE)))


def choose(weights: Sequence[float], rng: np.random.Generator) -> int:
    """Draw an index with probability in proportion to its weight."""
    left = rng.random() * math.fsum(weights)
    for n, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return n
    return len(weights) - 1
