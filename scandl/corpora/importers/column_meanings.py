"""The columns of a table by what they mean: said by the user, known by name, or guessed as advice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from scandl.corpora.importers.delimited import MISSING, read_delimited
from scandl.errors import DataError, Fact
from scandl.files.column_names import candidate_columns, find_column

KEY_OF_TEXTS = "sentences.sentence_id"
OF_TEXTS = (KEY_OF_TEXTS, "sentences.word", "sentences.word_index")
"""Meanings of columns of the second table, where the fixations call them by another name."""
_LONGEST_TEXT = 1000  # words; a larger number is a time or a coordinate


class ColumnsError(DataError):
    """Everything that is missing or doubtful in one header.

    >>> print(ColumnsError(Path("f.csv"), ["Item", "Nr"], ["word"], {"sentence_id": ["Item", "Nr"]}))
    f.csv:1: found only the columns Item, Nr, expected --column word=NAME --column sentence_id=Item (or Nr)
    """

    def __init__(
        self, path: Path, header: Sequence[str], missing: Sequence[str], doubtful: Mapping[str, Sequence[str]]
    ) -> None:
        flags = [f"--column {meaning}=NAME" for meaning in missing]
        flags += [f"--column {m}={names[0]} (or {', '.join(names[1:])})" for m, names in doubtful.items()]
        super().__init__(path, 1, None, Fact(f"only the columns {', '.join(header)}"), " ".join(flags))
        self.args = (path, header, missing, doubtful)  # what it is made from again
        self.header, self.missing, self.doubtful = list(header), list(missing), dict(doubtful)


def by_meaning(
    path: Path,
    header: Sequence[str],
    needed: Sequence[str],
    optional: Sequence[str],
    chosen: Mapping[str, str] | None,
    preferred: Mapping[str, str],
) -> dict[str, str]:
    """Return the column of each meaning; raise for all that are missing or doubtful together."""
    said = chosen or {}
    names: dict[str, str] = {}
    missing: list[str] = []
    doubtful: dict[str, list[str]] = {}
    taken = [part for name in said.values() for part in parts_of(name, header)]
    free = [name for name in header if name not in taken]
    for meaning in (*needed, *optional):
        if meaning in said:
            for part in parts_of(said[meaning], header):
                find_column(path, header, meaning, part)
            names[meaning] = said[meaning]
        elif (name := preferred.get(meaning)) in header and name is not None:
            names[meaning] = name
        elif len(set(candidates := candidate_columns(free, meaning))) == 1:
            names[meaning] = candidates[0]
        elif candidates:
            doubtful[meaning] = candidates
        elif meaning in needed:
            missing.append(meaning)
    if chosen is not None and (missing or len(doubtful) > 1):
        raise ColumnsError(path, header, missing, doubtful)
    for meaning in doubtful:
        find_column(path, free, meaning)  # which says what to do
    for meaning in missing:
        found = Fact(f"only the columns {', '.join(header)}")
        raise DataError(path, 1, meaning, found, "a column for it")
    for name in names.values():
        if header.count(name) > 1:
            raise DataError(path, 1, name, Fact("two columns of this name"), "one")
    return names


def parts_of(name: str, header: Sequence[str]) -> list[str]:
    """Return the columns that a name stands for: itself, or several with ``+`` between them.

    >>> parts_of("Item+Condition", ["Item", "Condition"]), parts_of("a+b", ["a+b"])
    (['Item', 'Condition'], ['a+b'])
    """
    return [name] if name in header else name.split("+")


def joined_cell(cells: Sequence[str]) -> str:
    """Return the identifier that several cells make together; nothing where one of them says nothing.

    >>> joined_cell(("7", "hard")), joined_cell(("7", ""))
    ('7_hard', '')
    """
    return "_".join(cells) if all(cells) else ""


def advice(
    faults: Sequence[ColumnsError],
    said: Mapping[str, str],
    sentences: Path,
    encoding: str | None = None,
) -> str:
    """Return the flags that would name every column that is missing or doubtful, as far as can be seen."""
    chosen = dict(said)
    ids: Collection[str] = ()
    base: list[str] = []
    for fault in sorted(faults, key=lambda fault: fault.path != sentences):  # the texts first: they have ids
        cells = read_delimited(fault.path, encoding).columns
        taken = [part for name in chosen.values() for part in name.split("+") if part in cells]
        free = {name: values for name, values in cells.items() if name not in taken}
        found = {m: names[0] for m, names in fault.doubtful.items()}
        if "sentence_id" in fault.missing and chosen.get(KEY_OF_TEXTS) in cells:
            found["sentence_id"] = chosen[KEY_OF_TEXTS]  # what the texts call it, as they do
        for meaning in (meaning for meaning in fault.missing if meaning not in found):
            rest = {name: values for name, values in free.items() if name not in found.values()}
            if name := guess(meaning, rest, ids):
                found[meaning] = name
        wanted = {meaning: found.get(meaning, "NAME") for meaning in (*fault.missing, *fault.doubtful)}
        if fault.path == sentences and "sentence_id" in wanted:
            ids = set(cells.get(wanted["sentence_id"], ()))
            wanted[KEY_OF_TEXTS] = wanted.pop("sentence_id")
        if wanted.get("word_index", "NAME") != "NAME":
            first = 0 if "0" in cells[wanted["word_index"]] else 1
            base = [f"--index-base {first}"]
        chosen = wanted | chosen
    flags = [f"--column {meaning}={_quoted(name)}" for meaning, name in chosen.items()]
    return " ".join([*flags, *base])


def guess(meaning: str, cells: Mapping[str, Sequence[str]], ids: Collection[str] = ()) -> str:
    """Return the column that looks most like a meaning; empty if none does.

    >>> rows = {"VP": ["a", "a", "b"], "Satz": ["s", "s", "s"], "Wort": ["1", "2", "1"]}
    >>> guess("reader_id", rows), guess("sentence_id", rows, {"s"}), guess("word_index", rows)
    ('VP', 'Satz', 'Wort')
    """
    if meaning == "text":
        return max(cells, key=lambda name: sum(len(cell.split()) for cell in cells[name]), default="")
    if meaning == "sentence_id":
        known = [name for name, values in cells.items() if ids and set(values) <= set(ids)]
        unique = [name for name, values in cells.items() if len(set(values)) == len(values)]
        return next(iter(known if ids else unique), "")
    if meaning == "word_index":
        return min(filter(None, cells), key=lambda name: _largest(cells[name]), default="")
    # A reader keeps the table for longest, and more than one column can be about readers.
    varied = [name for name, values in cells.items() if len(set(values)) > 1]
    return min(varied, key=lambda name: (_changes(cells[name]), -len(set(cells[name]))), default="")


def _largest(values: Sequence[str]) -> float:
    """Return the largest of whole numbers; infinity for what is no column of word numbers."""
    known = [value.strip() for value in values if value.strip() not in MISSING]
    if not known or not all(value.removesuffix(".0").isdigit() for value in known):
        return float("inf")
    largest = max(map(float, known))
    return largest if len(set(known)) > 1 and largest <= _LONGEST_TEXT else float("inf")


def _changes(values: Sequence[str]) -> int:
    return sum(a != b for a, b in zip(values[1:], values, strict=False))


def _quoted(name: str) -> str:
    return f"'{name}'" if any(not (c.isalnum() or c in "_-+.") for c in name) else name
