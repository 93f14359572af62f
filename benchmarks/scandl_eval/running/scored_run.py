"""Score a run: every prediction by the engine, and whether human and generated paths can be told apart."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np

from scandl.errors import ScandlError
from scandl.files.manifest import Pieces, code_digest, digest
from scandl.files.results import write_text
from scandl.files.tables import write_table
from scandl.measures.catalogue import METRICS, usual_metrics
from scandl.measures.distribution.classifier import classifier_test
from scandl.measures.metric import DURATIONS
from scandl.pairing import pair
from scandl.records import Prediction, Scanpath
from scandl.statistics.energy import permutation_p
from scandl.workers import Workers, track
from scandl_eval.running.tasks import Corpora, Group
from scandl_eval.score_table import Scores, write_scores
from scandl_eval.scoring.engine import SettingScores, is_compared, known_metric, score_predictions
from scandl_eval.scoring.scoring_spec import Spec, repair_counts

SENTENCES = "-sentences"
"""What ends the name of the table with one row per sentence."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What is counted of one model in one setting beside its scores."""

    n_empty: int
    n_repaired: int
    by_sample: Mapping[str, list[float]]  # mean of each draw, by metric

    def cells(self, metric: str) -> dict[str, Any]:
        """Return the cells of a row."""
        draws = self.by_sample.get(metric, [])
        return {
            "n_empty": self.n_empty,
            "n_repaired": self.n_repaired,
            "sd_samples": statistics.stdev(draws) if len(draws) > 1 else None,
        }


@dataclass(frozen=True)
class ScoredRun:
    """One setting of a run."""

    found: SettingScores
    scores: Scores
    counts: Mapping[str, Counts]  # by model
    n_log_prob: Mapping[str, int]  # by model, how many human paths it gives the likelihood of


def score_run(
    predictions: Mapping[Group, Sequence[Prediction]],
    corpora: Corpora,
    *,
    metrics: Sequence[str] = (),
    seed: int,
) -> list[ScoredRun]:
    """Score all models, setting by setting, by the usual metrics and more."""
    spec = Spec()
    names = dict.fromkeys([*(metric.name for metric in usual_metrics()), *metrics])
    every = {name: known_metric(name, spec) for name in names if is_compared(METRICS[name])}
    untimed = {name: metric for name, metric in every.items() if DURATIONS not in metric.needs}
    runs = []
    for setting in dict.fromkeys(setting for _, setting in predictions):
        own = {model: found for (model, of), found in predictions.items() if of == setting}
        corpus = corpora.tested(setting)
        pairing = pair([p for found in own.values() for p in found], corpus)
        timed = any(p.durations is not None for found in own.values() for p in found)
        chosen = every if timed else untimed
        scored = score_predictions(pairing, corpus, spec, chosen, trivial=False, seed=seed)
        (found,) = scored.settings
        counts = {
            model: counted(
                scored.scores,
                (model, setting),
                sum(not p.predicted for p in read),
                sum(repair_counts(read).values()),
            )
            for model, read in own.items()
        }
        given = {
            model: len({(p.fold, p.reader_id, p.sentence_id) for p in read if p.log_prob is not None})
            for model, read in own.items()
        }
        runs.append(ScoredRun(found, scored.scores, counts, given))
    return runs


def counted(scores: Scores, group: tuple[str, str], n_empty: int, n_repaired: int) -> Counts:
    """Return the counts of one model in one setting."""
    metrics = list(scores.values)
    draws: dict[str, dict[int, list[float]]] = {metric: {} for metric in metrics}
    for i in scores.by_group[group].tolist():
        for metric in metrics:
            value = float(scores.values[metric][i])
            if math.isfinite(value):
                draws[metric].setdefault(scores.keys[i].sample, []).append(value)
    means = {
        metric: [math.fsum(values) / len(values) for values in found.values()]
        for metric, found in draws.items()
    }
    return Counts(n_empty, n_repaired, means)


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
    for kernel in filter(None, dict.fromkeys(METRICS[name].kernel for name in found.estimates)):
        compared = found.compared.seen_by(kernel)
        terms = compared.terms(kernel, [model]) if model in compared.paths else None
        if terms is None:
            continue
        k = terms.models.index(model)
        columns.setdefault("sentence_id", list(terms.sentence_ids))
        for name, values in (
            ("energy", terms.by_sentence[:, k]),
            ("within human", terms.within_human),
            ("within model", terms.within_model[:, k]),
        ):
            known = dict(zip(terms.sentence_ids, np.round(values, 12).tolist(), strict=True))
            columns[f"{name} {kernel}"] = [known.get(key, "") for key in columns["sentence_id"]]
    return columns


