"""Measure every model in every setting, once, and write the tables the leaderboard is derived from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from scandl.corpora.corpus_digest import digest
from scandl.files.atomic_writes import write_text
from scandl.files.prediction_files import read_predictions
from scandl.files.provenance import sha256
from scandl.files.tables import write_table
from scandl.progress import track
from scandl_eval.metrics.score_table import write_scores
from scandl_eval.running.model_measures import Job, Measures, measure, scores_of, unit_of
from scandl_eval.running.piece_cache import Pieces, code_digest
from scandl_eval.running.run_config import RunConfig
from scandl_eval.running.tasks import Group
from scandl_eval.running.workers import Workers

SENTENCES = "-sentences"
"""What ends the name of the table with one row a sentence."""


def make_measures(
    predictions: Mapping[Group, Path], config: RunConfig, pieces: Pieces, workers: Workers, *, quiet: bool
) -> dict[Group, Path]:
    """Measure the models whose pieces are not there yet; return the pieces by model and setting."""
    read = {group: tuple(read_predictions(path)) for group, path in predictions.items()}
    units = {group: frozenset(map(unit_of, found)) for group, found in read.items()}
    shared = {
        setting: frozenset.intersection(*(found for (_, of), found in units.items() if of == setting))
        for _, setting in units
    }
    paths = {}
    for (model, setting), path in predictions.items():
        beyond = sorted(units[model, setting] - shared[setting])
        key = digest(sha256(path), beyond, config.resamples, config.seed, code_digest())
        paths[model, setting] = pieces.path(f"{model}/{setting}", key, ".json")
    missing = [group for group in paths if not paths[group].exists()]
    jobs = [Job(*group, read[group], shared[group[1]], config.resamples, config.seed) for group in missing]
    work = workers.each(measure, jobs)
    for i, found in track(work, "score", total=len(jobs), quiet=quiet):
        write_text(paths[missing[i]], json.dumps(found.as_dict()) + "\n")
    return paths


def read_measures(path: Path) -> Measures:
    """Read a piece that ``make_measures`` wrote."""
    return Measures.from_dict(json.loads(path.read_text(encoding="utf-8")))


def write_score_tables(
    predictions: Mapping[Group, Path], measures: Mapping[Group, Measures], folder: Path
) -> None:
    """Write, for each model and setting, a table of predictions and one of sentences."""
    for (model, setting), path in predictions.items():
        write_scores(folder / model / f"{setting}.csv", scores_of(read_predictions(path)))
        by_kernel = measures[model, setting].distances
        if not by_kernel:
            continue
        columns: dict[str, list[str] | list[float]] = {
            "sentence_id": next(iter(by_kernel.values())).sentence_ids
        }
        for kernel, found in by_kernel.items():
            columns |= {
                f"energy {kernel}": found.energy,
                f"within human {kernel}": found.within_human,
                f"within model {kernel}": found.within_model,
            }
        write_table(folder / model / f"{setting}{SENTENCES}.csv", columns)
