"""Shares of a few classes beside those of a reference."""

from __future__ import annotations

from scandl_reports.figures.shares import shares_figure


def figure(about, names):
    return shares_figure(
        about, ("0", "1"), ("Human", (0.25, 0.75)), dict.fromkeys(names, (0.5, 0.5)), x_label="x"
    )


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)


def test_names_have_their_colours(colours_its_names):
    colours_its_names(figure)


def test_the_reference_comes_first_in_the_data(about):
    drawn = shares_figure(about, ("0", "1"), ("Human", (0.25, 0.75)), {"m": (0.5, 0.5)}, x_label="fixations")
    assert drawn.data.rows == (("Human", "0", 0.25), ("Human", "1", 0.75), ("m", "0", 0.5), ("m", "1", 0.5))
