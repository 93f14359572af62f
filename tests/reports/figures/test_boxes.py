"""Distributions as boxes, a panel for each measure."""

from __future__ import annotations

from scandl_reports.figures.boxes import Box, boxes_figure


def figure(about, names):
    return boxes_figure(about, {"first": dict.fromkeys(names, Box(0, 1, 2, 3, 4, 2.5))}, reference="markov")


def test_it_keeps_the_laws(keeps_the_laws):
    keeps_the_laws(figure)
