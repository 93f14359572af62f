"""How far a model's profile of effects is from that of people, without reward or penalty for precision.

The squared difference of two estimates is larger than that of the effects by the variance of the estimates.
A model with few words would look further away than it is, so that variance is subtracted. Measures have
different units; each is divided by the squared size of people's own effects on it. So 0 is a model with the
effects of people, and 1 is a reader without any effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scandl.statistics.bootstrap import Floats

Cell = tuple[str, str]
"""(measure, predictor)"""
Draws = Mapping[Cell, Floats]
KNOWN = 10.0
"""How many times its variance the squared size of people's effects on a measure has to be for the measure
to count."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, draws: Floats, value: float) -> Interval:
        """Return the interval of draws around an estimate."""
        low, high = np.quantile(draws, [0.025, 0.975])
        return cls(value, float(low), float(high))


@dataclass(frozen=True)
class Scale:
    """What squared differences are divided by: of each measure the squared size of people's effects."""

    sizes: dict[str, float]  # by measure
    left_out: tuple[str, ...]  # measures on which people's effects are not known well enough

    @classmethod
    def of(cls, human: Draws) -> Scale:
        """Return the scale that people's effects make."""
        sizes, left_out = {}, []
        for measure in dict.fromkeys(measure for measure, _ in human):
            of_measure = [draws for (name, _), draws in human.items() if name == measure]
            variance = sum(float(draws.var(ddof=1)) for draws in of_measure)
            size = sum(float(draws.mean()) ** 2 for draws in of_measure) - variance
            if size > KNOWN * variance:
                sizes[measure] = size
            else:
                left_out.append(measure)
        return cls(sizes, tuple(left_out))

    def cells(self, human: Draws, model: Draws) -> list[Cell]:
        """Return the effects that count and that both have."""
        return [cell for cell in human if cell[0] in self.sizes and cell in model]


def squared(human: Draws, model: Draws, scale: Scale) -> tuple[Floats, float]:
    """Return draws of the squared difference of two profiles, shifted to be unbiased, and the estimate.

    A draw of d² has the mean d̂² + v, where v is the variance of the estimate d̂, and d̂² itself overstates the
    truth by v. So draws are lowered by 2v, and the estimate is d̂² − v.
    """
    measures = dict.fromkeys(measure for measure, _ in scale.cells(human, model))
    draws: Floats = np.zeros(1)
    value = 0.0
    for cell in scale.cells(human, model):
        weight = 1 / (scale.sizes[cell[0]] * len(measures))
        n = min(len(human[cell]), len(model[cell]))
        difference = model[cell][:n] - human[cell][:n]
        variance = float(difference.var(ddof=1))
        draws = draws + weight * (difference**2 - 2 * variance)
        value += weight * (float(difference.mean()) ** 2 - variance)
    return draws, value


def distance(human: Draws, model: Draws, scale: Scale) -> Interval | None:
    """Return the distance of a profile from that of people; None where no effect can be compared.

    >>> rng = np.random.default_rng(1)
    >>> people = {("sr", name): rng.normal(size, 0.1, 4000) for name, size in (("x", 3.0), ("z", -1.0))}
    >>> half = {cell: rng.normal(draws.mean() / 2, 0.1, 4000) for cell, draws in people.items()}
    >>> nothing = {cell: np.zeros(4000) for cell in people}
    >>> scale = Scale.of(people)
    >>> [round(distance(people, each, scale).value, 2) for each in (half, nothing)]
    [0.25, 1.0]
    """
    if not scale.cells(human, model):
        return None
    return Interval.of(*squared(human, model, scale))


def further(human: Draws, one: Draws, other: Draws, scale: Scale) -> Interval | None:
    """Return how much further ``one`` is from people than ``other``, with the same draws of people.

    Only effects that both have count; None where there are none.
    """
    shared = {cell: human[cell] for cell in human if cell in one and cell in other}
    if not scale.cells(shared, one):
        return None
    (a, value_a), (b, value_b) = (squared(shared, each, scale) for each in (one, other))
    n = min(len(a), len(b))
    return Interval.of(a[:n] - b[:n], value_a - value_b)
