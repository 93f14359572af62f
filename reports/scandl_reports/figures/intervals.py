"""Values with their intervals: the rows of a leaderboard, and the forest of effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    wrapped,
)
from scandl_reports.svg import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES = 72  # characters that fit above all panels together


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its 95 % interval; ``tied`` says that it is not separable from the best.

    A ``doubtful`` one is not to be used as it stands, and is drawn hollow.
    """

    value: float
    interval: tuple[float, float] | None = None
    tied: bool | None = None
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One measured quantity of all names, with what it is read against."""

    title: str
    estimates: Mapping[str, Estimate]
    reference: Estimate | None = None  # drawn as a line with a band


def interval_figure(
    about: About, panels: Sequence[Panel], *, reference_name: str = "Human"
) -> document.Figure | document.Note:
    """Draw the panels side by side; the names keep the order of the first one."""
    shown = [panel for panel in panels if panel.estimates]
    if not shown:
        return no_data(about)
    names = list(dict.fromkeys(name for panel in shown for name in panel.estimates))
    colours = looks(names)
    with style():
        titles = [wrapped(panel.title, TITLES // len(shown)) for panel in shown]
        lines = max(title.count("\n") for title in titles)
        figure = new_figure(0.9 + 0.24 * len(names) + 0.14 * lines, between=0.08)
        row = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
        for axes, panel, title in zip(row, shown, titles, strict=True):
            axes.set_title(title)
            _draw(axes, panel, names, colours, reference_name)
        row[0].set_yticks(range(len(names)), [label(name) for name in names])
        row[0].set_ylim(len(names) - 0.4, -0.6)
        handles, texts = row[0].get_legend_handles_labels()
        if handles:
            figure.legend(handles, texts, loc="outside lower right", ncols=2)
        return drawn(about, figure, _data(about, shown, reference_name))


def _draw(
    axes: Axes, panel: Panel, names: Sequence[str], colours: Mapping[str, Look], reference_name: str
) -> None:
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    if panel.reference is not None:
        axes.axvline(panel.reference.value, color=INK, lw=1.0, ls=(0, (4, 3)), label=reference_name, zorder=1)
        if panel.reference.interval is not None:
            axes.axvspan(*panel.reference.interval, color=INK, alpha=0.1, lw=0, zorder=0)
    for y, name in enumerate(names):
        if name not in panel.estimates:
            continue
        found, look = panel.estimates[name], colours[name]
        if found.interval is not None:
            axes.plot(found.interval, [y, y], color=look.colour, lw=1.8, solid_capstyle="butt", zorder=2)
        face = look.colour if found.tied is not False else "none"
        axes.plot(
            found.value, y, look.marker, color=look.colour, markerfacecolor=face, markersize=5.2, zorder=3
        )  # fmt: skip


def _data(about: About, panels: Sequence[Panel], reference_name: str) -> document.Table:
    rows: list[tuple[document.Cell, ...]] = []
    for panel in panels:
        found = dict(panel.estimates) | ({reference_name: panel.reference} if panel.reference else {})
        for name, estimate in found.items():
            tied = "" if estimate.tied is None else "yes" if estimate.tied else "no"
            rows.append((name, panel.title, estimate.value, estimate.interval, tied))
    return data_table(about, ("name", "quantity", "value", "95 %", "not separable from the best"), rows)


@dataclass(frozen=True, slots=True)
class Cell:
    """What an effect is the effect of, and on what."""

    measure: str
    predictor: str


def forest_figure(
    about: About, effects: Mapping[str, Mapping[Cell, Estimate]], *, measures: Sequence[str],
    predictors: Sequence[str],
) -> document.Figure | document.Note:  # fmt: skip
    """Draw the effects of each name, the first name on top of each panel; a line stands at zero.

    A measure or predictor of which nothing is known has no panels.
    """
    names = [name for name, found in effects.items() if found]
    if not names:
        return no_data(about)
    known = {cell for name in names for cell in effects[name]}
    measures = [m for m in measures if any(cell.measure == m for cell in known)]
    predictors = [p for p in predictors if any(cell.predictor == p for cell in known)]
    colours = looks(names)
    with style():
        figure = new_figure(0.5 + len(measures) * (0.35 + 0.17 * len(names)))
        panels = figure.subplots(len(measures), len(predictors), sharex="col", sharey=True, squeeze=False)
        for i, measure in enumerate(measures):
            for j, predictor in enumerate(predictors):
                axes, cell = panels[i][j], Cell(measure, predictor)
                axes.axvline(0.0, color=INK, lw=0.8)
                axes.grid(visible=False, axis="y")
                axes.tick_params(axis="y", length=0)
                for y, name in enumerate(names):
                    found, look = effects[name].get(cell), colours[name]
                    if found is None:
                        continue
                    if found.interval is not None:
                        axes.plot(found.interval, [y, y], color=look.colour, lw=1.6, solid_capstyle="butt")
                    fill = "none" if found.doubtful else look.colour
                    axes.plot(found.value, y, look.marker, color=look.colour, mfc=fill, markersize=4.2)
                axes.set_title(f"{measure} · {predictor}")
        panels[0][0].set_yticks(range(len(names)), [label(name, 20) for name in names])
        panels[0][0].set_ylim(len(names) - 0.4, -0.6)
        rows = [
            (name, cell.measure, cell.predictor, found.value, found.interval)
            for name in names
            for cell, found in effects[name].items()
        ]
        return drawn(
            about, figure, data_table(about, ("name", "measure", "predictor", "effect", "95 %"), rows)
        )
