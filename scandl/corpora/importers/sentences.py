"""Tables of sentences: an identifier and the text, under any of their names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scandl.corpora.importers.delimited import read_delimited
from scandl.corpora.importers.fixation_report import ColumnsError, joined_cell, parts_of
from scandl.errors import DataError, Fact
from scandl.files.column_names import candidate_columns
from scandl.files.tables import TextTable
from scandl.records import Sentence

KEY_OF_TEXTS = "sentences.sentence_id"
"""The meaning of the identifier's column here, where the fixations call it by another name."""


def read_sentences(
    path: Path | str, chosen: Mapping[str, str] | None = None, encoding: str | None = None
) -> dict[str, Sentence]:
    """Read the sentences of a table; unknown columns are kept.

    ``chosen`` is what the user said of the columns of the fixations too: it holds here where the table
    has the column.
    """
    source = Path(path)
    table = read_delimited(source, encoding)
    key, text, item = _columns(table, chosen or {})
    ids = [joined_cell(cells) for cells in zip(*table.need(*parts_of(key, list(table.columns))), strict=True)]
    extra = [name for name in table.columns if name not in (key, text, "item_id")]
    items = table.columns.get(item, [""] * len(table))
    sentences: dict[str, Sentence] = {}
    for i, (name, words) in enumerate(zip(ids, table.columns[text], strict=True)):
        if not name or name in sentences:
            found = Fact(f"{name!r} a second time" if name else "nothing")
            expected = "each sentence once, with an id"
            if key == item or candidate_columns([key], "item_id"):
                expected += f" (versions of one item: --column sentence_id={key}+CONDITION)"
            raise DataError(source, table.line(i), key, found, expected)
        if not words.split():
            raise DataError(source, table.line(i), text, words, "a sentence of at least one word")
        sentences[name] = Sentence(
            name, words, items[i], {column: table.columns[column][i] for column in extra}
        )
    return sentences


def _columns(table: TextTable, chosen: Mapping[str, str]) -> tuple[str, str, str]:
    """Return the columns of the identifier, the text and the item (empty: none)."""
    header = list(table.columns)
    found: dict[str, str] = {}
    missing, doubtful = [], {}
    own = {KEY_OF_TEXTS: "sentence_id", "text": "text"}  # said of this table alone
    for meaning, name in chosen.items():
        if meaning in own and not all(part in header for part in parts_of(name, header)):
            raise DataError(table.path, 1, name, Fact(f"only the columns {', '.join(header)}"), own[meaning])
    chosen = {**chosen, **{own[meaning]: name for meaning, name in chosen.items() if meaning in own}}
    for meaning in ("sentence_id", "text", "item_id"):
        said = chosen.get(meaning, "")
        if said and all(part in header for part in parts_of(said, header)):
            found[meaning] = said
            continue
        names = candidate_columns([name for name in header if name not in found.values()], meaning)
        if len(names) == 1:
            found[meaning] = names[0]
        elif names:
            doubtful[meaning] = names
        elif meaning != "item_id":
            missing.append(meaning)
    if missing or doubtful:
        raise ColumnsError(table.path, header, missing, doubtful)
    return found["sentence_id"], found["text"], found.get("item_id", "")


def sentences_of(words: Mapping[str, tuple[str, ...]]) -> dict[str, Sentence]:
    """Return sentences whose text is their words with single spaces between them."""
    return {key: Sentence(key, " ".join(sequence)) for key, sequence in words.items()}
