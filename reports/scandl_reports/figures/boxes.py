"""Distributions as boxes, one row a name, a panel for each measured quantity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, label, looks, new_figure, no_data, style
from scandl_reports.svg import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3


@dataclass(frozen=True, slots=True)
class Box:
    """Where 5, 25, 50, 75 and 95 % of the values end, and their mean."""

    low: float
    q25: float
    median: float
    q75: float
    high: float
    mean: float


def boxes_figure(
    about: About, panels: Mapping[str, Mapping[str, Box]], *, reference: str
) -> document.Figure | document.Note:
    """Draw the boxes of each name, in the order of the first panel; a line runs at the reference's median."""
    names = list(dict.fromkeys(name for boxes in panels.values() for name in boxes))
    if not names:
        return no_data(about)
    colours = looks(names)
    rows = -(-len(panels) // COLUMNS)
    with style():
        figure = new_figure(0.3 + rows * (0.55 + 0.2 * len(names)), between=0.05)
        grid = figure.subplots(rows, COLUMNS, sharey=True, squeeze=False, gridspec_kw={"hspace": 0.03})
        for axes, (title, boxes) in zip(grid.flat, panels.items(), strict=False):
            axes.set_title(title)
            axes.grid(visible=False, axis="y")
            axes.tick_params(axis="y", length=0)
            if reference in boxes:
                axes.axvline(boxes[reference].median, color=INK, lw=0.8, ls=(0, (4, 3)), zorder=0)
            for y, name in enumerate(names):
                if name in boxes:
                    _draw(axes, y, boxes[name], colours[name].colour)
        for axes in list(grid.flat)[len(panels) :]:
            axes.set_axis_off()
        grid[0][0].set_yticks(range(len(names)), [label(name, 20) for name in names])
        grid[0][0].set_ylim(len(names) - 0.4, -0.6)
        return drawn(about, figure, _data(about, panels))


def _draw(axes: Axes, y: int, box: Box, colour: str) -> None:
    axes.plot([box.low, box.high], [y, y], color=colour, lw=1.0, solid_capstyle="butt")
    axes.barh(y, box.q75 - box.q25, left=box.q25, height=0.56, color=colour, alpha=0.3, lw=0)
    axes.plot([box.median] * 2, [y - 0.28, y + 0.28], color=colour, lw=1.8, solid_capstyle="butt")
    axes.plot(box.mean, y, "o", color=colour, markersize=3.4)


def _data(about: About, panels: Mapping[str, Mapping[str, Box]]) -> document.Table:
    header: Sequence[str] = ("name", "quantity", "5 %", "25 %", "median", "75 %", "95 %", "mean")
    rows = [
        (name, title, box.low, box.q25, box.median, box.q75, box.high, box.mean)
        for title, boxes in panels.items()
        for name, box in boxes.items()
    ]
    return data_table(about, header, rows)
