"""Words as they were read: one table from a corpus, a DataFrame or a file, ready for regressions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError, Fact
from scandl.files.prediction_inputs import Predictions, as_predictions
from scandl.files.tables import ENDINGS, read_table
from scandl.models.imputation import Imputation
from scandl.models.text_generation import as_sentences
from scandl.records import Sentence
from scandl_analysis.predictors.word_predictors import compute_predictors
from scandl_analysis.words.analysed_run import (
    Reading,
    human_readings,
    model_readings,
    open_words,
    paired_readings,
)
from scandl_analysis.words.regions import by_region, read_regions, region_rows
from scandl_analysis.words.word_files import measure_words, predictor_table
from scandl_analysis.words.word_table import (
    EDGES,
    edges_note,
    truncated_note,
    with_previous,
    with_token,
    without_edges,
)

PLAIN_NAMES = {
    "reader": "reader_id",
    "sentence": "sentence_id",
    "length": "word_length",
    "skipped": "sr",
    "regression": "fpr",
}
"""Names that make a formula readable, and the columns they repeat."""
PLACE = ("sentence_id", "word_index")


def word_table(
    scanpaths: Corpus | Imputation | Predictions,
    *,
    corpus: Corpus | Imputation | Path | str | None = None,
    index_base: int | None = None,
    measures: str = "paper",
    surprisal: str = "auto",
    frequency: str = "zipf",
    drop: Sequence[str] = EDGES,
    words: Path | str | None = None,
    regions: Path | str | None = None,
    **predictors: Any,
) -> pd.DataFrame:
    """Return one row per reader and word: reading measures, reading times, predictors.

    The measures are ``sr``, ``fpr``, ``ffc``, ``tfc`` and those of the eye-tracking ecosystem; times
    (``FFD``, ``FPRT``, ``TFT`` …) are there where durations are. Predictors stand beside those of the
    previous word (``previous_surprisal``); ``word_token`` is a word of a sentence, whoever read it.
    ``reader``, ``sentence``, ``length``, ``skipped`` and ``regression`` repeat columns under names that
    read well in a formula. A corpus adds ``item`` and the columns of its words.csv, sentences.csv and
    readers.csv. Reading begins and ends at the first and last words of sentences, so these words are
    left out by default. What was left out, and where the predictors come from, stands in
    ``frame.attrs["notes"]``, and ``scandl_analysis.fit`` repeats it.

    Parameters
    ----------
    scanpaths
        A corpus or its name; or predictions as a DataFrame, file or records, which need a column
        ``text`` or a ``corpus``. Of a folder that ``scandl corpus impute`` has written all completed
        versions are there, told apart by the column ``version``: ``scandl_analysis.fit`` pools them.
    corpus
        The corpus of predictions: their texts, and the readers measured beside them.
    index_base
        What the positions of predictions count from, 0 or 1.
    measures
        ``paper`` as published with ScanDL, or ``firstpass``, the standard of the reading literature.
    surprisal, frequency, predictors
        As ``scandl_analysis.predictors.word_predictors.compute_predictors`` takes them.
    drop
        The edges of sentences that are left out: ``first``, ``last`` or both. ``()`` keeps every word.
    words
        A table with more columns, by ``sentence_id`` and ``word_index``.
    regions
        A table of regions: the rows are then regions of several words, none of them left out as an edge.

    Returns
    -------
    pandas.DataFrame
        The words, scanpath by scanpath.

    Examples
    --------
    >>> table = word_table("demo", surprisal="unigram")
    >>> table[["reader", "word", "skipped", "FFD", "length"]].head(2)
      reader        word  skipped    FFD  length
    0    r01  lighthouse        0  280.0    10.0
    1    r01      keeper        0  191.0     6.0
    >>> table.attrs["notes"][-1]
    'first and last words of sentences are left out'
    """
    readings, opened = readings_of(scanpaths, corpus, index_base)
    beside = first_of(opened)
    found = compute_predictors(
        [reading.text for reading in readings],
        provider=surprisal,
        frequency=frequency,
        language="en" if beside is None else beside.card.language,
        **predictors,
    )
    if regions is None:
        frame = with_previous(with_token(measure_words(readings, measures, found)))
    else:
        drop = ()
        known = {reading.sentence_id: Sentence(reading.sentence_id, reading.text) for reading in readings}
        stretches = read_regions(regions, known)
        areas, of_areas = by_region(readings, stretches, found)
        frame = with_previous(measure_words(areas, measures, of_areas))
        frame = with_token(region_rows(frame, stretches, {key: s.n_words for key, s in known.items()}))
    frame = frame.assign(**{plain: frame[column] for plain, column in PLAIN_NAMES.items()})
    for name, cells in _columns_of(beside, frame).items() if beside is not None else ():
        if name not in frame:
            frame[name] = typed(cells)
    if words is not None:
        frame = with_extra(frame, Path(words))
    frame = without_edges(frame, drop)
    filled = opened.said if isinstance(opened, Imputation) else ""
    said = filter(None, [filled, truncated_note(readings), edges_note(drop)])
    frame.attrs["notes"] = [*found.notes, *said]
    frame.attrs["predictors"] = {name: dict(settings) for name, settings in found.settings.items()}
    frame.attrs["variant"] = measures
    frame.attrs["corpus"] = "" if beside is None else beside.name
    return frame


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
        cell = table.columns["word_index"][row]
        raise DataError(path, table.line(row), "word_index", cell, "a word position from 0") from None
    wanted = list(zip(frame["sentence_id"], frame["word_index"], strict=True))
    own = {}
    for name, cells in table.columns.items():
        if name not in (*PLACE, "word"):
            by_place = dict(zip(places, cells, strict=True))
            own[name] = typed([by_place.get(place, "") for place in wanted])
    return frame.assign(**own)


def _columns_of(corpus: Corpus, frame: pd.DataFrame) -> dict[str, list[str]]:
    """Return the extra columns of a corpus, one cell per row of the table."""
    known = corpus.sentences
    sentences, readers = frame["sentence_id"].tolist(), frame["reader_id"].tolist()
    places = list(zip(sentences, frame["word_index"].tolist(), strict=True))
    columns = {"item": [known[key].item if key in known else key for key in sentences]}
    single = (frame["n_words"] == 1).tolist() if "n_words" in frame else [True] * len(frame)
    for name, by_sentence in corpus.words.items():
        columns[name] = [
            by_sentence[key][word] if key in by_sentence and one else ""
            for (key, word), one in zip(places, single, strict=True)
        ]
    for name in dict.fromkeys(name for s in known.values() for name in s.extra):
        columns[name] = [known[key].extra.get(name, "") if key in known else "" for key in sentences]
    for name in dict.fromkeys(name for row in corpus.readers.values() for name in row):
        columns[name] = [corpus.readers.get(reader, {}).get(name, "") for reader in readers]
    return columns


def typed(cells: Sequence[str]) -> pd.Series[Any]:
    """Return a column of numbers where all cells are; empty cells are missing.

    >>> typed(["1", "", "2.5"]).tolist(), typed(["easy", "hard"]).tolist()
    ([1.0, nan, 2.5], ['easy', 'hard'])
    """
    column = pd.Series([cell if cell else math.nan for cell in cells], dtype=object)
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().equals(column.notna()) else column


def reading_measures(
    scanpaths: Corpus | Imputation | Predictions,
    *,
    corpus: Corpus | Imputation | Path | str | None = None,
    index_base: int | None = None,
    variant: str = "paper",
) -> pd.DataFrame:
    """Return the measures of every word of every reading, as ``scandl-analysis measures`` writes them.

    Parameters
    ----------
    scanpaths
        A corpus or its name; or predictions as a DataFrame, file or records.
    corpus
        The corpus of predictions.
    index_base
        What the positions of predictions count from, 0 or 1.
    variant
        ``paper`` as published with ScanDL, or ``firstpass``, the standard of the reading literature.

    Returns
    -------
    pandas.DataFrame
        One row per reading and word.

    Examples
    --------
    >>> reading_measures("demo")[["reader_id", "word", "sr", "tfc"]].head(1)
      reader_id word  sr  tfc
    0       r01  The   0    1
    """
    return measure_words(readings_of(scanpaths, corpus, index_base)[0], variant)


def word_predictors(
    sentences: Corpus | Sentence | str | Path | Iterable[Sentence | str],
    *,
    surprisal: str = "auto",
    frequency: str = "zipf",
    language: str | None = None,
    **predictors: Any,
) -> pd.DataFrame:
    """Return length, frequency and surprisal of every word, as ``scandl-analysis predictors`` writes them.

    Parameters
    ----------
    sentences
        A corpus, the name of one, or a list of sentences.
    surprisal
        Where surprisal comes from, such as ``trigram``; ``auto`` takes the best that is installed.
    frequency
        The scale: ``zipf``, ``proportion``, ``neglog2`` or ``fpm``.
    language
        A code such as ``en``; None is the corpus's, or English.
    predictors
        Further arguments of ``compute_predictors``: ``punctuation``, ``unit``, ``bow``, ``alignment``.

    Returns
    -------
    pandas.DataFrame
        One row per word; ``frame.attrs["notes"]`` says where the numbers come from.

    Examples
    --------
    >>> word_predictors(["The cat sat."], surprisal="unigram")[["word", "word_length"]]
       word  word_length
    0   The          3.0
    1   cat          3.0
    2  sat.          4.0
    """
    source = open_corpus(sentences) if isinstance(sentences, str | Path) else sentences
    known = source.card.language if isinstance(source, Corpus) else "en"
    texts = list(source.sentences.values()) if isinstance(source, Corpus) else as_sentences(source)
    found = compute_predictors(
        [sentence.text for sentence in texts],
        provider=surprisal,
        frequency=frequency,
        language=language or known,
        **predictors,
    )
    frame = predictor_table(texts, found)
    frame.attrs["notes"] = list(found.notes)
    return frame


def readings_of(
    scanpaths: Corpus | Imputation | Predictions,
    corpus: Corpus | Imputation | Path | str | None = None,
    index_base: int | None = None,
) -> tuple[list[Reading], Corpus | Imputation | None]:
    """Return the readings of a corpus or of predictions, and the corpus where there is one.

    Human readings come first: those of the corpus or, without one, those beside the predictions.
    """
    if isinstance(scanpaths, str | Path) and Path(scanpaths).suffix not in (*ENDINGS, ".json"):
        scanpaths = open_words(scanpaths)
    if isinstance(scanpaths, Corpus | Imputation):
        return human_readings(scanpaths), scanpaths
    beside = open_words(corpus) if isinstance(corpus, str | Path) else corpus
    texts = first_of(beside)
    predictions = as_predictions(scanpaths, texts, index_base)
    humans = paired_readings(predictions) if beside is None else human_readings(beside)
    return [*humans, *model_readings(predictions, texts)], beside


def first_of(corpus: Corpus | Imputation | None) -> Corpus | None:
    """Return a corpus, or the first of its completed versions: they have the same texts and readers."""
    return corpus.corpora[0] if isinstance(corpus, Imputation) else corpus
