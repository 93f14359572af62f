"""What goes with a high NLD: readers, sentences and scanpaths that are hard for a model.

Three kinds of Pearson correlation, each with the stars of the published tables and a bootstrap
interval that resamples what the points are:

``reader``
    a reader's mean NLD with the mean measures of that reader's own scanpaths; points are readers;
``sentence``
    the mean NLD of a sentence under two models; points are sentences;
``scanpath``
    the NLD of a prediction with the measures of the human scanpath it stands against. Points share
    readers and sentences, and the stars take them as independent, as published; the interval
    resamples readers and sentences and is the one to believe.

A last kind of row, ``strength``, has the mean of |r| over models for each measure of scanpaths, with the
interval of that mean; its p is of a paired test against the strongest measure, after Holm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from scandl.files.results import Provenance, provenance
from scandl.measures.scanpath_measures import CONVENTIONS, NAMES
from scandl.seeds import stream
from scandl.statistics.bootstrap import RESAMPLES, Floats
from scandl_analysis.behaviour.paired_scanpaths import NLD, paired_scanpaths
from scandl_analysis.behaviour.pearson import Pearson, Points, correlate
from scandl_analysis.behaviour.strengths import strengths
from scandl_analysis.published_numbers import published_correlations
from scandl_analysis.words.analysed_run import Run, as_run

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions

KINDS = ("reader", "sentence", "scanpath")
STRENGTH = "strength"
PUBLISHED_CONVENTION = "scandl"
NOT_ON_RECORD = "not on record"


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """One correlation of NLD; what cannot be computed is None, and ``note`` says why."""

    setting: str
    corpus: str
    convention: str
    kind: str
    model: str
    other: str  # a measure, or the other model
    origin: str = "run"  # or published
    n: int | None = None
    r: float | None = None
    p: float | None = None
    stars: str = ""
    ci_low: float | None = None
    ci_high: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Correlations:
    """The table, the pairs of scanpaths it was made of, and what to say about both."""

    setting: str
    notes: tuple[str, ...]  # the first line says what was analysed
    table: pd.DataFrame
    pairs: pd.DataFrame  # one row per convention, model and human scanpath
    provenance: Provenance


def correlations(
    source: Run | Predictions | None = None,
    *,
    corpus: Corpus | Path | str | None = None,
    setting: str | None = None,
    index_base: int | None = None,
    seed: int = 1,
    resamples: int = RESAMPLES,
) -> Correlations:
    """Correlate NLD by reader, by sentence and by scanpath, under both conventions.

    ``source`` is a run folder, or predictions in any form with their ``corpus``; without one it is the
    newest run below ``runs``, or the demo. ``index_base`` is what positions of predictions count from.

    >>> from scandl.corpora.corpus_folder import open_corpus
    >>> from scandl.records import Prediction
    >>> demo = open_corpus("demo")
    >>> every = [Prediction(p.sentence_id, (0, 1), reader_id=p.reader_id, model="m") for p in demo.scanpaths]
    >>> row = correlations(every, corpus=demo, resamples=20).table.iloc[0]
    >>> row["kind"], row["model"], row["other"], int(row["n"])
    ('reader', 'm', 'first_pass_count', 30)
    """
    run = as_run(source, corpus, setting, index_base)
    pairs, notes = paired_scanpaths(run)
    rows = [
        Correlation(
            setting=run.setting,
            corpus=run.corpus.name,
            convention=convention,
            kind=kind,
            model=model,
            other=other,
            **asdict(found),
        )
        for convention in CONVENTIONS
        for kind in KINDS
        for model, other, found in correlate_kind(
            pairs[pairs["convention"] == convention], kind, seed=seed, resamples=resamples
        )
    ]
    for convention in CONVENTIONS:
        rows += strength_rows(run, pairs[pairs["convention"] == convention], convention)
    rows += published_rows(run.setting)
    table = pd.DataFrame([asdict(row) for row in rows], columns=[field.name for field in fields(Correlation)])
    origin = provenance(seed=seed, inputs=run.inputs)
    return Correlations(run.setting, (*run.first_lines, *notes), table, pairs, origin)


def strength_rows(run: Run, pairs: pd.DataFrame, convention: str) -> list[Correlation]:
    """Return the strength of each measure over all models as rows of the same table."""
    models = list(dict.fromkeys(pairs["model"]))
    name = models[0] if len(models) == 1 else f"{len(models)} models"
    return [
        Correlation(
            setting=run.setting,
            corpus=run.corpus.name,
            convention=convention,
            kind=STRENGTH,
            model=name,
            other=found.measure,
            n=found.n,
            r=found.mean,
            p=found.p,
            ci_low=None if found.ci95 is None else found.ci95[0],
            ci_high=None if found.ci95 is None else found.ci95[1],
            note="mean |r|, the strongest" if found.p is None else "mean |r|; p: as strong as the strongest",
        )
        for found in strengths(pairs)
    ]


def correlate_kind(
    pairs: pd.DataFrame, kind: str, *, seed: int = 1, resamples: int = RESAMPLES
) -> Iterator[tuple[str, str, Pearson]]:
    """Yield model, what its NLD is correlated with, and the correlation, for the pairs of one convention."""
    models = {str(model): part for model, part in pairs.groupby("model", sort=False)}
    if kind == "sentence":
        for one, other in combinations(models, 2):
            points = sentence_points({name: models[name] for name in (one, other)})
            yield one, other, correlate(points, stream(seed, kind, one, other), resamples)[0]
        return
    for model, part in models.items():
        points = reader_points(part) if kind == "reader" else scanpath_points(part)
        found = correlate(points, stream(seed, kind, model), resamples)
        yield from ((model, name, each) for name, each in zip(NAMES, found, strict=True))


def reader_points(pairs: pd.DataFrame) -> Points:
    """Return the means of each reader; scanpaths of unnamed readers belong to none."""
    means = pairs[pairs["reader_id"] != ""].groupby("reader_id")[[NLD, *NAMES]].mean()
    return Points("readers", ("NLD", *NAMES), *_columns(means), (list(means.index),))


def scanpath_points(pairs: pd.DataFrame) -> Points:
    """Return each pair as a point."""
    clusters = (pairs["reader_id"].tolist(), pairs["sentence_id"].tolist())
    return Points("scanpaths", ("NLD", *NAMES), *_columns(pairs[[NLD, *NAMES]]), clusters)


def sentence_points(pairs: dict[str, pd.DataFrame]) -> Points:
    """Return the mean NLD of two models on each sentence that both read."""
    means = [part.groupby("sentence_id")[NLD].mean() for part in pairs.values()]
    both = pd.concat(means, axis=1, join="inner")
    names = tuple(f"NLD of {model}" for model in pairs)
    return Points("sentences", names, *_columns(both), (list(both.index),))


def published_rows(setting: str) -> list[Correlation]:
    """Return the printed correlations of the setting as rows of the same table."""
    return [
        Correlation(
            setting=row.setting or NOT_ON_RECORD,
            corpus=row.corpus or NOT_ON_RECORD,
            convention=PUBLISHED_CONVENTION,
            kind=row.kind,
            model=row.model,
            other=row.other,
            origin="published",
            r=row.r,
            stars=row.stars,
        )
        for row in published_correlations(setting)
    ]


def _columns(frame: pd.DataFrame) -> tuple[Floats, Floats]:
    values = frame.to_numpy(float)
    return values[:, 0], values[:, 1:]
