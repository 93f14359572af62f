"""Observed counts against those a regression predicts."""

from __future__ import annotations

from scandl_reports.figures.rootogram import Bin, rootogram_figure


def figure(about, names):
    return rootogram_figure(
        about, dict.fromkeys(names, (Bin(4, 9, (1, 16)), Bin(1, 1, (0, 4)))), x_label="tfc"
    )


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)
