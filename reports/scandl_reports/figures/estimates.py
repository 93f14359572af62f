"""Estimates: rows with intervals, the forest of effects by cell, differences as a heat map, and curves."""

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

ON_LIGHT, ON_DARK = "#111418", "#ffffff"
_BLANK = "#e9ecef"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its 95 % interval; ``tied`` says that it is not distinguished from the best.

    A ``doubtful`` one is not to be used as it stands, and is drawn hollow.
    """

    value: float
    interval: tuple[float, float] | None = None
    tied: bool | None = None
    doubtful: bool = False


Curves = Mapping[str, Sequence[tuple[float, Estimate]]]
"""Each name's values over x."""


@dataclass(frozen=True, slots=True)
class EstimatePanel:
    """One measured quantity of all names, with what it is read against."""

    title: str
    estimates: Mapping[str, Estimate]
    reference: Estimate | None = None  # drawn as a line with a band


def interval_figure(
    about: About,
    panels: Sequence[EstimatePanel],
    *,
    reference_name: str = "Human",
    look_of: str | None = None,
) -> document.Figure | document.Note:
    """Draw the panels side by side; the names keep the order of the first one.

    ``look_of`` is what all rows are about, and they look like it; without it each name has its own look.
    """
    shown = [panel for panel in panels if panel.estimates]
    if not shown:
        return no_data(about)
    names = list(dict.fromkeys(name for panel in shown for name in panel.estimates))
    colours = looks(names) if look_of is None else dict.fromkeys(names, looks([look_of])[look_of])
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
    axes: Axes, panel: EstimatePanel, names: Sequence[str], colours: Mapping[str, Look], reference_name: str
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
        )


def _data(about: About, panels: Sequence[EstimatePanel], reference_name: str) -> document.Table:
    rows: list[tuple[document.Cell, ...]] = []
    for panel in panels:
        found = dict(panel.estimates) | ({reference_name: panel.reference} if panel.reference else {})
        for name, estimate in found.items():
            tied = "" if estimate.tied is None else "yes" if estimate.tied else "no"
            rows.append((name, panel.title, estimate.value, estimate.interval, tied))
    return data_table(about, ("name", "quantity", "value", "95 %", "not distinguished from the best"), rows)


@dataclass(frozen=True, slots=True)
class Cell:
    """What an effect is the effect of, and on what."""

    measure: str
    predictor: str


def forest_figure(
    about: About,
    effects: Mapping[str, Mapping[Cell, Estimate]],
    *,
    measures: Sequence[str],
    predictors: Sequence[str],
    titles: Mapping[Cell, str] | None = None,
) -> document.Figure | document.Note:
    """Draw the effects of each name, the first name on top of each panel; a line stands at zero.

    A measure or predictor of which nothing is known has no panels. Panels with ``titles`` of their own have
    units of their own, and so a scale.
    """
    names = [name for name, found in effects.items() if found]
    if not names:
        return no_data(about)
    known = {cell for name in names for cell in effects[name]}
    measures = [m for m in measures if any(cell.measure == m for cell in known)]
    predictors = [p for p in predictors if any(cell.predictor == p for cell in known)]
    colours = looks(names)
    with style():
        head = 0.65 if titles else 0.35
        figure = new_figure(0.5 + len(measures) * (head + 0.17 * len(names)))
        panels = figure.subplots(
            len(measures),
            len(predictors),
            sharex="none" if titles else "col",
            sharey=True,
            squeeze=False,
        )
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
                axes.set_title((titles or {}).get(cell, f"{measure} · {predictor}"))
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


