"""The predictions of a run through the scoring engine, and the tables that every aggregate follows from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scandl.files.tables import write_table
from scandl.pairing import pair
from scandl.records import Prediction
from scandl_eval.metrics.score_table import Scores, write_scores
from scandl_eval.references.time_halves import TIMES
from scandl_eval.running.setting_rows import NLD_METRICS, Counts, counted
from scandl_eval.running.tasks import Corpora, Group
from scandl_eval.scoring.engine import (
    BITS,
    DISTANCES,
    OF_TIME,
    SettingScores,
    known_metric,
    score_predictions,
)
from scandl_eval.scoring.scoring_spec import Spec, repair_counts

SENTENCES = "-sentences"
"""What ends the name of the table with one row per sentence."""


@dataclass(frozen=True)
class ScoredRun:
    """One setting of a run."""

    found: SettingScores
    scores: Scores
    counts: Mapping[str, Counts]  # by model
    n_log_prob: Mapping[str, int]  # by model, how many human paths it gives the likelihood of


def score_run(
    predictions: Mapping[Group, Sequence[Prediction]], corpora: Corpora, *, seed: int
) -> list[ScoredRun]:
    """Score all models, setting by setting."""
    spec = Spec()
    names = (*NLD_METRICS, *DISTANCES, *TIMES, BITS)
    metrics = {name: known_metric(name, spec, (BITS,)) for name in names}
    untimed = {name: metric for name, metric in metrics.items() if name not in OF_TIME}
    runs = []
    for setting in dict.fromkeys(setting for _, setting in predictions):
        own = {model: found for (model, of), found in predictions.items() if of == setting}
        corpus = corpora.tested(setting)
        pairing = pair([p for found in own.values() for p in found], corpus)
        timed = any(p.durations is not None for found in own.values() for p in found)
        chosen = metrics if timed else untimed
        scored = score_predictions(pairing, corpus, spec, chosen, trivial=False, seed=seed)
        (found,) = scored.settings
        counts = {
            model: counted(
                scored.scores, (model, setting), sum(not p.predicted for p in read),
                sum(repair_counts(read).values()),
            )
            for model, read in own.items()
        }  # fmt: skip
        given = {
            model: len({(p.fold, p.reader_id, p.sentence_id) for p in read if p.log_prob is not None})
            for model, read in own.items()
        }
        runs.append(ScoredRun(found, scored.scores, counts, given))
    return runs


def write_score_tables(runs: Sequence[ScoredRun], folder: Path) -> None:
    """Write, for each model and setting, a table of predictions and one of sentences."""
    for run in runs:
        for (model, setting), rows in run.scores.by_group.items():
            keys = tuple(run.scores.keys[i] for i in rows.tolist())
            values = {name: column[rows] for name, column in run.scores.values.items()}
            write_scores(folder / model / f"{setting}.csv", Scores(keys, values))
            columns = _sentence_columns(run.found, model)
            if columns:
                write_table(folder / model / f"{setting}{SENTENCES}.csv", columns)


def _sentence_columns(found: SettingScores, model: str) -> dict[str, list[Any]]:
    """Return energy and spread by sentence, for each kernel; an empty cell where it is not defined."""
    columns: dict[str, list[Any]] = {}
    for kernel in dict.fromkeys(DISTANCES[name][0] for name in found.estimates if name in DISTANCES):
        compared = found.compared.seen_by(kernel)
        terms = compared.terms(kernel, [model]) if model in compared.paths else None
        if terms is None:
            continue
        k = terms.models.index(model)
        columns.setdefault("sentence_id", list(terms.sentence_ids))
        for name, values in (
            ("energy", terms.by_sentence[:, k]), ("within human", terms.within_human),
            ("within model", terms.within_model[:, k]),
        ):  # fmt: skip
            known = dict(zip(terms.sentence_ids, np.round(values, 12).tolist(), strict=True))
            columns[f"{name} {kernel}"] = [known.get(key, "") for key in columns["sentence_id"]]
    return columns
