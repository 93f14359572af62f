"""The predictions of a run through the scoring engine, and the tables that every aggregate follows from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scandl.files.tables import write_table
from scandl.pairing import pair
from scandl.records import Prediction
from scandl_eval.metrics.score_table import Scores, write_scores
from scandl_eval.running.setting_rows import NLD_METRICS, Counts, counted
from scandl_eval.running.tasks import Corpora, Group
from scandl_eval.scoring.engine import BITS, DISTANCES, SettingScores, known_metric, score_predictions
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
    metrics = {name: known_metric(name, spec, (BITS,)) for name in (*NLD_METRICS, *DISTANCES, BITS)}
    runs = []
    for setting in dict.fromkeys(setting for _, setting in predictions):
        own = {model: found for (model, of), found in predictions.items() if of == setting}
        corpus = corpora.tested(setting)
        pairing = pair([p for found in own.values() for p in found], corpus)
        scored = score_predictions(pairing, corpus, spec, metrics, trivial=False, seed=seed)
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


def _sentence_columns(found: SettingScores, model: str) -> dict[str, list[str] | list[float]]:
    """Return energy and spread by sentence, for each kernel."""
    columns: dict[str, list[str] | list[float]] = {}
    for kernel in dict.fromkeys(kernel for kernel, _ in DISTANCES.values()):
        terms = found.compared.terms(kernel, [model])
        if terms is None:
            return {}
        k = terms.models.index(model)
        columns.setdefault("sentence_id", list(terms.sentence_ids))
        columns |= {
            f"energy {kernel}": np.round(terms.by_sentence[:, k], 12).tolist(),
            f"within human {kernel}": np.round(terms.within_human, 12).tolist(),
            f"within model {kernel}": np.round(terms.within_model[:, k], 12).tolist(),
        }
    return columns
