"""The tables of a pilot as they are printed and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scandl_analysis.piloting.design.confounds import Confound
from scandl_analysis.piloting.design.latin_square import list_rows
from scandl_analysis.piloting.planned_measures import REGIONS
from scandl_analysis.piloting.power import OWN, PowerPoint, curves, smallest

if TYPE_CHECKING:
    from scandl_analysis.piloting.pilot_result import PilotResult

Cells = tuple[list[str], list[list[str]]]


def effect_cells(found: PilotResult, regions: tuple[str, ...] = REGIONS) -> Cells:
    """Return the expected effects, on their scale and in ms, and the power of the largest design."""
    own = [point for point in found.power if point.effect_of == OWN]
    largest = {(p.source, p.region, p.measure, p.contrast): p for p in own}  # designs grow
    header = ["source", "region", "measure", "contrast", "effect", "95 %", "ms", "95 % (ms)", "power"]
    rows = []
    for e in (e for e in found.effects if e.region in regions):
        point = largest.get((e.source, e.region, e.measure, e.contrast))
        rows.append(
            [
                e.source,
                e.region,
                e.measure,
                e.contrast,
                signed(e.effect),
                span(e.ci95),
                "" if e.ms is None else signed(e.ms, 0),
                "" if e.ms_ci95 is None else span(e.ms_ci95, 0),
                ""
                if point is None
                else f"{share(point.power)} ({point.design.readers} × {point.design.items})",
            ]
        )
    return header, rows


def power_cells(points: list[PowerPoint]) -> Cells:
    """Return the power of every design."""
    header = [
        "source",
        "region",
        "measure",
        "contrast",
        "effect of",
        "effect",
        "readers",
        "items",
        "power",
        "95 %",
        "type S",
        "type M",
    ]
    rows = [
        [
            p.source,
            p.region,
            p.measure,
            p.contrast,
            p.effect_of,
            signed(p.effect),
            str(p.design.readers),
            str(p.design.items),
            share(p.power),
            f"{share(p.ci95[0])}–{share(p.ci95[1])}",
            "" if p.type_s is None else share(p.type_s),
            "" if p.type_m is None else f"{p.type_m:.1f}",
        ]
        for p in points
    ]
    return header, rows


def design_cells(points: list[PowerPoint]) -> Cells:
    """Return for every effect the smallest design that suffices, or the largest that does not."""
    header = ["source", "region", "measure", "contrast", "effect of", "readers", "items", "power", "95 %"]
    rows = []
    for own in curves(points).values():
        enough = smallest(own)
        p = enough or own[-1]  # designs grow
        size = [str(p.design.readers), str(p.design.items)] if enough else ["none", ""]
        interval = f"{share(p.ci95[0])}–{share(p.ci95[1])}"
        rows.append([p.source, p.region, p.measure, p.contrast, p.effect_of, *size, share(p.power), interval])
    return header, rows


def confound_cells(found: list[Confound], conditions: tuple[str, ...]) -> Cells:
    """Return what else differs between the conditions."""
    header = ["feature", "contrast", *conditions, "difference", "95 %", "d", ""]
    rows = [
        [
            c.feature,
            c.contrast,
            *(f"{mean:.2f}" for mean in c.means),
            signed(c.difference),
            "" if c.ci95 is None else span(c.ci95),
            "" if c.d is None else signed(c.d),
            "differs" if c.notable else "",
        ]
        for c in found
    ]
    return header, rows


def aligned(cells: Cells) -> str:
    """Return a table in aligned columns, for a terminal."""
    header, rows = cells
    widths = [max(len(row[k]) for row in [header, *rows]) for k in range(len(header))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in [header, *rows]
    ]
    return "\n".join(lines)


def write_tables(found: PilotResult, folder: Path) -> None:
    """Write effects, power, confounds, agreement and the Latin-square lists as CSV files."""
    from scandl.files.tables import write_table
    from scandl.files.tabular import flat_record

    tables = {
        "effects.csv": found.records(),
        "power.csv": [point.as_dict() for point in found.power],
        "confounds.csv": [each.as_dict(found.stimuli.conditions) for each in found.confounds],
        "agreement.csv": [each.as_dict() for each in found.agreement],
        "lists.csv": list_rows(found.stimuli),
    }
    for name, records in tables.items():
        rows = [flat_record(record) for record in records]
        if rows:
            columns = {key: ["" if row[key] is None else row[key] for row in rows] for key in rows[0]}
            write_table(folder / name, columns)


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
