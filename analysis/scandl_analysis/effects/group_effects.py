"""Effects by group of readers or by condition of sentences, and their differences, from one model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pandas as pd

from scandl.errors import ScandlError, did_you_mean
from scandl.measures.word_measures import DURATIONS
from scandl.statistics.bootstrap import Floats
from scandl_analysis.effects.designs import source_glm
from scandl_analysis.effects.fitting import Done
from scandl_analysis.glm.design import by_levels
from scandl_analysis.glm.diagnostics import summarise_draws
from scandl_analysis.glm.marginal import mean_outcomes
from scandl_analysis.glm.spec import Family, Fit, Glm

if TYPE_CHECKING:
    from scandl.corpora import Corpus

COLUMNS = [
    "by",
    "level",
    "measure",
    "predictor",
    "mean",
    "sd",
    "ci_low",
    "ci_high",
    "rhat",
    "ess_bulk",
    "ess_tail",
    "n_rows",
    "note",
]


def with_levels(words: pd.DataFrame, corpus: Corpus, column: str) -> pd.DataFrame:
    """Return the words with a column of readers.csv or sentences.csv beside them.

    Words without a value are left out. Raises ScandlError where there is no such column, or one level.
    """
    of_readers = dict.fromkeys(name for row in corpus.readers.values() for name in row)
    of_sentences = dict.fromkeys(name for s in corpus.sentences.values() for name in s.extra)
    if column in of_readers:
        labels = [corpus.readers.get(reader, {}).get(column, "") for reader in words["reader_id"]]
    elif column in of_sentences:
        labels = [corpus.sentences[key].extra.get(column, "") for key in words["sentence_id"]]
    else:
        known = (*of_readers, *of_sentences)
        meant = did_you_mean(column, known) if known else ""
        raise ScandlError(f"readers.csv and sentences.csv have no column {column!r}{meant}")
    kept = words.assign(**{column: labels})
    kept = kept[kept[column] != ""].sort_values(column, kind="stable").reset_index(drop=True)
    levels = kept[column].unique()
    if len(levels) < 2:
        raise ScandlError(
            f"{column} is {', '.join(map(repr, levels)) or 'empty'} throughout: nothing to compare"
        )
    return kept


def group_glm(
    design: str | None,
    measure: str,
    words: pd.DataFrame,
    column: str,
    *,
    predictors: tuple[str, ...],
    family: Family,
) -> Glm:
    """Return the model of the readers in which every effect differs between the levels of a column."""
    glm = source_glm(design, measure, "human", words, predictors=predictors, family=family)
    return replace(glm, by=column)


def group_table(fits: Sequence[Done], words: pd.DataFrame) -> pd.DataFrame:
    """Return the effects in each level, then what each differs from the first, one row each.

    Below them stand the mean outcomes in ms, percent or counts, of the same words in every level, averaged
    over readers and words, and their differences.
    """
    rows: list[dict[str, Any]] = []
    for done in fits:
        assert done.glm.by is not None
        levels = by_levels(words, done.glm.by)
        about = {"by": done.glm.by, "measure": done.glm.measure, "n_rows": done.n_rows}
        if done.fit is None:
            rows.append(about | {"note": done.note})
            continue
        said = "; ".join(filter(None, (done.fit.note, *done.warnings)))
        shown = (*_levels(done.fit, done.glm, levels), *_means(done.fit, levels, words))
        for level, predictor, drawn in shown:
            found = summarise_draws(drawn, done.fit)
            numbers = {name: getattr(found, name) for name in COLUMNS[4:11]}
            rows.append(about | {"level": level, "predictor": predictor, "note": said} | numbers)
    return pd.DataFrame(rows, columns=COLUMNS)


def _levels(fit: Fit, glm: Glm, levels: Sequence[str]) -> Iterator[tuple[str, str, Floats]]:
    """Yield level or difference, predictor and draws."""
    first, *others = levels
    for name in glm.predictors:
        yield first, name, fit.draws[name]
        for level in others:
            difference = fit.draws[f"{glm.by}[{level}]:{name}"]
            yield level, name, fit.draws[name] + difference
            yield f"{level} − {first}", name, difference


def _means(fit: Fit, levels: Sequence[str], words: pd.DataFrame) -> Iterator[tuple[str, str, Floats]]:
    """Yield level or difference, the mean with its unit, and draws."""
    unit, factor = ("mean, %", 100.0) if fit.glm.family == "bernoulli" else ("mean", 1.0)
    if fit.glm.measure in DURATIONS:
        unit = "mean, ms"
    shape = fit.draws["Intercept"].shape
    complete = words.dropna(subset=list(fit.glm.predictors))
    means = [
        factor * mean_outcomes(fit, complete, level=None if k == 0 else level).reshape(shape)
        for k, level in enumerate(levels)
    ]
    for k, level in enumerate(levels):
        yield level, unit, means[k]
        if k:
            yield f"{level} − {levels[0]}", unit, means[k] - means[0]
