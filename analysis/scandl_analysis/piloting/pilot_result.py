"""What a pilot found: confounds, expected effects, power, and the sentence for the preregistration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import pandas as pd

from scandl.files.results import Provenance
from scandl.files.tables import write_table
from scandl.files.tabular import Tabular, flat_record
from scandl_analysis.piloting.expected_effects import HUMAN, Agreement, ExpectedEffect
from scandl_analysis.piloting.experiments import Components, PilotOptions
from scandl_analysis.piloting.planned_regression import Confound
from scandl_analysis.piloting.power import ENOUGH, OWN, STATED, PowerPoint, StatedEffect, curves, smallest
from scandl_analysis.piloting.reading_pool import REGIONS, Surprisals
from scandl_analysis.piloting.stimuli import Stimuli, list_rows
from scandl_reports.writing import check_form, write_report

if TYPE_CHECKING:
    from scandl_reports.document import Report


WIDTH = 100  # of prose on a terminal
Cells = tuple[list[str], list[list[str]]]
"""The header and the rows of a table as it is printed."""


CANNOT_KNOW = (
    "The models were not made for such contrasts. E-Z Reader and SWIFT know length, frequency and"
    " (E-Z Reader) predictability of words and nothing of syntax or meaning; a trained model knows what its"
    " training sentences taught it. An effect that people show for other reasons is absent here.",
    "A model's own effect is an expectation, not a fact: power for it holds if readers are like this model."
    " Power for an effect you state does not depend on the model's effect, only on its variances.",
    "Simulated readers differ less from each other than people do, and react alike to the condition. Where"
    " the slopes of readers vary in fact, real power is lower: on the stimuli of mertzen (56 readers, 40"
    " items) power for 25 ms on TFT was 76 to 80 % with people's variances, 95 to 100 % with models'.",
    "Experiments drawn from the pool use the items of the file: their power is for these items. Tracker"
    " loss, blinks, excluded readers and trials, comprehension and fatigue are not simulated: plan for"
    " more readers.",
)
"""What a simulation cannot know."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PilotResult(Tabular):
    """The results of a pilot; its table are the expected effects with the power for them."""

    stimuli: Stimuli
    options: PilotOptions
    contrasts: tuple[str, ...]
    formula: str  # of the planned regression, {measure} for the outcome
    about: Mapping[str, str]  # what is to be said of the readers of each model
    confounds: list[Confound]
    effects: list[ExpectedEffect]
    power: list[PowerPoint]
    agreement: list[Agreement]
    components: Mapping[tuple[str, str, str], Components]  # by source, region and measure
    used: Mapping[tuple[str, str, str], Components]  # the same with readers spread as people are
    stated: list[StatedEffect]
    notes: list[str]
    surprisals: Surprisals = field(repr=False)
    provenance: Provenance = field(repr=False)

    def __repr__(self) -> str:
        n = len(self.stimuli.items)
        return (
            f"<Pilot of {n} items in {len(self.stimuli.conditions)} conditions by {', '.join(self.about)};"
            f" {len(self.effects)} effects, {len(self.power)} points of power>"
        )

    def records(self) -> list[dict[str, Any]]:
        """Return one record per expected effect."""
        return [asdict(effect) for effect in self.effects]

    def shown(self) -> Cells:
        """Return the table that ``scandl-analysis pilot`` prints."""
        return effect_cells(self)

    def power_frame(self) -> pd.DataFrame:
        """Return the power of every design."""
        return _frame([asdict(point) for point in self.power])

    def confound_frame(self) -> pd.DataFrame:
        """Return what differs between the conditions beside what is meant to."""
        return _frame([each.as_dict(self.stimuli.conditions) for each in self.confounds])

    def component_frame(self) -> pd.DataFrame:
        """Return the standard deviations that power rests on, beside those of people where they are known."""
        return _frame(component_records(self))

    def sentences(self) -> list[str]:
        """Return the sentences for a preregistration, one per curve of power."""
        return sentences(self)

    def text(self, *, quiet: bool = False) -> str:
        """Return what a co-author asks for: confounds, effects, and the sentences; ``quiet``: no notes."""
        notes = [*self.notes, *(f"{name}: {about}" for name, about in self.about.items())]
        differing = [each for each in self.confounds if each.notable]
        said = "Conditions differ in these; what is not meant to is a confound:"
        parts = [
            *([] if quiet else notes),
            said if differing else "No confound was found.",
            *([aligned(confound_cells(differing, self.stimuli.conditions))] if differing else []),
            "",
            aligned(effect_cells(self, regions=self.options.regions)),
            "",
            *([fill(spread_note(self), WIDTH), ""] if spread_note(self) else []),
            *(fill(sentence, WIDTH, break_on_hyphens=False) for sentence in self.sentences()),
        ]
        return "\n".join(parts)

    def as_report(self) -> Report:
        """Return the page as a value."""
        from scandl_analysis.piloting.pilot_report import build_pilot_report

        return build_pilot_report(self)

    def write(self, folder: Path | str) -> None:
        """Write effects, power, confounds, agreement and the Latin-square lists as CSV files."""
        tables = {
            "effects": self.records(),
            "power": [asdict(point) for point in self.power],
            "confounds": [each.as_dict(self.stimuli.conditions) for each in self.confounds],
            "agreement": [asdict(each) for each in self.agreement],
            "components": component_records(self),
            "lists": list_rows(self.stimuli),
        }
        for name, records in tables.items():
            rows = [flat_record(record) for record in records]
            if rows:
                columns = {key: ["" if row[key] is None else row[key] for row in rows] for key in rows[0]}
                write_table(Path(folder) / f"{name}.csv", columns)

    def report(self, path: Path | str) -> None:
        """Write the report, .html, .pdf, .txt or .tex by the ending."""
        check_form(path)
        write_report(self.as_report(), path)


