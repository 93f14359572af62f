"""Sources beside each other, a panel each: shares of classes, rootograms (Tukey, 1972), pairs, scanpaths."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.drawings.picture import Trace, scanpath_figure
from scandl_reports import document
from scandl_reports.figures.chart import (
    COLOURS,
    About,
    Look,
    data_table,
    drawn,
    grid_figure,
    label,
    looks,
    new_figure,
    no_data,
    style,
)
from scandl_reports.figures.estimates import Estimate
from scandl_reports.svg import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREY = COLOURS[-1]
Pairs = Sequence[tuple[str, float, float]]
"""(what the point stands for, x, y)"""
Point = tuple[Estimate, Estimate]
LEGEND_COLUMNS = 5


def shares_figure(
    about: About,
    classes: Sequence[str],
    reference: tuple[str, Sequence[float]],
    shares: Mapping[str, Sequence[float]],
    *,
    x_label: str,
) -> document.Figure | document.Note:
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


@dataclass(frozen=True, slots=True)
class Bin:
    """How many have one count: observed, and expected with a 95 % interval."""

    observed: float
    expected: float
    interval: tuple[float, float]


def rootogram_figure(
    about: About, panels: Mapping[str, Sequence[Bin]], *, x_label: str
) -> document.Figure | document.Note:
    """Draw expected numbers as bars with whiskers, observed ones as an outline, all as square roots.

    The last bin holds its count and all above.
    """
    if not panels:
        return no_data(about)
    with style():
        figure, grid = grid_figure(len(panels), 0.7)
        for axes, (name, bins) in zip(grid, panels.items(), strict=True):
            x, expected = np.arange(len(bins)), _roots(each.expected for each in bins)
            low, high = (_roots(each.interval[end] for each in bins) for end in (0, 1))
            axes.bar(x, expected, width=0.8, color=GREY, alpha=0.45, label="expected, 95 %")
            axes.vlines(x, low, high, color=GREY, lw=1.4)
            observed = _roots(each.observed for each in bins)
            axes.stairs(observed, np.arange(len(bins) + 1) - 0.5, color=INK, lw=1.1, label="observed")
            axes.set_title(label(name))
            axes.grid(visible=False, axis="x")
        classes = _classes(max(map(len, panels.values())))
        grid[0].set_xticks(range(0, len(classes), 2), classes[::2])
        grid[0].set_ylabel("√ words")
        figure.supxlabel(x_label, fontsize=8.5)
        figure.legend(*grid[0].get_legend_handles_labels(), loc="upper right", ncols=2)
        rows = [
            (name, count, each.observed, each.expected, each.interval)
            for name, bins in panels.items()
            for count, each in zip(_classes(len(bins)), bins, strict=True)
        ]
        return drawn(
            about, figure, data_table(about, ("name", x_label, "observed", "expected", "95 %"), rows)
        )


def _roots(values: Iterable[float]) -> np.ndarray[Any, Any]:
    return np.asarray(np.sqrt(np.fromiter(values, float)))


def _classes(n: int) -> list[str]:
    """Return the labels of the bins.

    >>> _classes(3)
    ['0', '1', '≥2']
    """
    return [*map(str, range(n - 1)), f"≥{n - 1}"]


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
                [x for _, x, _ in found],
                [y for _, _, y in found],
                "o",
                color=colours[name].colour,
                markersize=3.2,
                alpha=0.85,
                markeredgewidth=0,
            )
            axes.set_title(label(name))
        panels[0].set_xlim(low - margin, high + margin)
        panels[0].set_ylim(low - margin, high + margin)
        figure.supxlabel(x_label, fontsize=8.5)
        figure.supylabel(y_label, fontsize=8.5)
        rows = [(name, *pair) for name, found in points.items() for pair in found]
        return drawn(about, figure, data_table(about, ("name", "point", x_label, y_label), rows))


def plane_figure(
    about: About, panels: Mapping[str, Mapping[str, Point]], *, x_label: str, y_label: str
) -> document.Figure | document.Note:
    """Draw each name at its two values, in a panel for each setting; all panels have the same scales."""
    names = list(dict.fromkeys(name for points in panels.values() for name in points))
    if not names:
        return no_data(about)
    colours = looks(names)
    rows = -(-len(names) // LEGEND_COLUMNS)
    with style():
        figure = new_figure(2.3 + 0.19 * rows)
        every = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
        for axes, (setting, points) in zip(every, panels.items(), strict=True):
            _draw(axes, points, colours)
            axes.margins(y=0.16)  # room for the name of the readers below their point
            axes.set_title(label(setting))
            axes.set_xlabel(x_label)
        every[0].set_ylabel(y_label)
        handles = {
            text: mark for axes in every for mark, text in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        # Names below the drawing never hide a point, however close the points lie.
        figure.legend(handles.values(), handles.keys(), loc="outside lower left", ncols=LEGEND_COLUMNS)
        cells = [
            (name, setting, x.value, x.interval, y.value, y.interval)
            for setting, points in panels.items()
            for name, (x, y) in points.items()
        ]
        header = ("name", "setting", x_label, f"{x_label} 95 %", y_label, f"{y_label} 95 %")
        return drawn(about, figure, data_table(about, header, cells))


def _draw(axes: Axes, points: Mapping[str, Point], colours: Mapping[str, Look]) -> None:
    for name, (x, y) in points.items():
        look = colours[name]
        recorded = look.colour == INK  # the readers: a ring, named in the drawing, that hides nobody
        order = 3 if recorded else 2
        if x.interval is not None:
            axes.plot(x.interval, [y.value] * 2, color=look.colour, lw=1.0, alpha=0.65, zorder=order)
        if y.interval is not None:
            axes.plot([x.value] * 2, y.interval, color=look.colour, lw=1.0, alpha=0.65, zorder=order)
        axes.plot(
            x.value,
            y.value,
            look.marker,
            color=look.colour,
            markersize=11 if recorded else 6,
            ls="none",
            markerfacecolor="none" if recorded else look.colour,
            markeredgewidth=2 if recorded else 1,
            label=label(name),
            zorder=order,
        )
        if recorded:
            axes.annotate(
                label(name),
                (x.value, y.value),
                xytext=(0, -8),
                textcoords="offset points",
                ha="center",
                va="top",
                weight="bold",
            )


def scanpaths_figure(
    about: About, words: Sequence[str], traces: Sequence[Trace]
) -> document.Figure | document.Note:
    """Draw the readings below each other; very long words are shortened."""
    if not traces or not words:
        return no_data(about)
    with style():
        shown = [replace(trace, name=label(trace.name, 60)) for trace in traces]
        figure = scanpath_figure([label(word, 24) for word in words], shown)
        rows = [
            (trace.name, k, position, words[position])
            for trace in traces
            for k, position in enumerate(trace.positions)
        ]
        return drawn(about, figure, data_table(about, ("name", "fixation", "word position", "word"), rows))
