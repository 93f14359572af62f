"""The metrics of this package: name, where it is computed, direction, version, one line about it."""

from __future__ import annotations

from typing import Any

from scandl_eval.metrics.metric import METRICS, Metric, OnDemand


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