def _frame(records: list[dict[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([flat_record(record) for record in records])


PLACE = ["source", "region", "measure", "contrast"]


def effect_cells(found: PilotResult, regions: tuple[str, ...] = REGIONS) -> Cells:
    """Return the expected effects, on their scale and in ms, and the power of the largest design."""
    largest = {point.place: point for point in found.power if point.effect_of == OWN}  # designs grow
    rows = []
    for e in (e for e in found.effects if e.region in regions):
        ms, ms_ci95 = known(e.ms, signed, 0), known(e.ms_ci95, span, 0)
        power = known(largest.get(e.place), lambda p: f"{share(p.power)} ({p.readers} × {p.items})")
        rows.append([*e.place, signed(e.effect), span(e.ci95), ms, ms_ci95, power])
    return [*PLACE, "effect", "95 %", "ms", "95 % (ms)", "power"], rows


def component_records(found: PilotResult) -> list[dict[str, Any]]:
    """Return one record per standard deviation: of readers, items and residuals, of each contrast.

    ``of_people`` is the share of that of people who read the same stimuli; None where nobody did, or where
    people do not differ. ``used`` is what power for a stated effect rests on.
    """
    rows = []
    for (source, region, measure), own in found.components.items():
        people = found.components.get((HUMAN, region, measure))
        beside = dict(_deviations(people, found.contrasts)) if people is not None else {}
        used = dict(_deviations(found.used[source, region, measure], found.contrasts))
        for term, deviation in _deviations(own, found.contrasts):
            theirs = beside.get(term) if source != HUMAN else None
            rows.append(
                {
                    "source": source,
                    "region": region,
                    "measure": measure,
                    "term": term,
                    "sd": deviation,
                    "of_people": deviation / theirs if theirs else None,
                    "used": used[term],
                }
            )
    return rows


def _deviations(own: Components, contrasts: tuple[str, ...]) -> list[tuple[str, float]]:
    """Return the standard deviations of a mixed model by what they are of."""
    of = ("", *(f", {name}" for name in contrasts))
    return [
        *((f"readers{name}", sd) for name, sd in zip(of, own.reader, strict=True)),
        *((f"items{name}", sd) for name, sd in zip(of, own.item, strict=True)),
        ("residual", own.residual),
    ]


def component_cells(found: PilotResult) -> Cells:
    """Return the standard deviations that power rests on, as they are printed."""
    place = ("source", "region", "measure", "term")
    rows = [
        [*(r[name] for name in place), f"{r['sd']:.3f}", known(r["of_people"], share), f"{r['used']:.3f}"]
        for r in component_records(found)
    ]
    return [*place[:3], "standard deviation of", "value", "of people's", "power uses"], rows


def spread_note(found: PilotResult) -> str:
    """Say how much of the spread of people the simulated readers have, and where power uses a larger one.

    Power for an effect falls with the spread of readers, so what is too small here is too high there.
    """
    records = component_records(found)
    wider = dict.fromkeys(r["source"] for r in records if r["used"] > r["sd"])
    said = [
        f"The card of {name} knows that its readers differ too little: power for stated effects spreads them"
        " as people are spread (in the table of standard deviations: power uses). The model's own effects"
        " are drawn from readers as they are."
        for name in wider
    ]
    rows = [r for r in records if r["term"].startswith("readers") and r["of_people"]]
    if rows:
        small = [r for r in rows if r["of_people"] < 1]
        said.append(
            f"Simulated readers differ less from each other than people in {len(small)} of {len(rows)}"
            " standard deviations; the smallest has"
            f" {share(min(r['of_people'] for r in rows))} of that of people."
        )
    return " ".join(said)


def power_cells(points: list[PowerPoint]) -> Cells:
    """Return the power of every design."""
    header = [*PLACE, "effect of", "effect", "readers", "items", "power", "95 %", "type S", "type M"]
    rows = []
    for p in points:
        wrong = [known(p.type_s, share), known(p.type_m, "{:.1f}".format)]
        effect = [p.effect_of, signed(p.effect)]
        rows.append([*p.place, *effect, str(p.readers), str(p.items), share(p.power), shares(p.ci95), *wrong])
    return header, rows


def design_cells(points: list[PowerPoint]) -> Cells:
    """Return for every effect the smallest design that suffices, or the largest that does not."""
    rows = []
    for own in curves(points).values():
        enough = smallest(own)
        p = enough or own[-1]  # designs grow
        size = [str(p.readers), str(p.items)] if enough else ["none", ""]
        rows.append([*p.place, p.effect_of, *size, share(p.power), shares(p.ci95)])
    return [*PLACE, "effect of", "readers", "items", "power", "95 %"], rows


def confound_cells(found: list[Confound], conditions: tuple[str, ...]) -> Cells:
    """Return what else differs between the conditions."""
    rows = []
    for c in found:
        means = [f"{mean:.2f}" for mean in c.means]
        sizes = [signed(c.difference), known(c.ci95, span), known(c.d, signed)]
        rows.append([c.feature, c.contrast, *means, *sizes, "differs" if c.notable else ""])
    return ["feature", "contrast", *conditions, "difference", "95 %", "d", ""], rows


def known(value: Any, write: Callable[..., str], *how: int) -> str:
    """Return a value as it is written, or nothing where it is missing.

    >>> known(0.8, share), known(None, share)
    ('80 %', '')
    """
    return "" if value is None else write(value, *how)


def aligned(cells: Cells) -> str:
    """Return a table in aligned columns, for a terminal."""
    header, rows = cells
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in [header, *rows]
    ]
    return "\n".join(lines)


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign.

    >>> signed(0.125), signed(-3.2, 0), signed(0.001)
    ('+0.12', '−3', '0.00')
    """
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if text.strip("+-0.") else text.lstrip("+-")


def span(interval: tuple[float, float], digits: int = 2) -> str:
    """Return an interval."""
    return f"[{signed(interval[0], digits)}, {signed(interval[1], digits)}]"


def share(value: float) -> str:
    """Return a share as a percentage.

    >>> share(0.8)
    '80 %'
    """
    return f"{100 * value:.0f} %"


def shares(interval: tuple[float, float]) -> str:
    """Return an interval of shares."""
    return f"{share(interval[0])}–{share(interval[1])}"


def sentences(found: PilotResult) -> list[str]:
    """Return a sentence per curve of power, for stated effects first: those belong in a preregistration.

    A model's own effect is left out where it may as well be 0: there is nothing to find then.
    """
    clear = {effect.place for effect in found.effects if effect.clear}
    told = [
        (of, points) for (place, of), points in curves(found.power).items() if of == STATED or place in clear
    ]
    ordered = sorted(told, key=lambda pair: pair[0] != STATED)
    return [_sentence(found, points) for _, points in ordered]


def _sentence(found: PilotResult, points: list[PowerPoint]) -> str:
    """Return the sentence about the smallest design that suffices, else about the largest."""
    enough = smallest(points)
    point = enough or max(points, key=lambda p: p.size)
    place = f"{point.contrast} on {point.measure} of the {_WHERE[point.region]}"
    if point.effect_of == STATED:
        size = next(str(e) for e in found.stated if e.measure.name == point.measure)
        what = f"an effect of {size} of {place}, with the variances of {point.source},"
    else:
        what = f"the effect of {place} that {point.source} expects ({_size(found, point)})"
    regression = found.formula.replace("{measure}", point.measure)
    end = "" if enough else f"; no design that was tried reaches {share(ENOUGH)}"
    return (
        f"With {point.readers} readers and {point.items} items, power for {what} is"
        f" {share(point.power)}"
        f" (95 % Monte-Carlo interval {share(point.ci95[0])} to {share(point.ci95[1])};"
        f" {point.n} simulated experiments, {regression}, α = .05){end}."
    )


_WHERE = {"critical": "critical region", "spillover": "spill-over word", "sentence": "whole sentence"}


def _size(found: PilotResult, point: PowerPoint) -> str:
    """Return the effect in ms where it is one of times."""
    e = next(effect for effect in found.effects if effect.place == point.place)
    return f"{signed(e.ms, 0)} ms" if e.ms is not None else f"{signed(e.effect)} {e.scale}"
