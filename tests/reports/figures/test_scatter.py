"""Points of several sources."""

from __future__ import annotations

from scandl_reports.figures.scatter import scatter_figure


def figure(about, names):
    return scatter_figure(about, {n: [("p", 1.0, 2.0)] for n in names}, x_label="x", y_label="y")


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_names_have_their_colours(colours_its_names):
    colours_its_names(figure)
