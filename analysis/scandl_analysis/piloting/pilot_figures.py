"""The figures of a pilot: expected effects and curves of power."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from scandl_analysis.piloting.expected_effects import ExpectedEffect
from scandl_analysis.piloting.pilot_result import PilotResult, signed, span
from scandl_analysis.piloting.planned_regression import leaves_out_0
from scandl_analysis.piloting.power import OWN, STATED, PowerPoint
from scandl_reports.document import Block, Column, Figure, Note, Table, Text
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Cell, Estimate, curve_panels_figure, forest_figure

LOG_MS = "log ms"
FILE = "pilot_recovery.json"


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
        by_source,
        measures=rows,
        predictors=contrasts,
    )


def power_figures(found: PilotResult) -> list[Figure | Note]:
    """Draw power over readers, a panel for each measure: stated effects, then the models' own."""
    drawn = [_power(found, STATED, found.contrasts, "Power for the effects you state")]
    for contrast in found.contrasts:
        drawn.append(_power(found, OWN, (contrast,), f"Power for each model's own effect: {contrast}"))
    return [figure for figure in drawn if figure is not None]


def _power(found: PilotResult, kind: str, contrasts: Sequence[str], title: str) -> Figure | Note | None:
    """Draw the curves of some contrasts; None where there are none."""
    panels: dict[str, dict[str, list[tuple[float, Estimate]]]] = {}
    for p in (p for p in found.power if p.contrast in contrasts and p.effect_of == kind):
        panel = _panel(found, p, several=len(contrasts) > 1)
        point = (float(p.readers), Estimate(p.power, p.ci95))
        panels.setdefault(panel, {}).setdefault(_curve(found, p), []).append(point)
    if not panels:
        return None
    about = About(
        title,
        f"Share of simulated experiments that find {', '.join(contrasts)}, over numbers of readers.",
        "Bands are 95 % Monte-Carlo intervals; 0.8 is what most plans ask for.",
        ("power",),
    )
    return curve_panels_figure(about, panels, x_label="readers", y_limits=(0.0, 1.0))


def _panel(found: PilotResult, point: PowerPoint, *, several: bool) -> str:
    """Return what a panel shows: the measure, and what tells it from the other panels."""
    parts = [f"power: {point.measure}"]
    parts += [point.region] if len(found.options.regions) > 1 else []
    if point.effect_of == STATED:
        parts.append(next(str(e) for e in found.stated if e.measure.name == point.measure))
    return ", ".join(parts) + (f"\n{point.contrast}" if several else "")


def _curve(found: PilotResult, point: PowerPoint) -> str:
    """Return the name of a curve: its source, and the number of items where there are several."""
    several = len(found.options.items) > 1
    return f"{point.source}, {point.items} items" if several else point.source


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """An effect of people who read the same stimuli, and what a model says of it."""

    corpus: str
    model: str
    region: str
    measure: str
    contrast: str
    human: tuple[float, float, float]  # effect and the ends of its 95 % interval
    expected: tuple[float, float, float]

    @property
    def human_clear(self) -> bool:
        """Whether people's interval leaves out 0."""
        return leaves_out_0(self.human[1:])

    @property
    def model_clear(self) -> bool:
        """Whether the model's interval leaves out 0."""
        return leaves_out_0(self.expected[1:])

    @property
    def same_sign(self) -> bool:
        """Whether both have one sign."""
        return (self.human[0] > 0) == (self.expected[0] > 0)


def known_effects() -> list[HeldAgainst]:
    """Return what the package knows of its models beside people."""
    path = files("scandl_analysis").joinpath("published", FILE)
    told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return [
        HeldAgainst(
            corpus["name"],
            row["source"],
            row["region"],
            row["measure"],
            row["contrast"],
            tuple(row["human"]),
            tuple(row["effect"]),
        )
        for corpus in told["corpora"]
        for row in corpus["effects"]
    ]


def summary(effects: Sequence[HeldAgainst], model: str) -> str:
    """Say in words how right a model was.

    >>> one = HeldAgainst("c", "m", "sentence", "TFT", "b − a", (0.1, 0.05, 0.2), (0.2, 0.1, 0.3))
    >>> summary([one], "m")
    'c: m showed 1 of 1 clear human effects; of 1 effects it was sure of, people showed 1'
    """
    said = []
    for corpus in dict.fromkeys(e.corpus for e in effects if e.model == model):
        own = [e for e in effects if e.model == model and e.corpus == corpus]
        both = sum(e.human_clear and e.model_clear and e.same_sign for e in own)
        people, sure = sum(e.human_clear for e in own), sum(e.model_clear for e in own)
        said.append(
            f"{corpus}: {model} showed {both} of {people} clear human effects; of {sure} effects it was sure"
            f" of, people showed {both}"
        )
    return "; ".join(said)


def recovery_blocks(models: Sequence[str]) -> tuple[Block, ...]:
    """Return what is known of these models, and which have not been held against people."""
    effects = known_effects()
    tried = [model for model in models if any(e.model == model for e in effects)]
    untried = [model for model in models if model not in tried]
    blocks: list[Block] = [Text(f"Held against people, {summary(effects, model)}.") for model in tried]
    shown = [e for e in effects if e.model in tried and (e.human_clear or e.model_clear)]
    if shown:
        columns = [
            "model",
            "corpus",
            "region",
            "measure",
            "contrast",
            "people",
            "95 %",
            "model's",
            "95 % (model)",
        ]
        rows = tuple(
            (e.model, e.corpus, e.region, e.measure, e.contrast, *_shown(e.human), *_shown(e.expected))
            for e in shown
        )
        title = "Effects that people or models were sure of, on the scale of the measure"
        blocks.append(Table(title, tuple(map(Column, columns)), rows))
    if untried:
        blocks.append(
            Note(f"Not held against people in such experiments yet: {', '.join(untried)}.", "warning")
        )
    return tuple(blocks)


def _shown(effect: tuple[float, float, float]) -> tuple[str, str]:
    return signed(effect[0]), span(effect[1:])
