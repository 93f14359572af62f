"""Points of several kinds at several moments."""

from __future__ import annotations

from scandl_reports.figures.frames import frames_figure


def figure(about, names):
    return frames_figure(about, {f"t = {k}": [(n, 1.0, 2.0) for n in names] for k in range(7)})


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_a_moment_without_points_has_no_panel(about):
    drawn = frames_figure(about, {"t = 1": [("word", 0.0, 1.0)], "t = 0": []})
    assert drawn.data.rows == (("word", "t = 1", 0.0, 1.0),)
