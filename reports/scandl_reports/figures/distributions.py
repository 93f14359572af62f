"""Distributions side by side: shares of a few classes, and rootograms of counts (Tukey, 1972)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scandl_reports import document
from scandl_reports.figures.chart import (
    COLOURS,
    About,
    data_table,
    drawn,
    grid_figure,
    label,
    looks,
    no_data,
    style,
)
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


GREY = COLOURS[-1]


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
