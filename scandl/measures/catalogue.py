"""The metrics between two paths by name: where each is computed, its direction, version, one line about it.

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
        score = getattr(import_module(f"scandl.measures.pair.{self.module}"), self.function)
        values: NDArray[np.float64] = score(instances, **self.options)
        return values


METRICS: Registry[Metric] = Registry("metric", entry_point_group="scandl.metrics")


def _add(
    name: str, module: str, about: str, *, higher: bool = False, function: str = "score", **options: Any
) -> None:
    METRICS.register(name)(Metric(name, OnDemand(module, options, function), higher, 1, about))


_add("nld", "nld", "edit distance / longer path, word positions only")
_add("nld-scandl", "nld", "NLD with CLS and SEP counted as fixations, as published", function="score_scandl")
_add("levenshtein", "nld", "edit distance in fixations", kernel="levenshtein")
_add("yujian-bo", "nld", "edit distance normalised to a metric (Yujian & Bo, 2007)", kernel="yujian-bo")
_add("nld-time", "nld", "NLD of words repeated once per 50 ms of fixation", function="score_timed")
_add("weighted-edit", "weighted_edit", "edit distance, substitution min(1, |i−j|/3)")
_add("weighted-nld", "weighted_edit", "weighted-edit / longer path", normalised=True)
_add("scasim", "scasim", "place and time to turn one path into the other, ms, 1° per word")
_add("scasim-per-fixation", "scasim", "scasim / fixations of both paths, ms", normalise="fixations")
_add("scasim-per-duration", "scasim", "scasim / total duration of both paths", normalise="duration")
_add("scanmatch", "scanmatch", "best alignment score, threshold 2 words", higher=True)
_add("scanmatch-50ms", "scanmatch", "ScanMatch in bins of 50 ms", higher=True, bin_ms=50.0)
for _name in ("shape", "direction", "length", "position", "duration"):
    _add(
        f"multimatch-{_name}",
        "multimatch",
        f"{_name} of aligned saccades, near 1 at chance",
        higher=True,
        dimension=_name,
    )
    _add(
        f"multimatch-{_name}-above-chance",
        "multimatch",
        f"multimatch-{_name} with 0 = other sentences",
        higher=True,
        dimension=_name,
        above_chance=True,
    )
