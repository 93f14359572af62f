"""Distributions over a few classes, each name beside the one it is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, grid_figure, label, no_data, style
from scandl_reports.palette import looks
from scandl_reports.svg import INK


def shares_figure(
    about: About, classes: Sequence[str], reference: tuple[str, Sequence[float]],
    shares: Mapping[str, Sequence[float]], *, x_label: str,
) -> document.Figure | document.Note:  # fmt: skip
    """Draw one panel a name: its shares as bars, those of the reference as an outline."""
    if not shares or not classes:
        return no_data(about)
    colours = looks(shares)
    edges = np.arange(len(classes) + 1) - 0.5
    with style():
        figure, panels = grid_figure(len(shares), 0.6)
        for axes, (name, values) in zip(panels, shares.items(), strict=True):
            axes.bar(range(len(classes)), values, width=0.8, color=colours[name].colour, alpha=0.75)
            axes.stairs(reference[1], edges, color=INK, lw=1.1, label=reference[0])
            axes.set_title(label(name))
            axes.grid(visible=False, axis="x")
        every = -(-len(classes) // 6)
        panels[0].set_xticks(range(0, len(classes), every), classes[::every])
        figure.supxlabel(x_label, fontsize=8.5)
        figure.legend(*panels[0].get_legend_handles_labels(), loc="upper right")
        rows = [
            (name, each, float(value))
            for name, values in {reference[0]: reference[1], **shares}.items()
            for each, value in zip(classes, values, strict=True)
        ]
        return drawn(about, figure, data_table(about, ("name", x_label, "share"), rows))
