"""Points of several kinds at several moments, a panel each: how a state becomes a scanpath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scandl_reports import document
from scandl_reports.figures.chart import (
    COLOURS,
    MARKERS,
    WIDTH,
    About,
    data_table,
    drawn,
    label,
    new_figure,
    no_data,
    style,
)

Points = Sequence[tuple[str, float, float]]
"""(kind, x, y)"""


def frames_figure(about: About, frames: Mapping[str, Points]) -> document.Figure | document.Note:
    """Draw the points of each moment; places have no scale, only who lies beside whom counts."""
    shown = {name: points for name, points in frames.items() if points}
    if not shown:
        return no_data(about)
    kinds = list(dict.fromkeys(kind for points in shown.values() for kind, _, _ in points))
    looks = {kind: (COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]) for k, kind in enumerate(kinds)}
    columns = min(5, len(shown))
    rows = -(-len(shown) // columns)
    with style():
        figure = new_figure(rows * (WIDTH - 1.0) / columns + 0.5)
        grid = list(figure.subplots(rows, columns, squeeze=False).flat)
        for axes, (name, points) in zip(grid, shown.items(), strict=False):
            for kind, (colour, marker) in looks.items():
                own = [(x, y) for found, x, y in points if found == kind]
                axes.plot(
                    [x for x, _ in own],
                    [y for _, y in own],
                    marker,
                    color=colour,
                    markersize=2.6,
                    alpha=0.75,
                    markeredgewidth=0,
                    label=label(kind),
                )
            axes.set_title(label(name))
            axes.set_xticks([])
            axes.set_yticks([])
        for axes in grid[len(shown) :]:
            axes.set_axis_off()
        handles, names = grid[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower left", ncols=len(kinds))
        data = [(kind, name, x, y) for name, points in shown.items() for kind, x, y in points]
        return drawn(about, figure, data_table(about, ("kind", "moment", "x", "y"), data))