def heatmap_figure(
    about: About,
    columns: Sequence[str],
    rows: Mapping[str, Sequence[float | None]],
    marks: Mapping[tuple[str, int], str] | None = None,
) -> document.Figure | document.Note:
    """Draw signed numbers from blue through white to orange; ``marks`` follow the number in a cell.

    A number that cannot be given is grey.
    """
    known = [abs(value) for values in rows.values() for value in values if value is not None]
    if not known:
        return no_data(about)
    with style():
        from matplotlib.colors import LinearSegmentedColormap, Normalize, to_hex

        scale = LinearSegmentedColormap.from_list("differences", ["#0072b2", "#ffffff", "#d55e00"])
        furthest = max(known) or 1.0
        norm = Normalize(-furthest, furthest)
        figure = new_figure(0.75 + 0.3 * len(rows))
        axes = figure.subplots()
        for y, (name, values) in enumerate(rows.items()):
            for x, value in enumerate(values):
                colour = _BLANK if value is None else to_hex(scale(norm(value)))
                axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=colour, lw=0)
                text = "–" if value is None else f"{value:+.2f}{(marks or {}).get((name, x), '')}"
                axes.text(
                    x + 0.5,
                    y + 0.5,
                    text,
                    ha="center",
                    va="center",
                    fontsize=7,
                    color=_ink_on(colour),
                )
        axes.set_xlim(0, len(columns))
        axes.set_ylim(len(rows), 0)
        axes.set_xticks([x + 0.5 for x in range(len(columns))], columns, fontsize=7)
        axes.set_yticks([y + 0.5 for y in range(len(rows))], [label(name) for name in rows])
        axes.grid(visible=False)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        for side in axes.spines.values():
            side.set_visible(False)
        data = [(name, *values) for name, values in rows.items()]
        return drawn(about, figure, data_table(about, ("name", *columns), data))


def _ink_on(colour: str) -> str:
    """Return the text colour that stands out more from a cell, by the contrast of WCAG 2.

    >>> _ink_on("#ffffff"), _ink_on("#0072b2")
    ('#111418', '#ffffff')
    """
    from matplotlib.colors import to_rgb

    r, g, b = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)
    )
    return ON_DARK if 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.19 else ON_LIGHT


def curves_figure(
    about: About, curves: Curves, *, x_label: str, y_label: str, log_x: bool = False
) -> document.Figure | document.Note:
    """Draw each name's values over x."""
    return curve_panels_figure(about, {y_label: curves}, x_label=x_label, log_x=log_x)


def curve_panels_figure(
    about: About,
    panels: Mapping[str, Curves],
    *,
    x_label: str | tuple[str, ...],
    log_x: bool = False,
    y_limits: tuple[float, float] | None = None,
) -> document.Figure | document.Note:
    """Draw several quantities, a panel each, two a row, all with ``y_limits``.

    ``x_label`` is that of all panels, or there is one for each.
    """
    known = {quantity: _known_curves(curves) for quantity, curves in panels.items()}
    known = {quantity: curves for quantity, curves in known.items() if curves}
    if not known:
        return no_data(about)
    colours = looks(dict.fromkeys(name for curves in known.values() for name in curves))
    columns = min(2, len(known))
    rows = -(-len(known) // columns)
    with style():
        figure = new_figure(2.9 if rows == 1 else 2.1 * rows, between=0.03)
        grid = list(figure.subplots(rows, columns, squeeze=False).flat)
        labels = (x_label,) * len(panels) if isinstance(x_label, str) else x_label
        of_panel = dict(zip(panels, labels, strict=True))
        for axes, (quantity, curves) in zip(grid, known.items(), strict=False):
            _draw_curves(axes, curves, colours)
            if log_x:
                _log_scale(axes, [x for points in curves.values() for x, _ in points])
            axes.set_xlabel(of_panel[quantity])
            axes.set_ylabel(quantity)
            if y_limits is not None:
                axes.set_ylim(*y_limits)
        for axes in grid[len(known) :]:
            axes.set_axis_off()
        drawn_as = {
            name: handle
            for axes in grid
            for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
        }
        figure.legend(drawn_as.values(), drawn_as.keys(), loc="outside right upper")
        return drawn(about, figure, _curve_data(about, known, x_label if isinstance(x_label, str) else "x"))


def _known_curves(curves: Curves) -> dict[str, list[tuple[float, Estimate]]]:
    return {name: sorted(points, key=lambda point: point[0]) for name, points in curves.items() if points}


def _draw_curves(axes: Axes, curves: Curves, colours: Mapping[str, Look]) -> None:
    for name, points in curves.items():
        look = colours[name]
        marker = look.marker if len(points) <= 30 else ""
        xs = [x for x, _ in points]
        axes.plot(
            xs,
            [e.value for _, e in points],
            marker=marker,
            color=look.colour,
            lw=1.4,
            markersize=4,
            label=label(name),
        )
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


def _curve_data(about: About, panels: Mapping[str, Curves], x_label: str) -> document.Table:
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