@dataclass(frozen=True, slots=True)
class Job:
    """The human and the generated paths of one model in one setting."""

    human: tuple[Scanpath, ...]
    generated: tuple[Scanpath, ...]
    n_words: Mapping[str, int]
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionTests:
    """What the tests found; plain lists and numbers, to be kept as JSON."""

    auc: float | None
    auc_ci95: list[float] | None
    n_paths: int
    p_values: dict[str, float]  # of the permutation test, by kernel

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """Return the tests that ``asdict`` gave."""
        return cls(**{field.name: table[field.name] for field in fields(cls)})


def distribution_tests(corpora: Corpora, job: Job) -> DistributionTests:
    """Test one model; this is what workers run."""
    human, model = (_by_sentence(paths) for paths in (job.human, job.generated))
    kernels = filter(None, dict.fromkeys(metric.kernel for metric in usual_metrics()))
    found = {kernel: permutation_p(human, model, kernel, seed=job.seed) for kernel in kernels}
    try:
        apart = classifier_test(
            job.human, job.generated, dict(job.n_words), resamples=job.resamples, seed=job.seed
        )
    except ScandlError:
        apart = None  # too few readers or sentences to hold some out
    ci95 = None if apart is None or apart.ci95 is None else list(apart.ci95)
    return DistributionTests(
        auc=None if apart is None else apart.auc,
        auc_ci95=ci95,
        n_paths=len(job.generated),
        p_values={kernel: p for kernel, p in found.items() if p is not None},
    )


def tests_of(
    settings: Sequence[SettingScores], corpora: Corpora, *, resamples: int, seed: int
) -> dict[Group, DistributionTests]:
    """Test every model of every setting in this process."""
    return {
        (model, found.setting): distribution_tests(corpora, _job(found, model, resamples, seed))
        for found in settings
        for model in found.models
    }


def _by_sentence(paths: Sequence[Scanpath]) -> dict[str, list[Scanpath]]:
    found: dict[str, list[Scanpath]] = {}
    for path in paths:
        found.setdefault(path.sentence_id, []).append(path)
    return found


def make_tests(
    settings: Sequence[SettingScores],
    pieces: Pieces,
    workers: Workers,
    *,
    resamples: int,
    seed: int,
    quiet: bool,
) -> tuple[dict[Group, DistributionTests], set[Path]]:
    """Test every model of every setting whose piece is not there yet; return the tests and their pieces."""
    jobs = {
        (model, found.setting): _job(found, model, resamples, seed)
        for found in settings
        for model in found.models
    }
    paths = {group: pieces.path(f"{group[0]}/{group[1]}", _key(job), ".json") for group, job in jobs.items()}
    missing = [group for group in jobs if not paths[group].exists()]
    work = workers.each(distribution_tests, [jobs[group] for group in missing])
    for i, tests in track(work, "score", total=len(missing), quiet=quiet):
        write_text(paths[missing[i]], json.dumps(asdict(tests)) + "\n")
        pieces.seal(paths[missing[i]])
    read = {group: json.loads(path.read_text(encoding="utf-8")) for group, path in paths.items()}
    return {group: DistributionTests.from_dict(table) for group, table in read.items()}, set(paths.values())


def _job(found: SettingScores, model: str, resamples: int, seed: int) -> Job:
    texts = {unit.prediction.sentence_id: unit.n_words for unit in found.beside.units.values()}
    return Job(
        tuple(path for paths in found.beside.humans.values() for path in paths),
        tuple(path for paths in found.compared.paths[model].values() for path in paths),
        {sentence: n for sentence, n in texts.items() if n is not None},
        resamples,
        seed,
    )


def _key(job: Job) -> str:
    sides = [
        [(p.reader_id, p.sentence_id, p.positions, p.durations) for p in side]
        for side in (job.human, job.generated)
    ]
    return digest(sides, sorted(job.n_words.items()), job.resamples, job.seed, code_digest())
