"""The stimuli of a planned experiment: items in versions, their critical regions, and Latin-square lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scandl.errors import DataError, Fact, ScandlError
from scandl.files.column_names import candidate_columns
from scandl.files.tables import Problems, TextTable, cell_text, read_table
from scandl.records import Sentence

if TYPE_CHECKING:
    import pandas as pd

_MARK = re.compile(r"\*([^*]*)\*|\[([^\]]*)\]")
EXPECTED = "word positions such as 5 or 5-6, counted from 0"

Region = tuple[int, int]
"""The first and the last word of a region, counted from 0."""
LONGEST = 100  # words of a text: the models read one line, and none was tried on longer ones
NEEDED = ("item_id", "condition", "text")
REGION = "region"


def read_marks(marked: str) -> tuple[str, Region | None]:
    """Return the text without marks, and the region they mark; raises ValueError in words.

    >>> read_marks("The lawyer *complained* loudly.")
    ('The lawyer complained loudly.', (2, 2))
    >>> read_marks("The [old lawyer], he said.")
    ('The old lawyer, he said.', (1, 2))
    >>> read_marks("No mark.")
    ('No mark.', None)
    """
    marks = list(_MARK.finditer(marked))
    if len(marks) > 1:
        raise ValueError("one marked region")
    if not marks:
        if any(sign in marked for sign in "*[]"):
            raise ValueError("a region between two marks, such as *word* or [word]")
        return " ".join(marked.split()), None
    (mark,) = marks
    inside = mark[1] if mark[1] is not None else mark[2]
    if not inside.split():
        raise ValueError("a word between the marks")
    before = marked[: mark.start()]
    first = len(before.split()) - (bool(before) and not before[-1].isspace())
    text = " ".join((before + inside.strip() + marked[mark.end() :]).split())
    return text, (first, first + len(inside.split()) - 1)


def read_positions(cell: str) -> Region:
    """Return the region that word positions name; raises ValueError.

    >>> read_positions("5"), read_positions("5-6"), read_positions("5 6")
    ((5, 5), (5, 6), (5, 6))
    """
    numbers = re.split(r"[\s\-–,]+", cell.strip())
    if not all(part.isascii() and part.isdigit() for part in numbers):
        raise ValueError(EXPECTED)
    positions = [int(part) for part in numbers]
    if positions != list(range(positions[0], positions[-1] + 1)) and len(positions) != 2:
        raise ValueError(EXPECTED)
    if positions[-1] < positions[0]:
        raise ValueError(EXPECTED)
    return positions[0], positions[-1]


@dataclass(frozen=True, slots=True)
class ItemVersion:
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
    by_cell: Mapping[tuple[str, str], ItemVersion] = field(hash=False)

    @property
    def has_region(self) -> bool:
        """Whether a critical region is known."""
        return next(iter(self.by_cell.values())).region is not None

    @property
    def every(self) -> list[ItemVersion]:
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


def read_stimuli(source: Path | str | pd.DataFrame, contrast: str = "") -> Stimuli:
    """Read a table of stimuli; raises one line that names the first fault, and says how many follow.

    The columns are ``item_id`` (or ``item``), ``condition`` and ``text``. Without ``condition``, the columns
    that the contrast names make it together. The critical region is marked in the text
    (``*word*`` or ``[two words]``) or given in a column ``region`` as word positions, counted from 0.
    Other columns may be factors of the contrast.
    """
    table = _with_conditions(_table(source), contrast)
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


def _table(source: Path | str | pd.DataFrame) -> TextTable:
    if isinstance(source, str | Path):
        return read_table(source)
    columns = {str(name): [cell_text(cell) for cell in source[name]] for name in source.columns}
    return TextTable(Path("stimuli"), columns)


def _with_conditions(table: TextTable, contrast: str) -> TextTable:
    """Return the table with our name for the item, and with conditions made of the contrast's factors."""
    columns = dict(table.columns)
    item = candidate_columns(list(columns), "item_id")
    if len(item) == 1:
        columns["item_id"] = columns.pop(item[0])
    factors = [name for name in re.findall(r"\w+", contrast) if name in columns]
    if "condition" not in columns and factors:
        columns["condition"] = [
            " ".join(cells) for cells in zip(*(columns[name] for name in factors), strict=True)
        ]
    return replace(table, columns=columns)


def _rows(table: TextTable, problems: Problems) -> list[ItemVersion]:
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


def _stimulus(path: Path, line: int, cells: Mapping[str, str]) -> ItemVersion:
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
    return ItemVersion(cells["item_id"].strip(), cells["condition"].strip(), text, region, line, factors)


def _check_cells(path: Path, rows: list[ItemVersion], problems: Problems) -> None:
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


def _check_regions(path: Path, rows: list[ItemVersion], problems: Problems) -> None:
    """All stimuli have a region, or none has."""
    if any(row.region is not None for row in rows):
        for row in rows:
            if row.region is None:
                found = Fact("no critical region")
                expected = "one as in other rows: *word* in the text, or positions in a column 'region'"
                problems.add(DataError(path, row.line, "text", found, expected))


def latin_square(n_items: int, n_conditions: int) -> NDArray[np.int64]:
    """Return the condition of each item in each list, (lists, items).

    >>> latin_square(4, 2)
    array([[0, 1, 0, 1],
           [1, 0, 1, 0]])
    """
    lists, items = np.arange(n_conditions)[:, None], np.arange(n_items)[None]
    return (lists + items) % n_conditions


def list_rows(stimuli: Stimuli) -> list[dict[str, str | int]]:
    """Return the lists as a table: which version of which item stands in which list."""
    square = latin_square(len(stimuli.items), len(stimuli.conditions))
    rows: list[dict[str, str | int]] = []
    for number, conditions in enumerate(square, start=1):
        for item, code in zip(stimuli.items, conditions.tolist(), strict=True):
            stimulus = stimuli.by_cell[item, stimuli.conditions[code]]
            first, last = stimulus.region if stimulus.region is not None else ("", "")
            rows.append(
                {
                    "list": number,
                    "item_id": item,
                    "condition": stimulus.condition,
                    "text": stimulus.text,
                    "region_first": first,
                    "region_last": last,
                }
            )
    return rows


def balance_note(n_readers: int, n_items: int, n_conditions: int) -> str:
    """Say where a design is not balanced; nothing where it is.

    >>> balance_note(48, 32, 4)
    ''
    >>> balance_note(50, 32, 4)
    '50 readers on 4 lists: some lists are read by one reader more than others'
    """
    said = []
    if n_readers % n_conditions:
        said.append(
            f"{n_readers} readers on {n_conditions} lists: some lists are read by one reader more than others"
        )
    if n_items % n_conditions:
        said.append(
            f"{n_items} items in {n_conditions} conditions: within a list some conditions have an item more"
        )
    return "; ".join(said)
