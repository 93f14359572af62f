"""The report as one HTML file that opens from disk and asks the network for nothing; its tables as CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scandl_reports.document import Block, Cell, Named, Report, Section, Table, Viewer, numbered, shown
from scandl_reports.svg import INK, RULE, inlined, showable, themed

if TYPE_CHECKING:
    from jinja2 import Environment

TABS = 8
"""More tabs than the style sheet knows are shown below each other."""

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True, slots=True)
class Tab:
    """A section as the page shows it: alone in its chapter, or as a tab among others."""

    id: str
    section: Section
    blocks: list[tuple[str, str, Block]]
    more: list[tuple[str, str, Block]]

    @property
    def more_text(self) -> str:
        """Say what is folded.

        >>> Tab("", Section("t", ()), [], [("Figure 2", "figure", None), ("", "text", None)]).more_text
        'More: 1 figure'
        """
        kinds = Counter(kind for _, kind, _ in self.more if kind in ("figure", "table", "viewer"))
        counts = [f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in kinds.items()]
        return f"More: {', '.join(counts)}" if counts else "More"


def to_html(report: Report) -> str:
    """Return the whole page."""
    panels = [
        Tab(f"section-{n}", section, _kinds(blocks), _kinds(more))
        for n, (section, blocks, more) in enumerate(numbered(report), start=1)
    ]
    chapters = [list(group) for _, group in groupby(panels, key=_chapter)]
    definitions = {term.name: f"term-{n}" for n, term in enumerate(report.terms, start=1)}
    page = _environment().get_template("report.html")
    return showable(
        page.render(
            report=report, chapters=chapters, definitions=definitions, ink=INK, rule=RULE, most_tabs=TABS
        )
    )


def _chapter(panel: Tab) -> tuple[str, ...]:
    """Return what sections of one chapter share: their title if they are tabs, else nothing."""
    section = panel.section
    return (section.title, str(section.appendix)) if section.tab else (panel.id,)


def _kinds(blocks: list[Named]) -> list[tuple[str, str, Block]]:
    return [(name, type(block).__name__.lower(), block) for name, block in blocks]


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("scandl_reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    loader = environment.loader
    assert loader is not None

    def source(name: str) -> str:
        """Return a file of ours as it is: style sheet or script."""
        return Markup(loader.get_source(environment, name)[0])

    environment.filters |= {
        "themed": themed,
        "sort_value": _sort_value,
        "csv_link": lambda table: "data:text/csv;charset=utf-8," + quote(csv_text(table), safe=",. []"),
        "drawing": lambda figure, name: Markup(
            inlined(figure.svg, _slug(name).replace("figure-", "f") + "-")
        ),
        "slug": _slug,
        "viewer_data": lambda viewer: Markup(_json(_viewer_data(viewer))),
    }
    environment.globals["source"] = source
    return environment


def _slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def _sort_value(cell: Cell) -> str:
    """Return what a column is sorted by: a number where there is one.

    >>> _sort_value((0.25, 1.0)), _sort_value(2), _sort_value("2 (1–3)"), _sort_value(None)
    ('0.25', '2', '2 (1–3)', '')
    """
    first = cell[0] if isinstance(cell, tuple) else cell
    return "" if first is None else str(first)


def _json(value: Any) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _known(number: float | None) -> str | None:
    return None if number is None else shown(number)


def _viewer_data(viewer: Viewer) -> dict[str, Any]:
    return {
        "distance": viewer.distance_name,
        "colours": {name: themed(colour) for name, colour in viewer.colours.items()},
        "sentences": [
            {
                "group": sentence.group,
                "id": sentence.sentence_id,
                "words": sentence.words,
                "readings": [
                    [r.name, r.words, r.durations, r.instead_of, _known(r.distance)]
                    for r in sentence.readings
                ],
            }
            for sentence in viewer.sentences
        ],
    }


def csv_text(table: Table) -> str:
    """Return header and rows at full precision; an interval takes two columns."""
    spans = [any(isinstance(row[k], tuple) for row in table.rows) for k in range(len(table.columns))]
    header: list[str] = []
    for column, span in zip(table.columns, spans, strict=True):
        header += [f"{column.name} low", f"{column.name} high"] if span else [column.name]
    stream = io.StringIO()
    lines = [[harmless(name) for name in header]]
    lines += [
        [part for cell, span in zip(row, spans, strict=True) for part in _parts(cell, span)]
        for row in table.rows
    ]
    # The writer of Python 3.11 leaves a lone carriage return bare, which would begin a new line.
    returns = any("\r" in cell for line in lines for cell in line)
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL)
    writer.writerows(lines)
    return stream.getvalue()


def harmless(text: str) -> str:
    """Return the text with an apostrophe before what a spreadsheet would take for a formula.

    >>> harmless("=HYPERLINK(0)"), harmless("-0.5"), harmless("markov")
    ("'=HYPERLINK(0)", '-0.5', 'markov')
    """
    risky = text.startswith(_STARTS_A_FORMULA) and _NUMBER.fullmatch(text) is None
    return f"'{text}" if risky else text


def _parts(cell: Cell, span: bool) -> Iterable[str]:
    if isinstance(cell, tuple):
        return [repr(float(part)) for part in cell]
    text = "" if cell is None else repr(float(cell)) if isinstance(cell, float) else harmless(str(cell))
    return [text, ""] if span else [text]
