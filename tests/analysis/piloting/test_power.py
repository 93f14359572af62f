"""Power, type S and type M from experiments whose results are written down."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.statistics.clustered import share_interval
from scandl_analysis.piloting.experiments import Components
from scandl_analysis.piloting.power import (
    OWN,
    STATED,
    PowerPoint,
    curves,
    found_in,
    read_effects,
    smallest,
)


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
    covered = np.mean(
        [low <= 0.8 <= high for low, high in (share_interval(int(k) / 200, 200) for k in counts)]
    )
    assert 0.93 < covered < 0.97
    assert share_interval(0, 10)[0] == 0.0
    assert share_interval(1, 10)[1] == pytest.approx(1.0)


def point(readers, items, power):
    return PowerPoint(
        "m",
        "critical",
        "TFT",
        "b − a",
        OWN,
        0.1,
        readers,
        items,
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
    assert smallest(points).size == (40 * 24, 40)  # as many readings as 48 × 20, fewer readers
    assert smallest([point(24, 40, 0.79)]) is None


def test_curves_hold_the_designs_of_one_effect():
    assert [len(c) for c in curves([point(24, 40, 0.5), point(48, 40, 0.8)]).values()] == [2]


def test_every_design_of_every_effect_has_its_point(piloted):
    own = {(p.source, p.measure, p.readers) for p in piloted.power if p.effect_of == OWN}
    assert own == {(s, m, r) for s in ("ezreader", "swift") for m in ("sr", "TFT") for r in (8, 12)}
    stated = [p for p in piloted.power if p.effect_of == STATED]
    assert {p.measure for p in stated} == {"TFT"}
    assert {p.method for p in stated} == {"parametric"}
    assert all(p.n == 20 for p in piloted.power)


def test_signs_and_sizes_are_told_of_clear_effects_only(piloted):
    clear = {(e.source, e.region, e.measure) for e in piloted.effects if e.clear}
    for p in piloted.power:
        if p.effect_of == OWN and (p.source, p.region, p.measure) not in clear:
            assert p.type_s is None
        elif p.power > 0:
            assert p.type_m is not None


def test_ms_become_a_difference_of_logs():
    (effect,) = read_effects(["TFT=25ms"])
    b = effect.on_scale(Components((5.5, 0.0), (), (), 0.4, ()))
    assert np.exp(5.5 + b / 2) - np.exp(5.5 - b / 2) == pytest.approx(25)
    assert read_effects(["TFT=0.1"])[0].on_scale(Components((5.5, 0.0), (), (), 0.4, ())) == 0.1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("TFT", "expected a measure and its effect, such as TFT=25ms or sr=0.3"),
        ("TFT=fast", "expected a measure and its effect"),
        ("TTF=25ms", "no reading measure 'TTF'; did you mean 'TFT'"),
        ("sr=5ms", "sr is no time; its effect is a number of log odds"),
        ("TFT=25", "on the log scale that is a factor of 7.2e+10; write 25ms"),
    ],
)
def test_what_is_no_effect_is_said(text, said):
    with pytest.raises(ScandlError) as error:
        read_effects([text])
    assert said in str(error.value)
