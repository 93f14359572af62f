"""What a formula may use: everything a corpus knows of each word that was read, and a table of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scandl.errors import DataError, Fact
from scandl.files.tables import read_table
from scandl_analysis.words.corpus_words import typed, word_table
from scandl_analysis.words.word_table import without_edges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from scandl.corpora import Corpus

PLACE = ("sentence_id", "word_index")


def corpus_words(
    corpus: Corpus,
    *,
    surprisal: str = "auto",
    frequency: str = "zipf",
    variant: str = "paper",
    edges: Sequence[str] = ("first", "last"),
    extra: Path | str | None = None,
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return one row per reading of a word, and what has to be said of it.

    The columns are those of ``scandl_analysis.word_table`` and those of an ``extra`` table of words. The
    first and last words of sentences are left out unless ``edges`` is empty.
    """
    frame = word_table(corpus, measures=variant, surprisal=surprisal, frequency=frequency)
    notes = frame.attrs["notes"]
    if extra is not None:
        frame = with_extra(frame, Path(extra))
    said = [f"{' and '.join(edges)} words of sentences are left out"] if edges else []
    return without_edges(frame, edges), (*notes, *said)


def with_extra(frame: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Return the table with the columns of a file that has one row per word of each sentence."""
    table = read_table(path)
    for name in PLACE:
        if name not in table.columns:
            raise DataError(path, None, name, Fact("no such column"), f"the columns {' and '.join(PLACE)}")
    try:
        places = [(s, int(w)) for s, w in zip(*(table.columns[name] for name in PLACE), strict=True)]
    except ValueError:
        row = next(i for i, w in enumerate(table.columns["word_index"]) if not w.strip().isdigit())
        found = table.columns["word_index"][row]
        raise DataError(path, table.line(row), "word_index", found, "a word position from 0") from None
    wanted = list(zip(frame["sentence_id"], frame["word_index"], strict=True))
    columns: Mapping[str, Sequence[str]] = table.columns
    own = {}
    for name in (name for name in columns if name not in (*PLACE, "word")):
        by_place = dict(zip(places, columns[name], strict=True))
        own[name] = typed([by_place.get(place, "") for place in wanted])
    return frame.assign(**own)
