"""What all figures share: a style for a while, panels in rows, no window."""

from __future__ import annotations

import matplotlib as mpl
import pytest

from scandl_reports.figures.chart import WIDTH, grid_figure, new_figure, style


def test_the_style_ends_with_its_block():
    before = mpl.rcParams["axes.spines.top"]
    with style():
        assert mpl.rcParams["axes.spines.top"] is False
        assert mpl.rcParams["text.parse_math"] is False
    assert mpl.rcParams["axes.spines.top"] == before


@pytest.mark.parametrize(("n", "rows", "columns"), [(1, 1, 3), (4, 1, 4), (5, 2, 3), (8, 2, 4), (9, 3, 3)])
def test_panels_stand_in_rows_of_about_the_same_length(n, rows, columns):
    figure, panels = grid_figure(n, aspect=0.5)
    assert len(panels) == n
    assert panels[0].get_subplotspec().get_gridspec().get_geometry() == (rows, columns)
    assert figure.get_figwidth() == WIDTH


def test_no_window_knows_of_a_figure():
    from matplotlib import pyplot

    known = pyplot.get_fignums()
    new_figure(2.0)
    assert pyplot.get_fignums() == known
