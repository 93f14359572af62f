"""The forest plot: effects with their intervals, a panel for each measure and predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scandl_reports import document
from scandl_reports.figures.chart import About, data_table, drawn, label, new_figure, no_data, style
from scandl_reports.figures.intervals import Estimate
from scandl_reports.palette import looks
from scandl_reports.svg import INK


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
