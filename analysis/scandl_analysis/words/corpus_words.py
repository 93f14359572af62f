"""Words as they were read: one table from a corpus, a DataFrame or a file, ready for regressions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.files.prediction_inputs import Predictions, as_predictions
from scandl.files.tables import ENDINGS
from scandl.models.text_generation import as_sentences
from scandl_analysis.predictors.word_predictors import compute_predictors
from scandl_analysis.words.analysed_run import Reading, human_readings, model_readings, paired_readings
from scandl_analysis.words.word_files import measure_words, predictor_table
from scandl_analysis.words.word_table import truncated_note, with_previous, with_token

if TYPE_CHECKING:
    import pandas as pd

    from scandl.records import Sentence

PLAIN_NAMES = {
    "reader": "reader_id",
    "sentence": "sentence_id",
    "length": "word_length",
    "skipped": "sr",
    "regression": "fpr",
}
"""Names that make a formula readable, and the columns they repeat."""


def word_table(
    scanpaths: Corpus | Predictions,
    *,
    corpus: Corpus | Path | str | None = None,
    index_base: int | None = None,
    measures: str = "paper",
    surprisal: str = "auto",
    frequency: str = "zipf",
    **predictors: Any,
) -> pd.DataFrame:
    """Return one row per reader and word: reading measures, reading times, predictors.

    The measures are ``sr``, ``fpr``, ``ffc``, ``tfc`` and those of the eye-tracking ecosystem; times
    (``FFD``, ``FPRT``, ``TFT`` …) are there where durations are. Predictors stand beside those of the
    previous word (``previous_surprisal``); ``word_token`` is a word of a sentence, whoever read it.
    ``reader``, ``sentence``, ``length``, ``skipped`` and ``regression`` repeat columns under names that
    read well in a formula. A corpus adds ``item`` and the columns of its words.csv, sentences.csv and
    readers.csv. Where the predictors come from stands in ``frame.attrs["notes"]``.

    Parameters
    ----------
    scanpaths
        A corpus or its name; or predictions as a DataFrame, file or records, which need a column
        ``text`` or a ``corpus``.
    corpus
        The corpus of predictions: their texts, and the readers measured beside them.
    index_base
        What the positions of predictions count from, 0 or 1.
    measures
        ``paper`` as published with ScanDL, or ``firstpass``, the standard of the reading literature.
    surprisal, frequency, predictors
        As ``scandl_analysis.predictors.word_predictors.compute_predictors`` takes them.

    Examples
    --------
    >>> words = word_table("demo", surprisal="unigram")
    >>> words[["reader", "word", "skipped", "FFD", "length"]].head(2)
      reader        word  skipped    FFD  length
    0    r01         The        0  280.0     3.0
    1    r01  lighthouse        0  280.0    10.0
    """
    readings, beside = readings_of(scanpaths, corpus, index_base)
    found = compute_predictors(
        [reading.text for reading in readings],
        provider=surprisal,
        frequency=frequency,
        language="en" if beside is None else beside.card.language,
        **predictors,
    )
    frame = with_previous(with_token(measure_words(readings, measures, found)))
    frame = frame.assign(**{plain: frame[column] for plain, column in PLAIN_NAMES.items()})
    for name, cells in _columns_of(beside, frame).items() if beside is not None else ():
        if name not in frame:
            frame[name] = typed(cells)
    frame.attrs["notes"] = [*found.notes, *filter(None, [truncated_note(readings)])]
    return frame


def _columns_of(corpus: Corpus, frame: pd.DataFrame) -> dict[str, list[str]]:
    """Return the extra columns of a corpus, one cell per row of the table."""
    known = corpus.sentences
    sentences, readers = frame["sentence_id"].tolist(), frame["reader_id"].tolist()
    places = list(zip(sentences, frame["word_index"].tolist(), strict=True))
    columns = {"item": [known[key].item if key in known else key for key in sentences]}
    for name, by_sentence in corpus.words.items():
        columns[name] = [by_sentence[key][word] if key in by_sentence else "" for key, word in places]
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
    import pandas as pd

    column = pd.Series([cell if cell else math.nan for cell in cells], dtype=object)
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().equals(column.notna()) else column


def reading_measures(
    scanpaths: Corpus | Predictions,
    *,
    corpus: Corpus | Path | str | None = None,
    index_base: int | None = None,
    variant: str = "paper",
) -> pd.DataFrame:
    """Return the measures of every word of every reading, as ``scandl-analysis measures`` writes them.

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

    ``sentences`` is a corpus, the name of one, or a list of sentences.

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
    scanpaths: Corpus | Predictions,
    corpus: Corpus | Path | str | None = None,
    index_base: int | None = None,
) -> tuple[list[Reading], Corpus | None]:
    """Return the readings of a corpus or of predictions, and the corpus where there is one.

    Human readings come first: those of the corpus or, without one, those beside the predictions.
    """
    if isinstance(scanpaths, str | Path) and Path(scanpaths).suffix not in (*ENDINGS, ".json"):
        scanpaths = open_corpus(scanpaths)
    if isinstance(scanpaths, Corpus):
        return human_readings(scanpaths), scanpaths
    beside = open_corpus(corpus) if isinstance(corpus, str | Path) else corpus
    predictions = as_predictions(scanpaths, beside, index_base)
    humans = paired_readings(predictions) if beside is None else human_readings(beside)
    return [*humans, *model_readings(predictions, beside)], beside
