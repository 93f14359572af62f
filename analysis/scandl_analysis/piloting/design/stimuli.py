"""The stimuli of a planned experiment: items in versions, one per condition, with a critical region."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.tables import Problems, Table, cell_text, read_table
from scandl.records import Sentence
from scandl_analysis.piloting.design.region_marks import Region, read_marks, read_positions

if TYPE_CHECKING:
    import pandas as pd

LONGEST = 100  # words of a text: the models read one line, and none was tried on longer ones
NEEDED = ("item_id", "condition", "text")
REGION = "region"


@dataclass(frozen=True, slots=True)
class Stimulus:
    """One version of an item."""

    item_id: str
    condition: str
    text: str  # without marks
    region: Region | None
    line: int  # of the file
    factors: Mapping[str, str] = field(default_factory=dict, hash=False)  # the other columns

    @property
    def sentence(self) -> Sentence:
        """The text as generators take it."""
        return Sentence(f"{self.item_id}|{self.condition}", self.text, self.item_id)

    @property
    def words(self) -> list[str]:
        """The words of the text."""
        return self.text.split()


@dataclass(frozen=True, slots=True)
class Stimuli:
    """All versions of all items: every item has every condition."""

    path: Path
    items: tuple[str, ...]
    conditions: tuple[str, ...]
    by_cell: Mapping[tuple[str, str], Stimulus] = field(hash=False)

    @property
    def has_region(self) -> bool:
        """Whether a critical region is known."""
        return next(iter(self.by_cell.values())).region is not None

    @property
    def every(self) -> list[Stimulus]:
        """The stimuli, item by item, the conditions in order."""
        return [self.by_cell[item, condition] for item in self.items for condition in self.conditions]

    def factor(self, name: str) -> dict[str, str]:
        """Return the level of a column in each condition; it must not differ between items."""
        if name == "condition":
            return {condition: condition for condition in self.conditions}
        levels: dict[str, str] = {}
        for stimulus in self.every:
            if name not in stimulus.factors:
                known = ", ".join(("condition", *stimulus.factors))
                raise ScandlError(f"{self.path}: no column {name!r} for the contrast; known: {known}")
            level = stimulus.factors[name]
            if levels.setdefault(stimulus.condition, level) != level:
                expected = f"{levels[stimulus.condition]!r}, as in the other items of this condition"
                raise DataError(self.path, stimulus.line, name, level, expected)
        return levels


def read_stimuli(source: Path | str | pd.DataFrame) -> Stimuli:
    """Read a table of stimuli; raises one line that names the first fault, and says how many follow.

    The columns are ``item_id``, ``condition`` and ``text``. The critical region is marked in the text
    (``*word*`` or ``[two words]``) or given in a column ``region`` as word positions, counted from 0.
    Other columns may be factors of the contrast.
    """
    table = _table(source)
    problems = Problems()
    rows = _rows(table, problems)
    if not problems.errors:  # of rows that could not be read one cannot say that they are absent
        _check_cells(table.path, rows, problems)
        _check_regions(table.path, rows, problems)
    if problems.errors:
        first, n_more = problems.errors[0], len(problems.errors) - 1
        raise first if not n_more else ScandlError(f"{first} (and {n_more} more fault{'s' * (n_more > 1)})")
    items = tuple(dict.fromkeys(row.item_id for row in rows))
    conditions = tuple(dict.fromkeys(row.condition for row in rows))
    if len(items) < 2:
        raise ScandlError(f"{table.path}: found 1 item, expected at least 2: effects must hold for items")
    return Stimuli(table.path, items, conditions, {(row.item_id, row.condition): row for row in rows})


def _table(source: Path | str | pd.DataFrame) -> Table:
    if isinstance(source, str | Path):
        return read_table(source)
    columns = {str(name): [cell_text(cell) for cell in source[name]] for name in source.columns}
    return Table(Path("stimuli"), columns)


def _rows(table: Table, problems: Problems) -> list[Stimulus]:
    """Return the rows that can be read."""
    table.need(*NEEDED)
    if not len(table):
        raise DataError(table.path, None, None, Fact("no stimuli"), "a row per item and condition")
    rows = []
    for i, cells in enumerate(table.rows()):
        line = table.line(i)
        for name in NEEDED:
            if not cells[name].strip():
                problems.add(DataError(table.path, line, name, cells[name], "a value"))
        try:
            rows.append(_stimulus(table.path, line, cells))
        except DataError as error:
            problems.add(error)
    return rows


def _stimulus(path: Path, line: int, cells: Mapping[str, str]) -> Stimulus:
    try:
        text, region = read_marks(cells["text"])
    except ValueError as error:
        raise DataError(path, line, "text", cells["text"], str(error)) from None
    n_words = len(text.split())
    if n_words > LONGEST:
        raise DataError(path, line, "text", Fact(f"{n_words} words"), f"at most {LONGEST}")
    given = cells.get(REGION, "").strip()
    if given and region is not None:
        raise DataError(path, line, REGION, given, "nothing: the text marks its region itself")
    if given:
        try:
            region = read_positions(given)
        except ValueError as error:
            raise DataError(path, line, REGION, given, str(error)) from None
        if region[1] >= n_words:
            raise DataError(path, line, REGION, given, f"words of the text, 0 to {n_words - 1}")
    factors = {name: cell for name, cell in cells.items() if name not in (*NEEDED, REGION)}
    return Stimulus(cells["item_id"].strip(), cells["condition"].strip(), text, region, line, factors)


def _check_cells(path: Path, rows: list[Stimulus], problems: Problems) -> None:
    """Every item has every condition once, and no text stands twice."""
    conditions = list(dict.fromkeys(row.condition for row in rows))
    seen: dict[tuple[str, str], int] = {}
    texts: dict[str, int] = {}
    for row in rows:
        first = seen.setdefault((row.item_id, row.condition), row.line)
        if first != row.line:
            found = Fact(f"item {row.item_id!r} in condition {row.condition!r} again")
            problems.add(DataError(path, row.line, "condition", found, f"it once, as in line {first}"))
        elif texts.setdefault(row.text, row.line) != row.line:
            found = Fact(f"the text of line {texts[row.text]} again")
            problems.add(DataError(path, row.line, "text", found, "a text of its own"))
    lines: dict[str, int] = {}
    for row in rows:
        lines.setdefault(row.item_id, row.line)
    for item, line in lines.items():
        lacking = [c for c in conditions if (item, c) not in seen]
        if lacking:
            found = Fact(f"item {item!r} without {', '.join(map(repr, lacking))}")
            problems.add(DataError(path, line, "condition", found, f"all of {', '.join(conditions)}"))


def _check_regions(path: Path, rows: list[Stimulus], problems: Problems) -> None:
    """All stimuli have a region, or none has."""
    if any(row.region is not None for row in rows):
        for row in rows:
            if row.region is None:
                found = Fact("no critical region")
                expected = "one as in other rows: *word* in the text, or positions in a column 'region'"
                problems.add(DataError(path, row.line, "text", found, expected))
