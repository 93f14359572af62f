"""Two quantities against each other."""

from __future__ import annotations

from scandl_reports.figures.intervals import Estimate
from scandl_reports.figures.plane import plane_figure

ONE, TWO = Estimate(0.5, (0.4, 0.6)), Estimate(0.25)


def figure(about, names):
    return plane_figure(about, {"ns": dict.fromkeys(names, (ONE, TWO))}, x_label="x", y_label="y")


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_names_have_their_colours(colours_its_names):
    colours_its_names(figure)


def test_the_data_has_both_values_with_their_intervals(about):
    drawn = plane_figure(
        about, {"ns": {"m": (ONE, TWO)}, "nr": {"n": (TWO, ONE)}}, x_label="NLD", y_label="energy"
    )
    assert [column.name for column in drawn.data.columns] == [
        "name",
        "setting",
        "NLD",
        "NLD 95 %",
        "energy",
        "energy 95 %",
    ]
    assert drawn.data.rows == (
        ("m", "ns", 0.5, (0.4, 0.6), 0.25, None),
        ("n", "nr", 0.25, None, 0.5, (0.4, 0.6)),
    )
