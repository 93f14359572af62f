"""Tables of sentences: an identifier and the text, under any of their names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scandl.corpora.importers.delimited import read_delimited
from scandl.errors import DataError, Fact
from scandl.files.column_names import find_column
from scandl.records import Sentence


def read_sentences(
    path: Path | str, chosen: Mapping[str, str] | None = None, encoding: str = "utf-8"
) -> dict[str, Sentence]:
    """Read the sentences of a CSV, TSV or Parquet table; unknown columns are kept."""
    source = Path(path)
    table = read_delimited(source, encoding)
    said = (chosen or {}).get("sentence_id")  # of the fixation table; this one may have its own name for it
    key = find_column(source, table.columns, "sentence_id", said if said in table.columns else None)
    key = key or "sentence_id"
    text = "text" if "text" in table.columns else find_column(source, table.columns, "sentence")
    ids, texts = table.need(key, text or "text")
    extra = [name for name in table.columns if name not in (key, text, "item_id")]
    items = table.columns.get("item_id", [""] * len(table)) if key != "item_id" else ids
    sentences: dict[str, Sentence] = {}
    for i, (name, words, item) in enumerate(zip(ids, texts, items, strict=True)):
        if not name or name in sentences:
            found = Fact(f"{name!r} a second time" if name else "nothing")
            raise DataError(source, table.line(i), key, found, "each sentence once, with an id")
        if not words.split():
            raise DataError(source, table.line(i), text, words, "a sentence of at least one word")
        sentences[name] = Sentence(name, words, item, {column: table.columns[column][i] for column in extra})
    return sentences


def sentences_of(words: Mapping[str, tuple[str, ...]]) -> dict[str, Sentence]:
    """Return sentences whose text is their words with single spaces between them."""
    return {key: Sentence(key, " ".join(sequence)) for key, sequence in words.items()}
