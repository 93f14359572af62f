"""The report as PDF, set by typst: vector figures, text that can be selected and searched."""

from __future__ import annotations

import json
import re
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

from scandl.errors import ScandlError
from scandl_reports.document import Block, Figure, Note, Report, Table, Text, Viewer, numbered, shown
from scandl_reports.svg import cleaned

PAPERS = {"a4": "a4", "letter": "us-letter"}
_MARKS = {"note": "Note", "warning": "Warning", "missing": "Missing"}
_LONG_RUN = re.compile(r"\S{24}(?=\S{8})")
_TABLE_CHARACTERS = 95  # what fits on a line of the table's type; wider tables share the width


def to_pdf(report: Report, *, paper: str = "a4") -> bytes:
    """Return the bytes of the PDF on ``a4`` or ``letter`` paper; the same report gives the same bytes."""
    import typst

    if paper not in PAPERS:
        raise ScandlError(f"no paper {paper!r}; known: {', '.join(PAPERS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = _report(report, folder) | {"paper": PAPERS[paper]}
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


def _report(report: Report, folder: Path) -> dict[str, Any]:
    return {
        "title": report.title,
        "subtitle": breakable(report.subtitle),
        "verdict": [{"about": f.about, "text": breakable(f.text)} for f in report.verdict],
        "sections": [
            {"title": breakable(section.title), "blocks": [_block(*named, folder) for named in blocks]}
            for section, blocks in numbered(report.sections)
        ],
        "terms": [{"name": term.name, "definition": breakable(term.definition)} for term in report.terms],
        "provenance": [[breakable(name), breakable(value)] for name, value in report.provenance],
    }  # fmt: skip


def _block(name: str, block: Block, folder: Path) -> dict[str, Any]:
    match block:
        case Text(text):
            return {"kind": "text", "text": breakable(text)}
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
    rows = [[breakable(shown(cell)) for cell in row] for row in table.rows]
    longest = [
        max(len(text) for text in [column.name, *(row[k] for row in rows)])
        for k, column in enumerate(table.columns)
    ]
    # Columns take the width they need; where all do not fit, those of words share what is left.
    fits = sum(longest) + 2 * len(longest) <= _TABLE_CHARACTERS
    return {
        "title": breakable(table.title),
        "columns": [{"name": column.name, "term": column.term} for column in table.columns],
        "rows": rows,
        "numeric": list(table.numeric),
        "note": breakable(table.note),
        "colours": {breakable(name): colour for name, colour in table.colours.items()},
        "widths": [
            0 if fits or n <= 12 or numeric else n for n, numeric in zip(longest, table.numeric, strict=True)
        ],
    }


def breakable(text: str) -> str:
    """Return the text with places to break inside very long words, which would leave the page.

    >>> breakable("short words stay"), len(breakable("x" * 100))
    ('short words stay', 103)
    """
    return _LONG_RUN.sub(lambda found: found[0] + "\u200b", text)
