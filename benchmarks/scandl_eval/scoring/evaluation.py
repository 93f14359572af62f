"""Score prediction files: the models, and the rows they have to be read beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scandl.corpora import Corpus
from scandl.errors import ScandlError, did_you_mean
from scandl.pairing import Pairing
from scandl.records import Prediction
from scandl.statistics.bootstrap import READER_DRAWS, interval
from scandl_eval.metrics import METRICS, Metric
from scandl_eval.metrics.score_table import Column, Scores, columns, sample_spread, score
from scandl_eval.references.human_ceilings import Ceiling
from scandl_eval.references.reference_rows import HUMAN, LEFT_TO_RIGHT, TRAIN_LABEL_DIST, Beside, beside
from scandl_eval.scoring import remarks as say
from scandl_eval.scoring.distribution_rows import DISTRIBUTIONS, distribution_rows
from scandl_eval.scoring.energy_rows import energy_rows, generated_paths, with_energy, without_energy
from scandl_eval.scoring.prediction_sets import load
from scandl_eval.scoring.scoring_spec import Spec
from scandl_eval.scoring.summary_rows import CROSSED, Difference, Row, paired_difference, summarise

KINDS = {LEFT_TO_RIGHT: "baseline", TRAIN_LABEL_DIST: "baseline", HUMAN: "human"}

Columns = dict[tuple[str, str], Column]
"""One metric by (model, setting)."""
Gaps = dict[tuple[str, str], dict[str, Difference]]
"""By (model, setting), then by metric."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What there is to say about prediction files; every aggregate follows from ``scores``."""

    rows: list[Row]
    scores: Scores
    metric_spec: dict[str, Any]
    notes: list[str]  # how to read the rows, and what was left out
    warnings: list[str]  # what a reader of the rows must not miss
    gaps: Gaps  # left-to-right minus each (model, setting), by metric


def evaluate(
    files: Sequence[Path | str], *, corpus: Corpus | None = None, spec: Spec | None = None,
    metrics: Sequence[str] = (), ceiling: str = "all-pairs", strict: bool = False, seed: int = 1,
) -> Evaluation:  # fmt: skip
    """Score the predictions of some files, and trivial baselines and humans on the same items.

    ``metrics`` names what to compute, of ``METRICS`` and ``DISTRIBUTIONS``; empty, it is NLD in the
    convention of ``spec``. With
    ``strict`` a prediction without a human scanpath, or an item that a model lacks, is an error
    instead of a note.
    """
    spec = spec or Spec()
    wanted = [name for name in metrics if name in DISTRIBUTIONS]
    chosen = {name: _metric(name) for name in metrics if name not in DISTRIBUTIONS} or {"nld": spec.metric}
    as_read, pairing = load(files, corpus, spec, strict=strict)
    settings = beside(pairing.instances, corpus, seed=seed)
    scores = score(pairing.instances, chosen.values())
    measured = [_measured(name, metric, scores, settings, ceiling, seed) for name, metric in chosen.items()]
    rows = _with_empty((row for found in measured for row in found.rows), as_read)
    n = len(measured[0].rows)  # energy belongs to the models, not to a metric: one metric's rows carry it
    paths = generated_paths(map(spec.repaired, as_read), settings)
    first = with_energy(rows[:n], paths, settings, seed=seed)
    compared = distribution_rows(wanted, pairing.instances, settings, paths, seed=seed)
    gaps = _by_model(measured)
    notes = [
        *say.input_notes(spec, pairing, as_read, corpus),
        *say.lacking_notes(pairing, corpus),
        *map(say.baseline_note, settings),
        *(note for found in measured for note in found.notes),
        *say.undefined_notes([*rows, *compared]),
        *say.panel_notes(wanted),
        say.interval_note(rows),
        say.energy_note(first),
    ]
    return Evaluation(
        rows=[*map(without_energy, first), *rows[n:], *energy_rows(first), *compared] if metrics else first,
        scores=scores,
        metric_spec=_metric_spec(spec, pairing, len(as_read), chosen, ceiling),
        notes=list(dict.fromkeys(notes)),
        warnings=_warnings(gaps),
        gaps=gaps,
    )


