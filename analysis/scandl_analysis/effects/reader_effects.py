"""Effects of the readers alone, in other ways: by group or condition, and by definition and edges.

Groups of readers and conditions of sentences are compared in one model. Definitions of measures and edges of
sentences are choices of the analyst, of which an effect should not depend.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scandl.errors import ScandlError, did_you_mean
from scandl.statistics.bootstrap import Floats
from scandl_analysis.effects.designs import source_glm
from scandl_analysis.effects.effect_table import EffectRow, Effects, listed
from scandl_analysis.effects.fitting import Done
from scandl_analysis.glm.design import by_levels
from scandl_analysis.glm.diagnostics import summarise_draws
from scandl_analysis.glm.marginal import marginal_effects, mean_outcomes, unit_of
from scandl_analysis.glm.spec import Family, Fit, Glm
from scandl_analysis.words.word_table import versions_of

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
    "unit",
    "marginal",
    "marginal_low",
    "marginal_high",
]
SENSITIVITY = [
    "measure",
    "predictor",
    "definition",
    "edges",
    "unit",
    "marginal",
    "low",
    "high",
    "main",
    "note",
]
LEFT_OUT, KEPT = "left out", "kept"
HANGS = "sign differs"
Choice = tuple[str, str]
"""(definition of the measure, what becomes of the edges of sentences)"""
OUTCOME = "mean outcome"
"""Stands for a predictor where a row is about the mean of a level."""
OBSERVED = "mean in the data"


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


def group_table(fits: Sequence[Done], frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the effects in each level, then what each differs from the first, one row each.

    ``mean`` is the slope on the scale of the link, ``marginal`` the average marginal effect. Below them stand
    the mean outcomes of the same words in every level, averaged over readers and words, their differences,
    and the means of the data. ``frames`` has the words of each measure.
    """
    rows: list[dict[str, Any]] = []
    for done in fits:
        assert done.glm.by is not None
        words = frames[done.glm.measure]
        levels = by_levels(words, done.glm.by)
        about = {"by": done.glm.by, "measure": done.glm.measure, "n_rows": done.n_rows}
        if done.fit is None:
            rows.append(about | {"note": done.note})
            continue
        about |= {"note": "; ".join(filter(None, (done.fit.note, *done.warnings)))}
        rows += [about | row for row in _of_fit(done.fit, levels, words)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _of_fit(fit: Fit, levels: Sequence[str], words: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of one measure."""
    unit, factor = unit_of(fit.glm.family)
    words = versions_of(words)[0]
    complete = words.dropna(subset=[fit.glm.measure, *fit.glm.predictors])
    names: dict[str, str | None] = {level: None if k == 0 else level for k, level in enumerate(levels)}
    by_level = {level: marginal_effects(fit, complete, level=name) for level, name in names.items()}
    means = {level: mean_outcomes(fit, complete, level=name) for level, name in names.items()}
    for predictor in fit.glm.predictors:
        slopes = {
            level: fit.draws[predictor] + (fit.draws[f"{fit.glm.by}[{name}]:{predictor}"] if name else 0.0)
            for level, name in names.items()
        }
        marginal = {level: found[predictor] for level, found in by_level.items()}
        for (label, slope), (_, drawn) in zip(_compared(slopes), _compared(marginal), strict=True):
            numbers = asdict(summarise_draws(slope, fit))
            yield {"level": label, "predictor": predictor, **numbers, **_marginal(drawn, unit, factor)}
    for label, drawn in _compared(means):
        yield {"level": label, "predictor": OUTCOME, **_marginal(drawn, "%" if factor > 1 else unit, factor)}
    for level, observed in words.groupby(fit.glm.by)[fit.glm.measure].mean().items():
        seen = {"unit": "%" if factor > 1 else unit, "marginal": factor * observed}
        yield {"level": level, "predictor": OBSERVED, **seen}


def _compared(by_level: Mapping[str, Floats]) -> Iterator[tuple[str, Floats]]:
    """Yield each level, and behind each but the first its difference from that one."""
    first = next(iter(by_level))
    for level, drawn in by_level.items():
        yield level, drawn
        if level != first:
            yield f"{level} − {first}", drawn - by_level[first]


def _marginal(drawn: Floats, unit: str, factor: float) -> dict[str, Any]:
    low, high = np.quantile(factor * drawn, [0.025, 0.975])
    mean = factor * float(drawn.mean())
    return {"unit": unit, "marginal": mean, "marginal_low": float(low), "marginal_high": float(high)}


def sensitivity_table(main: Choice, effects: Mapping[Choice, Sequence[Effects]]) -> pd.DataFrame:
    """Return the marginal effects of people by definition and edges; those of the analysis first.

    ``note`` says where the sign differs from that of the analysis: one interval leaves out 0, and the other
    mean is on the other side.
    """
    ours = {(row.measure, row.predictor): row for each in effects[main] for row in each.rows if each.marginal}
    rows: list[dict[str, Any]] = []
    for (measure, predictor), own in ours.items():
        for choice, found in effects.items():
            for row in (row for each in found for row in each.rows if each.marginal):
                if (row.measure, row.predictor) == (measure, predictor):
                    rows.append(_cells(row, choice) | {"main": choice == main, "note": _note(own, row)})
    return pd.DataFrame(rows, columns=SENSITIVITY)


def sensitivity_verdict(table: pd.DataFrame) -> str:
    """Say how many signs of clear effects hang on the definition or the edges; nothing where none does.

    >>> row = {"measure": "fpr", "predictor": "word_length", "note": "", "main": True, "low": 1, "high": 2}
    >>> sensitivity_verdict(pd.DataFrame([row, row | {"main": False, "note": HANGS}]))
    'Another definition or the edges of sentences turn the sign of 1 of 1 effects: word_length on fpr.'
    """
    if not len(table):
        return ""
    main = table[table["main"].astype(str) == "True"]
    clear = {
        (row["measure"], row["predictor"]) for row in main.to_dict("records") if row["low"] * row["high"] > 0
    }
    turned = [(row["measure"], row["predictor"]) for row in table.to_dict("records") if row["note"] == HANGS]
    names = list(dict.fromkeys(f"{cell[1]} on {cell[0]}" for cell in turned if cell in clear))
    if not names:
        return ""
    start = "Another definition or the edges of sentences turn the sign of"
    return f"{start} {len(names)} of {len(clear)} effects: {listed(names)}."


def _cells(row: EffectRow, choice: Choice) -> dict[str, Any]:
    return {
        "measure": row.measure,
        "predictor": row.predictor,
        "definition": choice[0],
        "edges": choice[1],
        "unit": row.unit,
        "marginal": row.marginal,
        "low": row.marginal_low,
        "high": row.marginal_high,
    }


def _note(own: EffectRow, other: EffectRow) -> str:
    clear = own.marginal_low * own.marginal_high > 0 or other.marginal_low * other.marginal_high > 0
    return HANGS if clear and own.marginal * other.marginal < 0 else ""
