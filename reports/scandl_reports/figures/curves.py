"""Curves over steps: learning, or quality by the number of steps, with a band where one is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scandl_reports import document
from scandl_reports.figures.chart import (
    About,
    Look,
    data_table,
    drawn,
    label,
    looks,
    new_figure,
    no_data,
    style,
)
from scandl_reports.figures.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curves = Mapping[str, Sequence[tuple[float, Estimate]]]
"""Each name's values over x."""


def curves_figure(
    about: About, curves: Curves, *, x_label: str, y_label: str, log_x: bool = False
) -> document.Figure | document.Note:
    """Draw each name's values over x."""
    return curve_panels_figure(about, {y_label: curves}, x_label=x_label, log_x=log_x)


def curve_panels_figure(
    about: About, panels: Mapping[str, Curves], *, x_label: str, log_x: bool = False,
    y_limits: tuple[float, float] | None = None,
) -> document.Figure | document.Note:  # fmt: skip
    """Draw several quantities over the same x, a panel each, two a row, all with ``y_limits``."""
    known = {quantity: _known(curves) for quantity, curves in panels.items()}
    known = {quantity: curves for quantity, curves in known.items() if curves}
    if not known:
        return no_data(about)
    colours = looks(dict.fromkeys(name for curves in known.values() for name in curves))
    columns = min(2, len(known))
    rows = -(-len(known) // columns)
    with style():
        figure = new_figure(2.9 if rows == 1 else 2.1 * rows, between=0.03)
        grid = list(figure.subplots(rows, columns, squeeze=False).flat)
        for axes, (quantity, curves) in zip(grid, known.items(), strict=False):
            _draw(axes, curves, colours)
            if log_x:
                _log_scale(axes, [x for points in curves.values() for x, _ in points])
            axes.set_xlabel(x_label)
            axes.set_ylabel(quantity)
            if y_limits is not None:
                axes.set_ylim(*y_limits)
        for axes in grid[len(known) :]:
            axes.set_axis_off()
        drawn_as = {
            name: handle
            for axes in grid
            for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
        }  # fmt: skip
        figure.legend(drawn_as.values(), drawn_as.keys(), loc="outside right upper")
        return drawn(about, figure, _data(about, known, x_label))


def _known(curves: Curves) -> dict[str, list[tuple[float, Estimate]]]:
    return {name: sorted(points, key=lambda point: point[0]) for name, points in curves.items() if points}


def _draw(axes: Axes, curves: Curves, colours: Mapping[str, Look]) -> None:
    for name, points in curves.items():
        look = colours[name]
        marker = look.marker if len(points) <= 30 else ""
        xs = [x for x, _ in points]
        axes.plot(xs, [e.value for _, e in points], marker=marker, color=look.colour, lw=1.4,
                  markersize=4, label=label(name))  # fmt: skip
        spans = [e.interval or (e.value, e.value) for _, e in points]
        low, high = zip(*spans, strict=True)
        axes.fill_between(xs, low, high, color=look.colour, alpha=0.15, lw=0)


def _log_scale(axes: Axes, xs: Sequence[float]) -> None:
    """Make x logarithmic and write the values that were measured, at most seven, as plain numbers."""
    from matplotlib.ticker import NullLocator

    values = sorted(set(xs))
    step = -(-len(values) // 7)
    axes.set_xscale("log")
    axes.set_xticks(values[::step], [f"{x:g}" for x in values[::step]])
    axes.xaxis.set_minor_locator(NullLocator())


def _data(about: About, panels: Mapping[str, Curves], x_label: str) -> document.Table:
    """Return the numbers; a column names the quantity where there are several."""
    (first, *others) = panels
    rows = [
        (name, quantity, x, e.value, e.interval)
        for quantity, curves in panels.items()
        for name, points in curves.items()
        for x, e in points
    ]
    if others:
        return data_table(about, ("name", "quantity", x_label, "value", "95 %"), rows)
    alone = [(name, x, value, interval) for name, _, x, value, interval in rows]
    return data_table(about, ("name", x_label, first, "95 %"), alone)
