"""Pairs of numbers, one panel a name, with the line on which both are equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, grid_figure, label, no_data, style
from scandl_reports.palette import looks
from scandl_reports.svg import INK

Pairs = Sequence[tuple[str, float, float]]
"""(what the point stands for, x, y)"""


def scatter_figure(
    about: About, pairs: Mapping[str, Pairs], *, x_label: str, y_label: str
) -> document.Figure | document.Note:
    """Draw the pairs of each name on the same scale."""
    points = {name: found for name, found in pairs.items() if found}
    if not points:
        return no_data(about)
    colours = looks(points)
    values = [value for found in points.values() for _, x, y in found for value in (x, y)]
    low, high = min(values), max(values)
    margin = 0.05 * (high - low or 1.0)
    with style():
        figure, panels = grid_figure(len(points), 1.0)
        for axes, (name, found) in zip(panels, points.items(), strict=True):
            axes.plot([low, high], [low, high], color=INK, lw=0.8, ls=(0, (4, 3)))
            axes.plot(
                [x for _, x, _ in found], [y for _, _, y in found], "o", color=colours[name].colour,
                markersize=3.2, alpha=0.85, markeredgewidth=0,
            )  # fmt: skip
            axes.set_title(label(name))
        panels[0].set_xlim(low - margin, high + margin)
        panels[0].set_ylim(low - margin, high + margin)
        figure.supxlabel(x_label, fontsize=8.5)
        figure.supylabel(y_label, fontsize=8.5)
        rows = [(name, *pair) for name, found in points.items() for pair in found]
        return drawn(about, figure, data_table(about, ("name", "point", x_label, y_label), rows))
