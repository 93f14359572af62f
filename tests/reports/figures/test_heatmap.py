"""Numbers as coloured cells."""

from __future__ import annotations

from scandl_reports.figures.heatmap import heatmap_figure
from scandl_reports.svg import INK


def figure(about, names):
    return heatmap_figure(about, ("c1", "c2"), dict.fromkeys(names, (0.5, None)))


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_text_on_coloured_cells_does_not_follow_the_theme(about):
    svg = heatmap_figure(about, ("c1", "c2"), {"m": (-1.0, 0.1)}, {("m", 0): "*"}).svg
    assert "#ffffff" in svg
    assert "#111418" in svg
    assert INK != "#111418"
