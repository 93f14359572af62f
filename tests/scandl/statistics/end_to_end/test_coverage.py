"""Intervals hold the truth in ragged designs: the study of ``benchmarks/intervals``, at its smallest size."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[4] / "benchmarks" / "intervals"


@pytest.mark.slow
def test_intervals_of_few_ragged_readings_hold_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds are three standard errors of a share of 300 about .95, and about .05."""
    monkeypatch.syspath_prepend(SCRIPTS)
    import interval_coverage as study

    family = study.FAMILIES["reported"]
    true, _ = study.truth(np.random.default_rng([1, 0]), family)
    held, rejected = study.Study(family, true, seed=3).coverage((6, 10), 300, ragged=True)
    assert held.min() >= 0.91, dict(zip(study.QUANTITIES, held, strict=True))
    assert rejected.max() <= 0.09
    sys.modules.pop("interval_coverage")
