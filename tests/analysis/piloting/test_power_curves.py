"""Curves of power: which experiments are made, and what is left untold."""

from __future__ import annotations

from scandl_analysis.piloting.power import OWN, STATED


def test_every_design_of_every_effect_has_its_point(piloted):
    own = {(p.source, p.measure, p.design.readers) for p in piloted.power if p.effect_of == OWN}
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
