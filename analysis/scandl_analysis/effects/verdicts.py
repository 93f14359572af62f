"""Equivalent, different or undecided: a model's effect beside that of people, against a margin.

The margin says how large a difference would matter: a share of the effect of people (half of it unless chosen
otherwise), or an amount in the unit of the measure. A verdict is given where its posterior probability is at
least 95 %. At the edge of the margin either verdict is then wrong at most one time in twenty.

The distance of a model's profile of effects from that of people neither rewards nor penalises precision.
The squared difference of two estimates is larger than that of the effects by the variance of the estimates.
A model with few words would look further away than it is, so that variance is subtracted. Measures have
different units; each is divided by the squared size of people's own effects on it. So 0 is a model with the
effects of people, and 1 is a reader without any effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from scandl.errors import ConfigError
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.spec import known_measure

SURE = 0.95
"""Posterior probability from which on a verdict is given."""
EQUIVALENT, WEAK, STRONG, WRONG, UNDECIDED = "equivalent", "too weak", "too strong", "wrong sign", "undecided"
VERDICTS = (EQUIVALENT, WEAK, STRONG, WRONG, UNDECIDED)
UNITS = ("pp", "ms", "fixations")


@dataclass(frozen=True)
class Margins:
    """How large a difference matters: a share of the effect of people, or an amount by measure.

    >>> print(Margins.read(["0.3", "FPRT=5ms", "sr=2pp"]))
    30 % of the readers' effect; FPRT 5 ms; sr 2 percentage points
    """

    share: float = 0.5
    amounts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def read(cls, texts: Sequence[str]) -> Margins:
        """Return the margins that were typed: ``0.5``, ``FPRT=5ms``, ``sr=2pp``, ``tfc=0.1``."""
        share, amounts = cls.share, {}
        for text in texts:
            name, given, amount = text.partition("=")
            number = (amount if given else name).strip()
            for unit in UNITS:
                number = number.removesuffix(unit).strip()
            try:
                value = float(number)
            except ValueError:
                value = -1.0
            if not value > 0:
                raise ConfigError(f"margin {text!r}: give a share such as 0.5, or an amount such as FPRT=5ms")
            if given:
                amounts[known_measure(name.strip())] = value
            else:
                share = value
        return cls(share, amounts)

    def around(self, measure: str, human: Floats) -> Floats:
        """Return for each draw how far a model's effect may be from that of people."""
        if measure in self.amounts:
            return np.full_like(human, self.amounts[measure])
        return np.asarray(self.share * np.abs(human))

    def __str__(self) -> str:
        units = {
            "sr": "percentage points",
            "fpr": "percentage points",
            "ffc": "fixations",
            "tfc": "fixations",
        }
        amounts = [f"{name} {value:g} {units.get(name, 'ms')}" for name, value in self.amounts.items()]
        return "; ".join([f"{100 * self.share:g} % of the readers' effect", *amounts])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of one effect of a model, and the posterior probabilities it rests on."""

    verdict: str
    p_equivalent: float
    p_too_weak: float  # by more than the margin, wrong signs included
    p_too_strong: float
    p_wrong_sign: float

    @property
    def p_wrong(self) -> float:
        """The posterior probability that the verdict is wrong; 0 where none is given."""
        right = {
            EQUIVALENT: self.p_equivalent,
            WEAK: self.p_too_weak,
            STRONG: self.p_too_strong,
            WRONG: self.p_wrong_sign,
        }
        return 1 - right.get(self.verdict, 1.0)


def judged(human: Floats, model: Floats, margins: Margins, measure: str) -> Verdict:
    """Return the verdict on an effect from draws of the effect of people and of the model.

    >>> people = np.array([-1.0, -1.1, -0.9])
    >>> models = {"near": people + 0.1, "none": 0 * people, "double": 2 * people, "mirror": -people}
    >>> {name: judged(people, model, Margins(), "sr").verdict for name, model in models.items()}
    {'near': 'equivalent', 'none': 'too weak', 'double': 'too strong', 'mirror': 'wrong sign'}
    """
    sign = 1.0 if human.mean() > 0 else -1.0
    beyond, margin = sign * (model - human), margins.around(measure, human)
    equivalent = float((np.abs(beyond) <= margin).mean())
    weak, strong = float((beyond < -margin).mean()), float((beyond > margin).mean())
    wrong = float(((beyond < -margin) & (sign * model < 0)).mean())
    sure = ((wrong, WRONG), (weak, WEAK), (strong, STRONG), (equivalent, EQUIVALENT))
    verdict = next((name for p, name in sure if p >= SURE), UNDECIDED)
    return Verdict(verdict, equivalent, weak, strong, wrong)


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
