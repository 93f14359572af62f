"""Scanpaths over the words of one sentence."""

from __future__ import annotations

from scandl_reports.figures.scanpaths import scanpaths_figure


def figure(about, names):
    return scanpaths_figure(about, ("The", "w" * 400, "$sat$"), dict.fromkeys(names, (0, 1, 0)))


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_the_data_has_a_row_per_fixation(about):
    drawn = scanpaths_figure(about, ("The", "cat"), {"Human": (0, 1, 0)})
    assert drawn.data.rows == (("Human", 0, 0, "The"), ("Human", 1, 1, "cat"), ("Human", 2, 0, "The"))
