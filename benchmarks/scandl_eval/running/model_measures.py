"""The second half of a run: what is measured of one model in one setting, before any comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from scandl.errors import ScandlError
from scandl.pairing import pair
from scandl.records import Prediction, Scanpath
from scandl_eval.distributions.classifier import Distinguishable, classifier_test
from scandl_eval.distributions.energy import PERMUTATIONS, Energy, energy
from scandl_eval.metrics import METRICS
from scandl_eval.metrics.score_table import Scores, columns, score
from scandl_eval.running.ratios import Unit
from scandl_eval.running.tasks import Corpora
from scandl_eval.scoring.scoring_spec import repair_counts

KERNELS = ("nld", "yujian-bo")
NLD_METRICS = ("nld", "nld-scandl")


@dataclass(frozen=True, slots=True)
class Job:
    """The predictions of one model in one setting, to be measured."""

    model: str
    setting: str
    predictions: tuple[Prediction, ...]
    shared: frozenset[Unit]  # what all models of the setting have
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """Energy distance and diversity on what all models of the setting have, so that they compare."""

    values: list[float]  # energy, diversity ratio
    draws: list[list[float]]  # of either, in resamples that are the same for all models
    by_fold: dict[str, list[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distances:
    """Energy distance and spread by sentence for one kernel; plain lists, to be kept as JSON."""

    sentence_ids: list[str]
    energy: list[float]
    within_human: list[float]
    within_model: list[float]
    ci95: list[float] | None
    diversity_ci95: list[float] | None
    p_value: float | None  # of the permutation test
    by_fold: dict[str, list[float]]  # energy, diversity ratio
    shared: Shared | None  # None where too little is shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Everything the leaderboard needs to know of one model in one setting."""

    model: str
    setting: str
    units: list[Unit]  # (fold, reader, sentence) of each instance
    nld: list[float]
    nld_scandl: list[float]
    by_sample: dict[str, list[float]]  # mean NLD of each draw, in both conventions
    log2_prob: list[float] | None  # of each human path, where the model gives all
    n_log_prob: int  # how many of them it gives
    n_events: list[int]  # fixations and the end of each human path
    distances: dict[str, Distances]  # by kernel; none where no sentence has two paths a side
    auc: float | None
    auc_ci95: list[float] | None
    n_predictions: int
    n_empty: int
    n_repaired: int

    def as_dict(self) -> dict[str, Any]:
        """Return what a JSON file holds."""
        return asdict(self)

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """Return the measures that ``as_dict`` gave."""
        values = {field.name: table[field.name] for field in fields(cls)}
        values["units"] = [tuple(unit) for unit in values["units"]]
        values["distances"] = {kernel: _distances_of(found) for kernel, found in values["distances"].items()}
        return cls(**values)


def _distances_of(table: dict[str, Any]) -> Distances:
    shared = table["shared"]
    return Distances(**(table | {"shared": None if shared is None else Shared(**shared)}))


def measure(corpora: Corpora, job: Job) -> Measures:
    """Measure one model in one setting; this is what workers run."""
    scores = scores_of(job.predictions)
    by_metric = {name: columns(scores, name)[job.model, job.setting] for name in NLD_METRICS}
    units = by_metric["nld"].items
    n_fixations = {unit_of(p): len(p.human or ()) for p in job.predictions}
    told_apart = _classifier(job)
    log2_prob = _log2_probs(job.predictions)
    return Measures(
        model=job.model,
        setting=job.setting,
        units=units,
        nld=by_metric["nld"].values.tolist(),
        nld_scandl=by_metric["nld-scandl"].at(units).tolist(),
        by_sample={name: _by_sample(scores, name) for name in NLD_METRICS},
        log2_prob=[log2_prob[unit] for unit in units] if len(log2_prob) == len(units) else None,
        n_log_prob=len(log2_prob),
        n_events=[n_fixations[unit] + 1 for unit in units],
        distances=_distances(job),
        auc=None if told_apart is None else told_apart.auc,
        auc_ci95=None if told_apart is None else _list(told_apart.ci95),
        n_predictions=len(job.predictions),
        n_empty=sum(not prediction.predicted for prediction in job.predictions),
        n_repaired=sum(repair_counts(job.predictions).values()),
    )


