"""The report as PDF, set by typst: vector figures, text that can be selected and searched."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from scandl.errors import ScandlError
from scandl.extras import need
from scandl_reports.document import Block, Figure, Note, Report, Table, Text, Viewer, numbered, terms_of
from scandl_reports.svg import cleaned

PAPERS = {"a4": "a4", "letter": "us-letter"}
_MARKS = {"note": "Note", "warning": "Warning", "missing": "Missing"}
_LONG_RUN = re.compile(r"\S{24}(?=\S{8})")
_TABLE_CHARACTERS = 95  # what surely fits on a line of the table's type; wider tables share the width
_SMALL_TYPE = 125  # the same for the smaller type of tables of many columns
_MANY = 7  # columns
LEFT_OUT = (
    "This is the short edition: further figures, all numbers and checks are in the HTML edition and, with "
    "--full, in the PDF."
)


def to_pdf(report: Report, *, paper: str = "a4", full: bool = False) -> bytes:
    """Return the bytes of the PDF on ``a4`` or ``letter`` paper; the same report gives the same bytes.

    Appendices and what is for who asks are left out, and said to be, unless it is to be ``full``.
    """
    typst = need("typst", "pdf")
    if paper not in PAPERS:
        raise ScandlError(f"no paper {paper!r}; known: {', '.join(PAPERS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = _report(report, folder, full) | {"paper": PAPERS[paper]}
        (folder / "report.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
        template = files("scandl_reports").joinpath("templates/report.typ").read_bytes()
        (folder / "report.typ").write_bytes(template)
        # A date of 0 keeps the clock out of the file; fonts of the machine would change its look.
        done = typst.compile(
            folder / "report.typ", root=folder, font_paths=[_fonts()], ignore_system_fonts=True, timestamp=0
        )
    assert isinstance(done, bytes)
    return done


def _fonts() -> Path:
    """Return the folder with DejaVu Sans, which has the scripts that the compiler's own fonts lack."""
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf"


def _report(report: Report, folder: Path, full: bool) -> dict[str, Any]:
    told = [
        (section, [*blocks, *more] if full else blocks)
        for section, blocks, more in numbered(report)
        if full or not section.appendix
    ]
    cut = not full and any(section.appendix or section.more for section in report.sections)
    printed = [block for _, blocks in told for _, block in blocks]
    used = {name for block in (*printed, report.picture) if block for name in terms_of(block)}
    return {
        "title": report.title,
        "subtitle": breakable(report.subtitle),
        "verdict": [{"about": f.about, "text": breakable(f.text)} for f in report.verdict],
        "picture": _block("Figure 1", report.picture, folder) if report.picture else None,
        "sections": [
            {
                "title": breakable(section.heading),
                "blocks": [_block(name, block, folder) for name, block in blocks],
            }
            for section, blocks in told
        ],
        "left_out": LEFT_OUT if cut else "",
        "terms": [
            {"name": term.name, "definition": breakable(term.definition)}
            for term in report.terms
            if full or term.name in used
        ],
        "provenance": [[breakable(name), breakable(value)] for name, value in report.provenance],
    }


def _block(name: str, block: Block, folder: Path) -> dict[str, Any]:
    match block:
        case Text(text, lead):
            return {"kind": "text", "text": breakable(text), "lead": breakable(lead)}
        case Note(text, kind):
            return {"kind": "note", "mark": _MARKS[kind], "text": breakable(text)}
        case Table():
            return {"kind": "table", "name": name, **_table(block)}
        case Figure():
            file = f"{name.lower().replace(' ', '-')}.svg"
            (folder / file).write_text(cleaned(block.svg), encoding="utf-8")
            said = {"alt": block.alt, "caption": breakable(block.caption)}
            return {"kind": "figure", "name": name, "title": block.title, "file": file, **said}
        case Viewer():
            said = {"caption": breakable(block.caption), "on_paper": block.on_paper}
            return {"kind": "viewer", "title": block.title, **said}


def _table(table: Table) -> dict[str, Any]:
    rows = [[breakable(text) for text in row] for row in table.shown]
    longest = [
        max(len(text) for text in [column.name, *(row[k] for row in rows)])
        for k, column in enumerate(table.columns)
    ]
    longest[0] += 2 if table.colours else 0
    return {
        "title": breakable(table.title),
        "columns": [{"name": column.name, "term": column.term} for column in table.columns],
        "rows": rows,
        "numeric": list(table.numeric),
        "note": breakable(table.note),
        "colours": {breakable(name): colour for name, colour in table.colours.items()},
        "small": len(table.columns) > _MANY,
        "widths": _widths(longest, table.numeric),
    }


def _widths(longest: Sequence[int], numeric: Sequence[bool]) -> list[int]:
    """Return 0 for a column that takes the width it needs, and the shares of the others in the rest.

    Where not everything fits, columns of long words share what is left: those beyond the length of a
    name if that leaves the others some room, else those beyond that of a short word.

    >>> _widths([16, 12], [False, True]), _widths([16, 20, 80], [False, True, False])
    ([0, 0], [0, 0, 80])
    >>> _widths([20, 24, 24, 24, 80], [False] * 5)
    [20, 24, 24, 24, 80]
    """
    room = _SMALL_TYPE if len(longest) > _MANY else _TABLE_CHARACTERS
    if sum(longest) + 2 * len(longest) <= _TABLE_CHARACTERS:
        return [0] * len(longest)
    for whole in (24, 12):
        widths = [0 if right or n <= whole else n for n, right in zip(longest, numeric, strict=True)]
        taken = [n + 2 if width == 0 else 14 for n, width in zip(longest, widths, strict=True)]
        if sum(taken) <= room:
            break
    return widths


def breakable(text: str) -> str:
    """Return the text with places to break inside very long words, which would leave the page.

    >>> breakable("short words stay"), len(breakable("x" * 100))
    ('short words stay', 103)
    """
    return _LONG_RUN.sub(lambda found: found[0] + "\u200b", text)
