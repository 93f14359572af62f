"""Shares of a few classes beside those of a reference; counts beside what a model expects."""

from __future__ import annotations

import pytest

from scandl_reports.figures.distributions import Bin, rootogram_figure, shares_figure


def shares(about, names):
    return shares_figure(
        about, ("0", "1"), ("Human", (0.25, 0.75)), dict.fromkeys(names, (0.5, 0.5)), x_label="x"
    )


def test_the_reference_comes_first_in_the_data(about):
    drawn = shares_figure(about, ("0", "1"), ("Human", (0.25, 0.75)), {"m": (0.5, 0.5)}, x_label="fixations")
    assert drawn.data.rows == (("Human", "0", 0.25), ("Human", "1", 0.75), ("m", "0", 0.5), ("m", "1", 0.5))


def rootogram(about, names):
    return rootogram_figure(
        about, dict.fromkeys(names, (Bin(4, 9, (1, 16)), Bin(1, 1, (0, 4)))), x_label="tfc"
    )


@pytest.mark.parametrize("figure", [shares, rootogram])
def test_it_keeps_the_laws(keeps_the_laws, figure):
    keeps_the_laws(figure)


def test_names_have_their_colours(colours_its_names):
    colours_its_names(shares)
