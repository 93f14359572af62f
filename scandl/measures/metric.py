"""A metric: what it is called, how it is made, what is good in it, what it means; metrics by name.

Another package adds a metric of pairs of paths with an entry point in the group ``scandl.metrics``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from scandl.errors import ScandlError, did_you_mean
from scandl.extras import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scandl.pairing import Instance

Number = TypeVar("Number", float, "NDArray[np.float64]")

LOWER, HIGHER = float("-inf"), float("inf")
"""Ideals of metrics in which less, or more, is always better."""
READERS = "readers against each other, never against themselves"
HALVES = "one random half of the readers against the other"
BY_DEFINITION = "1 by definition"
NOBODY = "nobody"
"""How people are measured by a metric."""
DURATIONS, TEXT, LIKELIHOOD = "durations", "text", "log_prob"
"""What predictions must bring along."""


@dataclass(frozen=True, slots=True)
class Metric:
    """What can be measured of a model's scanpaths beside people's.

    ``score`` returns one number for each instance, NaN where the metric is not defined for it (no
    durations, too few fixations); whoever aggregates counts those and says so. A metric without ``score``
    is made of all paths of a sentence or of a model together.
    """

    name: str
    about: str  # one line for tables
    score: Callable[[Sequence[Instance]], NDArray[np.float64]] | None = None
    ideal: float = LOWER  # LOWER, HIGHER, or the value that is best
    version: int = 1
    short: str = ""  # the heading of its column
    unit: str = ""
    definition: str = ""  # for reports; without one it is made of ``about``
    needs: tuple[str, ...] = ()
    human: str = READERS
    kernel: str = ""  # the distance that an energy distance or a diversity is made of
    asked_as: str = ""  # of what compares all paths of a model at once: what ``--metrics`` calls it
    usual: bool = False  # whether every run has it

    @property
    def heading(self) -> str:
        """What its column is called."""
        return self.short or self.name

    @property
    def level(self) -> str:
        """What it is a number of: a pair of paths, or distributions of paths."""
        return "distribution" if self.score is None else "pair"

    @property
    def better(self) -> str:
        """What is good in it, in words.

        >>> Metric("nld", "edit distance").better, Metric("diversity", "ratio of spreads", ideal=1.0).better
        ('Lower is better', 'The nearer to 1 the better')
        """
        words = {LOWER: "Lower is better", HIGHER: "Higher is better"}
        return words.get(self.ideal, f"The nearer to {self.ideal:g} the better")

    @property
    def meaning(self) -> str:
        """The definition; of a metric that brings none, one line and what is good in it.

        >>> Metric("length-error", "difference in fixations").meaning
        'Difference in fixations. Lower is better.'
        """
        return self.definition or f"{self.about[:1].upper()}{self.about[1:]}. {self.better}."

    def loss(self, value: Number) -> Number:
        """Return how bad a value is, so that every metric is ranked from the smallest up.

        >>> [Metric("a", "", ideal=ideal).loss(0.75) for ideal in (LOWER, HIGHER, 1.0)]
        [0.75, -0.75, 0.25]
        """
        if self.ideal == LOWER:
            return value
        return -value if self.ideal == HIGHER else abs(value - self.ideal)

    def straddled(self, a: float, b: float) -> bool:
        """Say whether the best value lies between two.

        >>> Metric("diversity", "", ideal=1.0).straddled(0.8, 1.3), Metric("nld", "").straddled(0.8, 1.3)
        (True, False)
        """
        return min(a, b) < self.ideal < max(a, b)


@dataclass(frozen=True, slots=True)
class OnDemand:
    """A scoring function that is imported when first called, so that names cost nothing.

    >>> OnDemand("nld", {"kernel": "levenshtein"})([])
    array([], dtype=float64)
    """

    module: str  # of this package
    options: Mapping[str, Any] = field(default_factory=dict)
    function: str = "score"

    def __call__(self, instances: Sequence[Instance]) -> NDArray[np.float64]:
        """Score the instances."""
        score = getattr(import_module(f"scandl.measures.pair.{self.module}"), self.function)
        values: NDArray[np.float64] = score(instances, **self.options)
        return values


METRICS: Registry[Metric] = Registry("metric", entry_point_group="scandl.metrics")
"""Filled by ``scandl.measures.catalogue``, from where it is imported, and by other packages."""


def pair_metrics() -> list[Metric]:
    """Return the metrics of pairs of paths, by name."""
    return [metric for metric in METRICS.values() if metric.level == "pair"]


def usual_metrics() -> list[Metric]:
    """Return the metrics that every run has, in the order of the catalogue."""
    return [metric for metric in METRICS.filed() if metric.usual]


def score_by_default() -> list[str]:
    """Return what is scored by where nothing is named: all but the details of times and densities."""
    pairs = [metric.name for metric in pair_metrics()]
    more = [m.name for m in METRICS.filed() if m.level == "distribution" and (m.usual or m.asked_as)]
    return [*pairs, *more]


def asked_for(name: str) -> list[str]:
    """Return the metrics that a name of ``--metrics`` stands for.

    >>> from scandl.measures.catalogue import METRICS  # which files them
    >>> asked_for("log-likelihood"), asked_for("nld")
    (['bits-per-fixation', 'information-gain'], ['nld'])
    """
    together = [metric.name for metric in METRICS.filed() if metric.asked_as == name]
    if not together and name not in METRICS:
        known = {*METRICS, *(metric.asked_as for metric in METRICS.filed() if metric.asked_as)}
        raise ScandlError(f"no metric {name!r}{did_you_mean(name, known)}")
    return together or [name]
