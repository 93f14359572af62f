"""Metrics between one human and one generated scanpath, by name."""

from __future__ import annotations

from scandl_eval.metrics import catalogue as _catalogue  # fills METRICS  # noqa: F401
from scandl_eval.metrics.metric import METRICS, Metric

__all__ = ["METRICS", "Metric"]
