"""Everything a corpus knows of each word that was read, in one table: what a formula may use."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scandl.errors import DataError, Fact
from scandl.files.tables import read_table
from scandl_analysis.predictors.word_predictors import compute_predictors
from scandl_analysis.words.readings import human_readings
from scandl_analysis.words.word_files import measure_words
from scandl_analysis.words.word_table import with_previous, with_token, without_edges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scandl.corpora import Corpus

PLACE = ("sentence_id", "word_index")


def corpus_words(
    corpus: Corpus, *, surprisal: str = "auto", frequency: str = "zipf", variant: str = "paper",
    edges: Sequence[str] = ("first", "last"), extra: Path | str | None = None,
) -> tuple[pd.DataFrame, tuple[str, ...]]:  # fmt: skip
    """Return one row per reading of a word, and what has to be said of it.

    Columns: reading measures and times, word_length, frequency and surprisal with those of the previous
    word, the columns of the corpus's words.csv, sentences.csv and readers.csv, and those of an ``extra``
    table of words. The first and last words of sentences are left out unless ``edges`` is empty.
    """
    readings = human_readings(corpus)
    predictors = compute_predictors(
        [reading.text for reading in readings], provider=surprisal, frequency=frequency,
        language=corpus.card.language,
    )  # fmt: skip
    frame = measure_words(readings, variant)
    for name, by_text in predictors.columns.items():
        frame[name] = np.array([x for reading in readings for x in by_text[reading.text]], float)
    frame = with_previous(with_token(frame))
    frame = frame.rename(columns={"reader_id": "reader", "sentence_id": "sentence"})
    for name, values in _columns_of(corpus, frame).items():
        if name not in frame:
            frame[name] = _typed(values)
    if extra is not None:
        frame = _joined(frame, Path(extra))
    inner = without_edges(frame.rename(columns={"sentence": "sentence_id"}), edges)
    said = [f"{' and '.join(edges)} words of sentences are left out"] if edges else []
    return inner.rename(columns={"sentence_id": "sentence"}), (*predictors.notes, *said)


def _columns_of(corpus: Corpus, frame: pd.DataFrame) -> dict[str, list[str]]:
    """Return the extra columns of a corpus, one cell per row of the table."""
    sentences, readers = frame["sentence"].tolist(), frame["reader"].tolist()
    places = list(zip(sentences, frame["word_index"].tolist(), strict=True))
    columns = {"item": [corpus.sentences[key].item for key in sentences]}
    for name, by_sentence in corpus.words.items():
        columns[name] = [by_sentence[key][word] for key, word in places]
    for name in dict.fromkeys(name for s in corpus.sentences.values() for name in s.extra):
        columns[name] = [corpus.sentences[key].extra.get(name, "") for key in sentences]
    for name in dict.fromkeys(name for row in corpus.readers.values() for name in row):
        columns[name] = [corpus.readers.get(reader, {}).get(name, "") for reader in readers]
    return columns


def _typed(cells: list[str]) -> pd.Series[Any]:
    """Return a column of numbers where all cells are; empty cells are missing.

    >>> _typed(["1", "", "2.5"]).tolist(), _typed(["easy", "hard"]).tolist()
    ([1.0, nan, 2.5], ['easy', 'hard'])
    """
    column = pd.Series([cell if cell else np.nan for cell in cells], dtype=object)
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().equals(column.notna()) else column


def _joined(frame: pd.DataFrame, path: Path) -> pd.DataFrame:
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
    wanted = list(zip(frame["sentence"], frame["word_index"], strict=True))
    columns: Mapping[str, Sequence[str]] = table.columns
    for name in (name for name in columns if name not in (*PLACE, "word")):
        by_place = dict(zip(places, columns[name], strict=True))
        frame[name] = _typed([by_place.get(place, "") for place in wanted])
    return frame
