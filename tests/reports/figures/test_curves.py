"""Curves over steps, on a plain or a logarithmic axis."""

from __future__ import annotations

import matplotlib.figure
import pytest

from scandl_reports.figures.curves import _log_scale, curve_panels_figure, curves_figure
from scandl_reports.figures.estimates import Estimate

ONE, TWO = Estimate(0.5, (0.4, 0.6)), Estimate(0.25)


def curves(about, names):
    return curves_figure(
        about, {n: [(1.0, ONE), (10.0, TWO)] for n in names}, x_label="steps", y_label="loss", log_x=True
    )


def panels(about, names):
    return curve_panels_figure(
        about,
        {q: {n: [(1.0, ONE), (10.0, TWO)] for n in names} for q in ("NLD", "energy", "diversity")},
        x_label="steps",
    )


def test_it_keeps_the_laws_of_curves(keeps_the_laws):
    keeps_the_laws(curves)


def test_names_have_their_colours_of_curves(colours_its_names):
    colours_its_names(curves)


def test_it_keeps_the_laws_of_panels(keeps_the_laws):
    keeps_the_laws(panels)


def test_names_have_their_colours_of_panels(colours_its_names):
    colours_its_names(panels)


@pytest.mark.parametrize("xs", [(1.0,), (10.0, 50.0, 2000.0), tuple(float(k) for k in range(1, 40))])
def test_a_logarithmic_axis_has_plain_numbers(xs):
    axes = matplotlib.figure.Figure().subplots()
    _log_scale(axes, xs)
    written = [tick.get_text() for tick in axes.get_xticklabels()]
    assert 1 <= len(written) <= 7
    assert set(map(float, written)) <= set(xs)
