"""Figures of tables: the numbers drawn are those of the table above, so that the two cannot disagree.

A page asks on a line of its own below a table, for example ``<!-- figure of energy, NLD -->``, and names
columns of it. A cell is a number, perhaps with a 95 % interval in brackets; the row Human is what others are
read against.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, EstimatePanel, interval_figure

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

REFERENCE = "Human"
NAMES = {"SWIFT": "swift", "E-Z Reader": "ezreader", "people (the model)": "people"}
"""What models are called in prose -> their names, so that one model has one colour."""
_ASKED = re.compile(r"((?:^\|.*\n)+)\n<!-- figure of (.+) -->$", flags=re.MULTILINE)
_NUMBER = r"−?[\d.]*\d"
_CELL = re.compile(rf"({_NUMBER})(?: \[({_NUMBER}), ({_NUMBER})\])?")


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Draw what the page asks for."""
    from mkdocs.structure.files import File

    def figure(asked: re.Match[str]) -> str:
        columns = asked[2].split(", ")
        name = f"figures/{page.file.name}-{len(drawn) + 1}.svg"
        drawn.append(name)
        files.append(File.generated(config, name, content=svg(asked[1], columns)))
        return f"{asked[1]}\n![{asked[2]}: the numbers of the table above, with 95 % intervals]({name})"

    drawn: list[str] = []
    return _ASKED.sub(figure, markdown)


def svg(table: str, columns: list[str]) -> str:
    """Return the drawing of some columns of a table."""
    found = panels(table, columns)
    figure = interval_figure(About(", ".join(columns), "the table above"), found, reference_name=REFERENCE)
    content: str = getattr(figure, "svg", "")
    if not content:
        raise ValueError(f"found no numbers in {columns}")
    ground = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return re.sub(r"(<svg[^>]*>)", rf"\1{ground}", content, count=1)


def panels(table: str, columns: list[str]) -> list[EstimatePanel]:
    """Return the columns of a table that were asked for."""
    head, _, *rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines()]
    made = []
    for column in columns:
        at = head.index(column)
        cells = {NAMES.get(row[0], row[0]): cell(row[at]) for row in rows if at < len(row)}
        known = {name: estimate for name, estimate in cells.items() if estimate is not None}
        reference = known.pop(REFERENCE, None)
        made.append(EstimatePanel(column, known, reference))
    return made


def cell(text: str) -> Estimate | None:
    """Return the estimate in a cell; None where there is none.

    >>> cell("**.056** [.038, .074]").value, cell("")
    (0.056, None)
    """
    found = _CELL.search(text.replace("*", ""))
    if found is None:
        return None
    value, *interval = (None if part is None else float(part.replace("−", "-")) for part in found.groups())
    low, high = interval
    assert value is not None
    return Estimate(value, None if low is None or high is None else (low, high))
