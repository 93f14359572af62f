"""Power, type S and type M from experiments whose results are written down."""

from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.piloting.experiments import Design
from scandl_analysis.piloting.power import OWN, PowerPoint, curves, found_in, smallest, wilson


def results(effects, p):
    return np.column_stack([effects, np.ones(len(p)), np.full(len(p), 30.0), p])


def test_shares_of_significant_experiments():
    found = found_in(results([0.3, 0.5, -0.4, 0.1, np.nan], [0.01, 0.04, 0.02, 0.5, 1.0]), 0.2)
    assert found.power == 0.6
    assert found.type_s == pytest.approx(1 / 3)
    assert found.type_m == pytest.approx(0.4 / 0.2)
    assert found.n_failed == 1


def test_without_an_effect_no_sign_is_wrong():
    found = found_in(results([0.3], [0.01]), 0.0)
    assert (found.type_s, found.type_m) == (None, None)


def test_intervals_cover():
    """Of many simulated shares about 95 % have the true one in their interval."""
    rng = np.random.default_rng(1)
    counts = rng.binomial(200, 0.8, size=2000)
    covered = np.mean([low <= 0.8 <= high for low, high in (wilson(int(k), 200) for k in counts)])
    assert 0.93 < covered < 0.97
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def point(readers, items, power):
    return PowerPoint(
        "m",
        "critical",
        "TFT",
        "b − a",
        OWN,
        0.1,
        Design(readers, items),
        "resampled",
        100,
        power,
        (0, 1),
        0,
        1,
        0,
    )


def test_the_smallest_design_has_the_fewest_readings():
    points = [
        point(24, 40, 0.7),
        point(48, 20, 0.82),
        point(24, 42, 0.9),
        point(40, 24, 0.8),
        point(64, 40, 0.99),
    ]
    assert smallest(points).design == Design(40, 24)  # as many readings as 48 × 20, fewer readers
    assert smallest([point(24, 40, 0.79)]) is None


def test_curves_hold_the_designs_of_one_effect():
    assert [len(c) for c in curves([point(24, 40, 0.5), point(48, 40, 0.8)]).values()] == [2]
