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

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from scandl.errors import ScandlError
from scandl.measures.scanpath_measures import CONVENTIONS, NAMES, scanpath_measures
from scandl.pairing import Instance, Pairing
from scandl.records import Positions
from scandl.seeds import stream
from scandl.statistics.bootstrap import RESAMPLES, Floats
from scandl.statistics.distances import paired
from scandl_analysis.behaviour.pearson import NLD, Pearson, Points, correlate, strengths
from scandl_analysis.behaviour.variability import Behaviour, behaviour
from scandl_analysis.published_numbers import published_correlations
from scandl_analysis.words.analysed_run import Run, as_run

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions

FILE = "correlations.csv"
KINDS = ("reader", "sentence", "scanpath")
STRENGTH = "strength"
PUBLISHED_CONVENTION = "scandl"
NOT_ON_RECORD = "not on record"
KERNELS = {"words": "nld", "scandl": "nld-scandl"}
"""The NLD that belongs to a convention of the measures: both count CLS and SEP, or neither."""

KEYS = ("convention", "model", "reader_id", "sentence_id")


def paired_scanpaths(run: Run) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return one row per convention, model and human scanpath, and what to say of the pairs.

    Columns are the NLD, its mean over the samples of a prediction, and the measures of the human path.
    ``scandl.pairing`` says which human path a prediction meets.
    """
    pairing = run.pairing
    if not pairing.instances:
        raise ScandlError(
            f"corpus {run.corpus.name!r} has no scanpath of the readers and sentences that were predicted:"
            " is it the corpus of these predictions?"
        )
    frames = [_frame(pairing.instances, run, convention) for convention in KERNELS]
    return pd.concat(frames, ignore_index=True), _left_out(pairing, run)


def _frame(instances: Sequence[Instance], run: Run, convention: str) -> pd.DataFrame:
    """Return the rows of one convention; a human path is measured once however often it is predicted."""
    predicted = [instance.prediction.predicted for instance in instances]
    distances = paired([instance.human for instance in instances], predicted, KERNELS[convention])
    measured: dict[tuple[str, Positions], dict[str, float]] = {}
    rows = []
    for instance, distance in zip(instances, distances.tolist(), strict=True):
        p, human = instance.prediction, instance.human
        key = (p.sentence_id, human)
        if key not in measured:
            n_words = run.corpus.sentences[p.sentence_id].n_words
            measured[key] = scanpath_measures(human, n_words, convention)
        # Unnamed readers are told apart by their paths, so that samples of one prediction stay together.
        reader = instance.reader_id or ""
        rows.append((convention, p.model, reader, p.sentence_id, human, distance, *measured[key].values()))
    columns = [*KEYS, "human", NLD, *measured[key]]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.groupby([*KEYS, "human"], sort=False, as_index=False).mean()[[*KEYS, NLD, *NAMES]]


def _left_out(pairing: Pairing, run: Run) -> tuple[str, ...]:
    lost = Counter(p.model for p in pairing.without_human)
    return tuple(
        f"{model}: {n:,} of {len(run.predictions[model]):,} predictions have no human scanpath"
        for model, n in lost.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationRow:
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


def correlations(
    source: Run | Predictions | None = None,
    *,
    corpus: Corpus | Path | str | None = None,
    setting: str | None = None,
    index_base: int | None = None,
    seed: int = 1,
    resamples: int = RESAMPLES,
) -> Behaviour:
    """Correlate NLD by reader, by sentence and by scanpath, under both conventions.

    Parameters
    ----------
    source, corpus, setting, index_base
        As of :func:`variability`.
    seed, resamples
        Of the bootstrap.

    Returns
    -------
    Behaviour
        One row per model and measure: the correlation with its interval.

    Examples
    --------
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
    of_convention = {name: pairs[pairs["convention"] == name] for name in CONVENTIONS}
    row = partial(CorrelationRow, setting=run.setting, corpus=run.corpus.name)
    rows = [
        row(convention=convention, kind=kind, model=model, other=other, **asdict(correlation))
        for convention, part in of_convention.items()
        for kind in KINDS
        for model, other, correlation in correlate_kind(part, kind, seed=seed, resamples=resamples)
    ]
    for convention, part in of_convention.items():
        rows += [row(convention=convention, kind=STRENGTH, **each) for each in strength_cells(part)]
    rows += published_rows(run.setting)
    return behaviour((FILE, "pairs.csv"), run, (*run.first_lines, *notes), rows, pairs, seed)


def strength_cells(pairs: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the strength of each measure over all models, as cells of the same table."""
    models = list(dict.fromkeys(pairs["model"]))
    name = models[0] if len(models) == 1 else f"{len(models)} models"
    for each in strengths(pairs):
        low, high = each.ci95 or (None, None)
        strongest = "mean |r|, the strongest"
        yield {
            **{"model": name, "other": each.measure, "n": each.n, "r": each.mean, "p": each.p},
            **{"ci_low": low, "ci_high": high},
            "note": strongest if each.p is None else "mean |r|; p: as strong as the strongest",
        }


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


def published_rows(setting: str) -> list[CorrelationRow]:
    """Return the printed correlations of the setting as rows of the same table."""
    return [
        CorrelationRow(
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
