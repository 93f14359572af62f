"""What each column of a word table means, its unit and its source: a table beside the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from scandl.measures.word_measures import DURATIONS, MEASURES, NAMES, TIME_MEASURES
from scandl_analysis.words.corpus_words import PLAIN_NAMES
from scandl_analysis.words.word_table import PREDICTORS

if TYPE_CHECKING:
    import pandas as pd

COUNTS = ("ffc", "tfc", "FPFC", "TRC_in", "TRC_out")
KEYS = {
    "source": "who read: human, or the name of a model",
    "setting": "what was new to a model: ns, nr, nrns, cross; all is no split",
    "fold": "the split that a model was trained on",
    "sample": "the number of one of several generated scanpaths",
    "reader_id": "the reader",
    "sentence_id": "the sentence",
    "item": "what the sentence is a version of",
    "word_index": "the place of the word in its sentence, or of the first word of a region, from 0",
    "word": "the word as it was shown, or the words of the region",
    "region": "the name of the region",
    "n_words": "how many words the region has",
    "word_token": "one word of one sentence, whoever read it",
    "previous_word": "the word before, or the words of the area before",
}
ABOUT_PREDICTORS = {
    "word_length": ("length", "characters"),
    "frequency": ("word frequency", ""),
    "surprisal": ("surprisal, the negative log-probability of the word after its context", ""),
}


def codebook(words: pd.DataFrame) -> dict[str, list[str]]:
    """Return the columns ``column``, ``meaning``, ``unit`` and ``source``, one row per column of the table.

    >>> from scandl_analysis.words.corpus_words import word_table
    >>> found = codebook(word_table("demo", surprisal="unigram"))
    >>> dict(zip(found["column"], found["unit"]))["FPRT"]
    'ms'
    """
    rows = [_row(str(name), words) for name in words.columns]
    return {head: [row[k] for row in rows] for k, head in enumerate(("column", "meaning", "unit", "source"))}


def _row(name: str, words: pd.DataFrame) -> tuple[str, str, str, str]:
    if name in PLAIN_NAMES:
        _, _, unit, source = _row(PLAIN_NAMES[name], words)
        return name, f"the same as {PLAIN_NAMES[name]}", unit, source
    if name in KEYS:
        return (
            name,
            KEYS[name],
            "",
            f"corpus {words.attrs['corpus']}" if words.attrs.get("corpus") else "the readings",
        )
    variant = words.attrs.get("variant", "paper")
    if name in NAMES:
        unit = "fixations" if name in COUNTS else "0 or 1"
        return name, _definition(MEASURES[variant][name]), unit, f"the scanpath, variant {variant}"
    if name in TIME_MEASURES:
        unit = "ms" if name in DURATIONS else "number" if name in COUNTS else "0 or 1"
        return name, _definition(TIME_MEASURES[name]), unit, "the scanpath"
    own = name.removeprefix("previous_")
    if own in PREDICTORS:
        return _predictor(name, own, words)
    return name, "as in its source", "", f"tables of the corpus {words.attrs.get('corpus', '')}".strip()


def _definition(measure: Callable[..., Any]) -> str:
    """Return the first sentence of a measure's definition.

    >>> _definition(TIME_MEASURES["TFT"])
    'the time of all fixations on the word'
    """
    return (measure.__doc__ or "").split("\n")[0].removeprefix("Return ").rstrip(".")


def _predictor(name: str, own: str, words: pd.DataFrame) -> tuple[str, str, str, str]:
    meaning, unit = ABOUT_PREDICTORS[own]
    settings = words.attrs.get("predictors", {}).get(own, {})
    unit = unit or settings.get("unit", "") or settings.get("scale", "")
    where = settings.get("provider", settings.get("source", "the text"))
    if "region" in words:
        meaning += (
            ", the mean over the words of the region" if own == "frequency" else ", the sum over the region"
        )
    whose = " of the word before" if name != own else ""
    return name, meaning + whose, unit, where
