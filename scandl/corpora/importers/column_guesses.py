"""What the columns of a table probably mean, by what is in them: advice for a user, never acted on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.fixation_report import MISSING, ColumnsError
from scandl.corpora.importers.texts import KEY_OF_TEXTS

_LONGEST_TEXT = 1000  # words; a larger number is a time or a coordinate


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
