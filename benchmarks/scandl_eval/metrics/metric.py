"""What a metric is, and the registry it is found in.

Another package adds a metric with an entry point in the group ``scandl.metrics``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scandl.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scandl.pairing import Instance


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as the tables see it: a batch of instances in, one number each out.

    ``score`` returns NaN where the metric is not defined for an instance (no durations, too few
    fixations); whoever aggregates counts those and says so.
    """

    name: str
    score: Callable[[Sequence[Instance]], NDArray[np.float64]]
    higher_is_better: bool
    version: int
    about: str  # one line for tables and reports


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
        score = getattr(import_module(f"scandl_eval.metrics.{self.module}"), self.function)
        values: NDArray[np.float64] = score(instances, **self.options)
        return values


METRICS: Registry[Metric] = Registry("metric", entry_point_group="scandl.metrics")
