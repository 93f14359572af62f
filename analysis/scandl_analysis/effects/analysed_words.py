"""The words of an analysis: those of readers and models, with measures, predictors and standardised ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from scandl.errors import ScandlError
from scandl_analysis.effects.designs import Options, left_out_terms
from scandl_analysis.effects.model_checks import LENGTH_CLASS
from scandl_analysis.glm.spec import FAMILIES
from scandl_analysis.predictors.word_predictors import Predictors, compute_predictors
from scandl_analysis.words.analysed_run import Run, human_readings, model_readings
from scandl_analysis.words.word_table import (
    PREVIOUS,
    complete_rows,
    items_compared,
    scale,
    truncated_note,
    with_previous,
    with_token,
    without_edges,
    word_table,
)


@dataclass(frozen=True)
class AnalysedWords:
    """The table of words in its states, what is regressed on what, and what has to be said."""

    every: pd.DataFrame  # with the edges of sentences
    words: pd.DataFrame  # without those that are left out
    scaled: pd.DataFrame  # complete rows, predictors standardised
    constants: pd.DataFrame
    predictors: Predictors
    measures: tuple[str, ...]
    used: tuple[str, ...]  # predictors that can be told apart
    notes: tuple[str, ...]


def analysed_words(run: Run, options: Options) -> AnalysedWords:
    """Return the words of a run as the options ask for them."""
    every, words, predictors, measures, notes = _words(run, options)
    complete, missing = complete_rows(words, options.predictors)
    if complete.empty:
        why = "; ".join(map(str, missing)) or "all are at the edges of their sentences"
        raise ScandlError(f"no word is left to analyse: {why}")
    scaled, constants = standardised(complete, options)
    used = _independent_predictors(scaled, options.predictors, again=_twice(predictors, options))
    said = (*notes, *map(str, missing), *_design_notes(scaled, options))
    return AnalysedWords(every, words, scaled, constants, predictors, measures, used, said)


def standardised(
    complete: pd.DataFrame, options: Options, policy: str | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return complete rows with standardised predictors, classes of length and tokens; and the constants."""
    scaled, constants = scale(complete, policy or options.scaling, options.predictors)
    scaled[LENGTH_CLASS] = _length_classes(complete["word_length"])
    return with_token(scaled), constants


def _words(
    run: Run, options: Options
) -> tuple[pd.DataFrame, pd.DataFrame, Predictors, tuple[str, ...], tuple[str, ...]]:
    """Return the word table of humans and models, all and without edges, and what to say about it."""
    readings = human_readings(run.corpus)
    measures = options.measured(timed=any(reading.durations is not None for reading in readings))
    times = tuple(name for name in measures if name not in FAMILIES)
    truncated = truncated_note(readings) if times else ""
    for predictions in run.predictions.values():
        readings += model_readings(predictions, run.corpus)
    predictors = compute_predictors(
        [reading.text for reading in readings], provider=options.surprisal, frequency=options.frequency,
        language=run.corpus.card.language, alignment=options.alignment, bow=options.bow, unit=options.unit,
        punctuation=options.punctuation,
    )  # fmt: skip
    every = with_previous(word_table(readings, predictors, options.variant, times=times))
    edges = options.edges
    frame = without_edges(every, edges)
    if not options.spillover:
        frame = frame.drop(columns=["previous_word", *PREVIOUS])
    dropped = [f"{' and '.join(edges)} words of sentences are left out"] if edges else []
    items = [said] if (said := items_compared(frame)) else []
    all_said = (*run.first_lines, *predictors.notes, *dropped, *filter(None, (truncated,)), *items)
    return every, frame, predictors, measures, all_said


def _design_notes(words: pd.DataFrame, options: Options) -> list[str]:
    """Return what has to be said of terms that the words of some source cannot have."""
    if options.design not in ("crossed", "maximal") or options.engine.startswith("mle"):
        return []
    said = (left_out_terms(str(source), part) for source, part in words.groupby("source", sort=False))
    return [f"design {options.design}, {note}" for note in said if note]


def _length_classes(characters: pd.Series[Any]) -> pd.Series[Any]:
    """Return the class of each word's length."""
    edges, labels = [-1, 3, 5, 7, np.inf], ["1–3", "4–5", "6–7", "8+"]
    return pd.cut(characters, edges, labels=labels).astype(str)


def _independent_predictors(
    frame: pd.DataFrame, names: Sequence[str], *, again: bool = False
) -> tuple[str, ...]:
    """Return the predictors without surprisal where it is frequency ``again``, told or seen."""

    def seen(name: str) -> bool:
        return abs(frame[name].corr(frame[frequency_beside(name)])) > 1 - 1e-9

    return tuple(name for name in names if not (name.endswith("surprisal") and (again or seen(name))))


def _twice(predictors: Predictors, options: Options) -> bool:
    """Return whether surprisal is the logarithm of frequency beside the logarithm of frequency.

    Unknown words, for which the two have floors of their own, would hide it.
    """
    unigram = predictors.settings["surprisal"]["provider"] == "unigram"
    return unigram and options.frequency in ("zipf", "neglog2")


def frequency_beside(surprisal: str) -> str:
    """Return the frequency of the same word.

    >>> frequency_beside("previous_surprisal")
    'previous_frequency'
    """
    return surprisal.replace("surprisal", "frequency")
