"""The figures of a pilot: expected effects and curves of power."""

from __future__ import annotations

from scandl_analysis.piloting.expected_effects import ExpectedEffect
from scandl_analysis.piloting.pilot_result import PilotResult
from scandl_analysis.piloting.power import OWN, STATED, PowerPoint
from scandl_reports.document import Figure, Note
from scandl_reports.figures.chart import About
from scandl_reports.figures.curves import curve_panels_figure
from scandl_reports.figures.forest import Cell, forest_figure
from scandl_reports.figures.intervals import Estimate

LOG_MS = "log ms"


def effect_figures(found: PilotResult) -> list[Figure | Note]:
    """Draw the effects of the planned regions: times in ms, the others on their own scale."""
    planned = [e for e in found.effects if e.region in found.options.regions]
    timed = [e for e in planned if e.ms is not None]
    crossed = [e for e in planned if e.ms is None and e.scale == LOG_MS]
    other = [e for e in planned if e.scale != LOG_MS]
    drawn = []
    if timed:
        drawn.append(_forest(found, timed, "Expected effects on reading times, ms"))
    if crossed:
        drawn.append(_forest(found, crossed, "Expected interactions in reading times, log scale"))
    if other:
        drawn.append(_forest(found, other, "Expected effects on log odds and log counts"))
    return drawn


def _forest(found: PilotResult, effects: list[ExpectedEffect], title: str) -> Figure | Note:
    several = len(found.options.regions) > 1
    by_source: dict[str, dict[Cell, Estimate]] = {}
    for e in effects:
        value, interval = (e.effect, e.ci95) if e.ms is None or e.ms_ci95 is None else (e.ms, e.ms_ci95)
        row = f"{e.measure}, {e.region}" if several else e.measure
        by_source.setdefault(e.source, {})[Cell(row, e.contrast)] = Estimate(value, interval)
    rows = list(dict.fromkeys(cell.measure for own in by_source.values() for cell in own))
    contrasts = [name for name in found.contrasts if any(e.contrast == name for e in effects)]
    return forest_figure(
        About(
            title,
            f"Effects of {', '.join(contrasts)} on {', '.join(rows)} for {', '.join(by_source)}.",
            "A dot is the expected effect, a line its 95 % interval over readers and items.",
        ),
        by_source, measures=rows, predictors=contrasts,
    )  # fmt: skip


def power_figures(found: PilotResult) -> list[Figure | Note]:
    """Draw power over readers: a figure for each contrast, a panel for each measure."""
    drawn = []
    kinds = [(contrast, kind) for kind in (STATED, OWN) for contrast in found.contrasts]
    for contrast, kind in kinds:
        panels: dict[str, dict[str, list[tuple[float, Estimate]]]] = {}
        for p in (p for p in found.power if p.contrast == contrast and p.effect_of == kind):
            panel = f"power: {p.measure}" + (f", {p.region}" if len(found.options.regions) > 1 else "")
            point = (float(p.design.readers), Estimate(p.power, p.ci95))
            panels.setdefault(panel, {}).setdefault(_curve(found, p), []).append(point)
        if not panels:
            continue
        whose = "the effect you state" if kind == STATED else "each model's own effect"
        about = About(
            f"Power for {whose}: {contrast}",
            f"Share of simulated experiments that find {contrast}, over numbers of readers.",
            "Bands are 95 % Monte-Carlo intervals; 0.8 is what most plans ask for.",
            ("power",),
        )
        drawn.append(curve_panels_figure(about, panels, x_label="readers", y_limits=(0.0, 1.0)))
    return drawn


def _curve(found: PilotResult, point: PowerPoint) -> str:
    """Return the name of a curve: its source, and what tells it from others of the source."""
    name = point.source
    if point.effect_of == STATED:
        name += f", {next(str(e) for e in found.stated if e.measure.name == point.measure)}"
    return f"{name}, {point.design.items} items" if len(found.options.items) > 1 else name
