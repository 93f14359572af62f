"""The result in a notebook: frames, tables, a page."""

from __future__ import annotations

import pytest

from scandl.errors import ScandlError


def test_a_pilot_is_a_table(piloted):
    frame = piloted.to_frame()
    assert {"source", "region", "measure", "contrast", "effect", "ci95_low", "ms"} <= set(frame.columns)
    assert len(frame) == len(piloted.effects)
    assert piloted.to_markdown().startswith("| source | region |")
    assert piloted.to_latex().startswith(r"\begin{tabular}")
    assert "<table>" in piloted._repr_html_()
    assert repr(piloted).startswith("<Pilot of 4 items in 2 conditions by ezreader, swift; ")
    assert len(piloted.power_frame()) == len(piloted.power)
    assert set(piloted.confound_frame()["feature"]) >= {"length", "frequency", "surprisal", "position"}


def test_the_page_is_written_by_its_ending(piloted, tmp_path):
    piloted.report(tmp_path / "page.txt")
    assert "What this simulation cannot know" in (tmp_path / "page.txt").read_text(encoding="utf-8")
    with pytest.raises(ScandlError, match="a report is written as"):
        piloted.report(tmp_path / "page.doc")
