"""Figures of a pilot: their data are what was found."""

from __future__ import annotations

from scandl_analysis.chapters.pilot_figures import effect_figures, power_figures


def test_times_are_drawn_in_ms_and_shares_on_their_scale(pilot_page):
    times, shares = effect_figures(pilot_page)
    assert times.title == "Expected effects on reading times, ms"
    found = {(e.source, e.measure): e for e in pilot_page.effects if e.region == "critical"}
    for name, measure, _, value, interval in times.data.rows:
        assert (value, interval) == (found[name, measure].ms, found[name, measure].ms_ci95)
    for name, measure, _, value, _ in shares.data.rows:
        assert value == found[name, measure].effect


def test_power_has_a_panel_for_each_measure_and_a_curve_for_each_effect(pilot_page):
    stated, own = power_figures(pilot_page)
    assert stated.title == "Power for the effects you state"
    assert {tuple(row[:1]) for row in stated.data.rows} == {("ezreader",), ("swift",)}
    assert {(name, quantity) for name, quantity, *_ in own.data.rows} == {
        ("ezreader", "power: sr"),
        ("swift", "power: sr"),
        ("ezreader", "power: TFT"),
        ("swift", "power: TFT"),
    }
    assert len(stated.data.rows) + len(own.data.rows) == len(pilot_page.power)