def _metric(name: str) -> Metric:
    if name not in METRICS:
        raise ScandlError(f"no metric {name!r}{did_you_mean(name, [*METRICS, *DISTRIBUTIONS])}")
    return METRICS[name]


@dataclass(frozen=True, slots=True)
class _Measured:
    """One metric: its rows, what to say of them, and how far left-to-right is from each model."""

    name: str
    rows: list[Row]
    notes: list[str]
    gaps: dict[tuple[str, str], Difference]  # left-to-right minus the model


def _measured(
    name: str, metric: Metric, scores: Scores, settings: Iterable[Beside], ceiling: str, seed: int
) -> _Measured:
    of_models = columns(scores, metric.name)
    added: Columns = {}
    ceilings: dict[str, Ceiling] = {}
    notes = say.item_notes(of_models)
    for near in settings:
        added |= near.baseline_columns(metric)
        humans = None if near.doubtful_readers else near.ceiling(metric, ceiling)
        if humans is not None and len(humans.column):
            ceilings[near.setting], added[HUMAN, near.setting] = humans, humans.column
        notes.append(say.ceiling_note(humans))
    added = {group: column for group, column in added.items() if group not in of_models}
    kinds = {group: KINDS[group[0]] for group in added}
    drawn = sample_spread(scores, metric.name)
    rows = [
        replace(row, sd_samples=drawn.get((row.model, row.setting)), **_human_interval(row, ceilings, seed))
        for row in summarise(of_models | added, name, seed=seed, kinds=kinds)
    ]
    gaps = {} if metric.higher_is_better else _gaps(of_models, of_models | added, seed)
    return _Measured(name, rows, notes, gaps)


def _human_interval(row: Row, ceilings: Mapping[str, Ceiling], seed: int) -> dict[str, Any]:
    """Return the interval of a human row, whose partners are a sample as its readers are."""
    if row.kind != "human" or row.resampled != CROSSED:
        return {}
    return {"ci95": interval(ceilings[row.setting].draws(seed=seed, reader_draws=READER_DRAWS)[:, 0])}


def _gaps(of_models: Columns, found: Columns, seed: int) -> dict[tuple[str, str], Difference]:
    gaps = {}
    for (model, setting), column in of_models.items():
        rival = found.get((LEFT_TO_RIGHT, setting))
        gap = None if rival is None else paired_difference(rival, column, seed=seed)
        if gap is not None and model != LEFT_TO_RIGHT:
            gaps[model, setting] = gap
    return gaps


def _by_model(measured: Iterable[_Measured]) -> Gaps:
    gaps: Gaps = {}
    for found in measured:
        for group, gap in found.gaps.items():
            gaps.setdefault(group, {})[found.name] = gap
    return gaps


def _warnings(gaps: Gaps) -> list[str]:
    warnings = [say.left_to_right_warning(*group, by_metric) for group, by_metric in gaps.items()]
    return [warning for warning in warnings if warning is not None]


def _with_empty(rows: Iterable[Row], predictions: Iterable[Prediction]) -> list[Row]:
    empty = Counter((p.model, p.setting) for p in predictions if not p.predicted)
    return [replace(row, n_empty=empty[row.model, row.setting]) for row in rows]


def _metric_spec(
    spec: Spec, pairing: Pairing, n_read: int, chosen: Mapping[str, Metric], ceiling: str
) -> dict[str, Any]:
    told = ("name", "version", "higher_is_better", "about")
    declared = {name: {field: getattr(metric, field) for field in told} for name, metric in chosen.items()}
    return spec.as_dict(
        pairing=pairing.rule,
        items=f"{n_read - len(pairing.without_human)} of {n_read} predictions",
        ceiling=ceiling,
        energy_kernel="nld, words",
        metrics=declared,
    )
