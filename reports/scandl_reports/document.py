"""A report as data: what is said, in which order, from where; how it looks is for the back ends to know."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

Cell = str | int | float | tuple[float, float] | None
"""A table cell: words, a count, a measured number, an interval, or what cannot be given."""

NOT_GIVEN = "–"
DIGITS = 3


@dataclass(frozen=True, slots=True)
class Term:
    """A word that a reader may want to look up."""

    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence of the verdict, and what it is about."""

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; ``lead`` says in bold what it is about."""

    text: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark set apart: how to read something, what must not be missed, or what is not there."""

    text: str
    kind: Literal["note", "warning", "missing"] = "note"


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a table column; ``term`` names its definition.

    A ``probability`` too small for the digits shown is said to be small, never to be zero.
    """

    name: str
    term: str = ""
    probability: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells; the first column names the row.

    ``colours`` gives names of the first column the colour they have in the figures.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    colours: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Whether each column holds numbers, which are set flush right."""
        return tuple(
            all(not isinstance(row[k], str) for row in self.rows) and bool(self.rows)
            for k in range(len(self.columns))
        )

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """What every back end prints for the cells."""
        return tuple(
            tuple(
                shown(cell, probability=column.probability)
                for cell, column in zip(row, self.columns, strict=True)
            )
            for row in self.rows
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, what it shows in words, and the numbers it was drawn from."""

    title: str
    svg: str = field(repr=False)
    alt: str
    data: Table
    caption: str = ""
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownReading:
    """One path over a sentence: a person's, or a model's in the place of a person."""

    name: str
    words: tuple[int, ...]
    durations: tuple[float, ...] | None = None  # ms
    instead_of: str = ""  # the reader a model stands for; empty for readers themselves
    distance: float | None = None  # to the path of that reader


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence with the readings that can be looked at."""

    group: str
    sentence_id: str
    words: tuple[str, ...]
    readings: tuple[ShownReading, ...]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Sentences to step through, fixation by fixation; on paper only their number."""

    title: str
    sentences: tuple[ReadSentence, ...]
    distance_name: str
    caption: str = ""
    colours: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def on_paper(self) -> str:
        """What a back end says that cannot move."""
        paths = sum(len(sentence.readings) for sentence in self.sentences)
        return (
            f"{len(self.sentences)} sentences with {paths} scanpaths can be played in the HTML edition of "
            "this report."
        )


Block = Text | Note | Table | Figure | Viewer


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter; an appendix stands behind all other chapters, also those added later.

    Sections of one title that follow each other are tabs of one chapter, each with the name ``tab``.
    What is in ``more`` is for those who ask: folded on a page, left out of a short PDF.
    """

    title: str
    blocks: tuple[Block, ...]
    appendix: bool = False
    more: tuple[Block, ...] = ()
    tab: str = ""

    @property
    def heading(self) -> str:
        """What stands above the section where there are no tabs."""
        return f"{self.title}: {self.tab}" if self.tab else self.title

    @property
    def everything(self) -> tuple[Block, ...]:
        """The blocks, and those for who asks."""
        return (*self.blocks, *self.more)


@dataclass(frozen=True, slots=True)
class Report:
    """A document: verdict and picture first, then the chapters, definitions, and where it comes from.

    Verdict and picture are what is seen in the first half minute; they have to be enough. ``readers`` is
    what tables and figures call those who were recorded, so that Human never names simulated readers.
    """

    title: str
    subtitle: str
    verdict: tuple[Finding, ...]
    sections: tuple[Section, ...]
    terms: tuple[Term, ...] = ()
    provenance: tuple[tuple[str, str], ...] = ()
    picture: Figure | None = None
    readers: str = "Human"

    def __post_init__(self) -> None:
        known = {term.name for term in self.terms}
        blocks = [block for section in self.sections for block in section.everything]
        blocks += [self.picture] if self.picture else []
        used = {name for block in blocks for name in terms_of(block)}
        if missing := sorted(used - known):
            raise ValueError(f"terms without a definition: {', '.join(missing)}")

    def with_sections(self, added: Iterable[Section], terms: Iterable[Term] = ()) -> Report:
        """Return the report with more chapters, before the appendices, and the definitions they need."""
        known = {term.name for term in self.terms}
        sections = sorted((*self.sections, *added), key=lambda section: section.appendix)
        more = (term for term in terms if term.name not in known)
        return replace(self, sections=tuple(sections), terms=(*self.terms, *more))


def terms_of(block: Block) -> tuple[str, ...]:
    """Return the terms a block refers to."""
    if isinstance(block, Table):
        return tuple(column.term for column in block.columns if column.term)
    return block.terms if isinstance(block, Figure) else ()


def shown(cell: Cell, *, probability: bool = False) -> str:
    """Return what is printed for a cell.

    >>> shown(0.5), shown(12), shown((0.25, 1.0)), shown(None), shown(float("nan"))
    ('0.500', '12', '[0.250, 1.000]', '–', '–')
    >>> shown(0.0004), shown(0.0004, probability=True), shown(0.04, probability=True)
    ('0.000', '< .001', '0.040')
    """
    if cell is None:
        return NOT_GIVEN
    if probability and isinstance(cell, float) and cell < 10.0**-DIGITS:
        return f"< {10.0**-DIGITS:.{DIGITS}f}".replace("0.", ".", 1)
    if isinstance(cell, tuple):
        return f"[{shown(cell[0])}, {shown(cell[1])}]"
    if isinstance(cell, float):
        return _minus(f"{cell:.{DIGITS}f}") if math.isfinite(cell) else NOT_GIVEN
    return _minus(str(cell)) if isinstance(cell, int) else cell


def _minus(number: str) -> str:
    """Return a number with a minus sign; one that rounds to nothing has none.

    >>> _minus("-0.25"), _minus("-0.000")
    ('−0.25', '0.000')
    """
    return number.replace("-", "−") if number.strip("-0.") else number.lstrip("-")


Named = tuple[str, Block]
"""A block and its name, such as Table 1; what is neither table nor figure has none."""


def numbered(report: Report) -> Iterator[tuple[Section, list[Named], list[Named]]]:
    """Yield each section with its blocks and those for who asks, named Table 1, Figure 1, Table 2 and so on.

    The picture of the first screen is Figure 1.
    """
    counts = {Table: 0, Figure: 1 if report.picture else 0}

    def named(block: Block) -> Named:
        kind = type(block)
        if kind not in counts:
            return "", block
        counts[kind] += 1
        return f"{kind.__name__} {counts[kind]}", block

    for section in report.sections:
        yield section, [named(block) for block in section.blocks], [named(block) for block in section.more]


def provenance_rows(provenance: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what is known of the origin, a row for each input; what is not known is left out.

    >>> provenance_rows({"seed": 1, "git_revision": None, "inputs": {"a.csv": "12ab"}})
    (('seed', '1'), ('input a.csv', 'sha256 12ab'))
    """
    rows = []
    for name, value in provenance.items():
        if isinstance(value, Mapping):
            rows += [(f"input {path}", f"sha256 {digest}") for path, digest in value.items()]
        elif value is not None:
            rows.append((name.replace("_", " "), str(value)))
    return tuple(rows)
