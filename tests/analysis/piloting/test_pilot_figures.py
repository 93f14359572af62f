"""Figures of a pilot: their data are what was found."""

from __future__ import annotations

from scandl_analysis.piloting.pilot_figures import (
    HeldAgainst,
    effect_figures,
    known_effects,
    power_figures,
    recovery_blocks,
    summary,
)
from scandl_reports.document import Note, Table


def test_times_are_drawn_in_ms_and_shares_on_their_scale(piloted):
    times, shares = effect_figures(piloted)
    assert times.title == "Expected effects on reading times, ms"
    found = {(e.source, e.measure): e for e in piloted.effects if e.region == "critical"}
    for name, measure, _, value, interval in times.data.rows:
        assert (value, interval) == (found[name, measure].ms, found[name, measure].ms_ci95)
    for name, measure, _, value, _ in shares.data.rows:
        assert value == found[name, measure].effect


def test_power_has_a_panel_for_each_measure_and_a_curve_for_each_effect(piloted):
    stated, own = power_figures(piloted)
    assert stated.title == "Power for the effects you state"
    assert {tuple(row[:1]) for row in stated.data.rows} == {("ezreader",), ("swift",)}
    assert {(name, quantity) for name, quantity, *_ in own.data.rows} == {
        ("ezreader", "power: sr"),
        ("swift", "power: sr"),
        ("ezreader", "power: TFT"),
        ("swift", "power: TFT"),
    }
    assert len(stated.data.rows) + len(own.data.rows) == len(piloted.power)


def effect(measure, human, expected):
    return HeldAgainst("c", "m", "critical", measure, "b − a", human, expected)


def test_effects_are_counted():
    effects = [
        effect("FFD", (0.2, 0.1, 0.3), (0.1, 0.05, 0.2)),  # both sure, one sign
        effect("TFT", (0.2, 0.1, 0.3), (-0.1, -0.2, -0.05)),  # both sure, other signs
        effect("sr", (0.2, -0.1, 0.5), (0.1, 0.05, 0.2)),  # the model alone
        effect("tfc", (0.2, 0.1, 0.3), (0.1, -0.05, 0.2)),  # people alone
    ]
    assert summary(effects, "m") == (
        "c: m showed 1 of 3 clear human effects; of 3 effects it was sure of, people showed 1"
    )


def test_models_of_the_package_have_been_tried():
    known = known_effects()
    assert {e.model for e in known} == {"people", "ezreader", "swift"}
    assert {e.corpus for e in known} == {"mertzen"}
    people = {(e.region, e.measure, e.contrast): e.human for e in known}
    for e in known:  # one truth for all models
        assert people[e.region, e.measure, e.contrast] == e.human
        assert e.expected[1] <= e.expected[0] <= e.expected[2]


def test_a_model_nobody_has_tried_is_named():
    blocks = recovery_blocks(["ezreader", "mine.npz"])
    assert any(isinstance(block, Table) for block in blocks)
    (note,) = [block for block in blocks if isinstance(block, Note)]
    assert note.text == "Not held against people in such experiments yet: mine.npz."