def scores_of(predictions: Sequence[Prediction]) -> Scores:
    """Return the table with one row per prediction: NLD in both conventions."""
    return score(pair(predictions).instances, [METRICS[name] for name in NLD_METRICS])


def sides(predictions: Sequence[Prediction]) -> tuple[list[Scanpath], list[Scanpath]]:
    """Return the human paths, each once, and the generated paths of predictions."""
    human = {unit_of(p): Scanpath(p.reader_id or "", p.sentence_id, p.human or ()) for p in predictions}
    model = [Scanpath(p.reader_id or "", p.sentence_id, p.predicted) for p in predictions]
    return list(human.values()), model


def unit_of(prediction: Prediction) -> Unit:
    """Return the (fold, reader, sentence) a prediction is about."""
    return prediction.fold, prediction.reader_id or "", prediction.sentence_id


def _log2_probs(predictions: Sequence[Prediction]) -> dict[Unit, float]:
    return {unit_of(p): p.log_prob / math.log(2) for p in predictions if p.log_prob is not None}


def _distances(job: Job) -> dict[str, Distances]:
    found = {}
    shared = [p for p in job.predictions if unit_of(p) in job.shared]
    for kernel in KERNELS:
        whole = _energy(job.predictions, kernel, job, PERMUTATIONS)
        if whole is None:
            continue
        of_shared = whole if len(shared) == len(job.predictions) else _energy(shared, kernel, job, 0)
        found[kernel] = Distances(
            sentence_ids=list(whole.sentence_ids),
            energy=whole.distances.tolist(),
            within_human=whole.within_human.tolist(),
            within_model=whole.within_model.tolist(),
            ci95=_list(whole.ci95),
            diversity_ci95=_list(whole.diversity_ci95),
            p_value=whole.p_value,
            by_fold=_by_fold(job.predictions, kernel),
            shared=None if of_shared is None else Shared(
                values=_numbers(of_shared),
                draws=[of_shared.distance_draws.tolist(), of_shared.diversity_draws.tolist()],
                by_fold=_by_fold(shared, kernel),
            ),
        )  # fmt: skip
    return found


def _energy(predictions: Sequence[Prediction], kernel: str, job: Job, permutations: int) -> Energy | None:
    """Compare both sides; None where no sentence has two paths on each."""
    try:
        return energy(
            *sides(predictions), kernel, permutations=permutations, resamples=job.resamples, seed=job.seed
        )
    except ScandlError:
        return None


def _numbers(found: Energy) -> list[float]:
    return [found.distance, found.diversity_ratio]


def _by_sample(scores: Scores, metric: str) -> list[float]:
    draws: dict[int, list[float]] = {}
    for key, value in zip(scores.keys, scores.values[metric].tolist(), strict=True):
        draws.setdefault(key.sample, []).append(value)
    return [math.fsum(values) / len(values) for values in draws.values()]


def _classifier(job: Job) -> Distinguishable | None:
    n_words = {p.sentence_id: len((p.text or "").split()) for p in job.predictions}
    try:
        return classifier_test(*sides(job.predictions), n_words, resamples=job.resamples, seed=job.seed)
    except ScandlError:
        return None  # too few readers or sentences to hold some out


def _by_fold(predictions: Sequence[Prediction], kernel: str) -> dict[str, list[float]]:
    """Return energy and diversity within each fold that has both; readers who all agree have no diversity."""
    folds: dict[str, list[Prediction]] = {}
    for prediction in predictions:
        folds.setdefault(prediction.fold, []).append(prediction)
    found = {}
    for fold, part in folds.items():
        try:
            found[fold] = _numbers(energy(*sides(part), kernel, permutations=0, resamples=0))
        except ScandlError:
            continue  # a fold may have no such sentence although the setting has
    return found


def _list(ci95: tuple[float, float] | None) -> list[float] | None:
    return None if ci95 is None else list(ci95)
