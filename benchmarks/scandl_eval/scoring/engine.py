"""The scoring engine: paired predictions in, every metric of every model in every setting out.

``nld``, ``score``, ``compare``, ``run`` and the Python functions are views of what is made here, so
the same predictions have the same numbers everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS, Metric, asked_for
from scandl.measures.metric import BY_DEFINITION
from scandl.pairing import Instance, Pairing
from scandl.records import Prediction
from scandl.statistics.distances import BIN_MS, TIMED, timed_kernel
from scandl_eval.references.reference_rows import Beside, TrivialReader, beside
from scandl_eval.score_table import Item, ScoreColumn, Scores, columns, score
from scandl_eval.scoring.energy_estimates import EnergyComparison, EnergyEstimates, ItemRows, ModelPaths
from scandl_eval.scoring.estimates import (
    Estimates,
    LikelihoodEstimates,
    Likelihoods,
    MeanEstimates,
)
from scandl_eval.scoring.scoring_spec import Spec
from scandl_eval.scoring.time_estimates import MEASURES, TimeEstimates

if TYPE_CHECKING:
    from scandl.corpora import Corpus

BITS = "bits-per-fixation"
DENSITY = "log-density"
DENSITY_COLUMN = "duration_log_prob"
"""Natural log density (per ms) a model gives the durations of the human path, all fixations together."""


@dataclass(frozen=True)
class SettingScores:
    """Everything that was found in one setting."""

    setting: str
    models: tuple[str, ...]  # those of the predictions; trivial readers come beside them
    estimates: Mapping[str, Estimates]  # by metric, of models and trivial readers
    columns: Mapping[str, Mapping[str, ScoreColumn]]  # by metric, then by model: means over instances
    compared: EnergyComparison
    beside: Beside
    bin_ms: float = BIN_MS  # of paths written in time


@dataclass(frozen=True)
class Scored:
    """The table of scores, and what follows from it setting by setting."""

    scores: Scores
    settings: tuple[SettingScores, ...]


def known_metric(name: str, spec: Spec) -> Metric:
    """Return a metric by name; NLD is that of the declared convention, bins are those declared."""
    if name == "nld":
        return spec.metric
    if name == TIMED:
        return spec.timed_metric
    asked_for(name)  # who mistypes the name of several metrics is told that one
    return METRICS[name]


def is_compared(metric: Metric) -> bool:
    """Say whether models can be estimated together in a metric, so that differences have an interval.

    >>> is_compared(METRICS["energy"]), is_compared(METRICS["classifier-auc"])
    (True, False)
    """
    return bool(metric.score or metric.kernel or metric.name in (*MEASURES, BITS, DENSITY))


def score_predictions(
    pairing: Pairing,
    corpus: Corpus | None,
    spec: Spec,
    metrics: Mapping[str, Metric],
    *,
    trivial: bool = True,
    seed: int = 1,
) -> Scored:
    """Score paired predictions.

    Parameters
    ----------
    metrics
        By the name of their rows.
    trivial
        Whether the trivial readers stand beside the models.
    """
    scores = score(pairing.instances, [metric for metric in metrics.values() if metric.level == "pair"])
    found = []
    for near in beside(pairing.instances, corpus, reference=spec.reference, seed=seed):
        alone = [p for p in pairing.without_human if p.setting == near.setting]
        more = alone if spec.reference == "all" else []  # all that a model made beside all readers
        found.append(_setting_scores(near, scores, pairing.instances, metrics, trivial, more, spec.bin_ms))
    return Scored(scores, tuple(found))


def _setting_scores(
    near: Beside,
    scores: Scores,
    instances: Sequence[Instance],
    metrics: Mapping[str, Metric],
    trivial: bool,
    unpaired: Sequence[Prediction],
    bin_ms: float,
) -> SettingScores:
    own = [instance for instance in instances if instance.prediction.setting == near.setting]
    models = tuple(dict.fromkeys(instance.prediction.model for instance in own))
    paths = generated_paths([*predictions_in(own), *unpaired])
    if trivial:
        paths = trivial_paths(near.trivial, [found.rows for found in paths.values()]) | paths
    compared = EnergyComparison(near.humans, {model: paths[model] for model in (*models, *paths)})
    by_metric: dict[str, dict[str, ScoreColumn]] = {}
    estimates: dict[str, Estimates] = {}
    for name, metric in metrics.items():
        if metric.score is None:
            if name == BITS:
                estimates[name] = likelihoods(own)
            elif name == DENSITY:
                estimates[name] = likelihoods(own, _density, ends=0)
            elif near.doubtful_readers:
                continue
            elif metric.kernel:
                kernel = kernel_of(metric, bin_ms)
                seen = compared.seen_by(kernel)
                estimates[name] = EnergyEstimates(seen, kernel, metric.human == BY_DEFINITION)
            elif name in MEASURES:
                estimates[name] = TimeEstimates(compared.with_durations, name)
            continue
        found = {m: c for (m, setting), c in columns(scores, metric.name).items() if setting == near.setting}
        if trivial:
            found |= {m: column for m, column in near.trivial_columns(metric).items() if m not in found}
        by_metric[name] = found
        estimates[name] = MeanEstimates(found)
    return SettingScores(near.setting, models, estimates, by_metric, compared, near, bin_ms)


def kernel_of(metric: Metric, bin_ms: float = BIN_MS) -> str:
    """Return the distance that a metric of whole sentences is made of, or its name.

    >>> kernel_of(METRICS["energy-time"], 25.0), kernel_of(METRICS["diversity"])
    ('nld-time-25ms', 'nld')
    """
    return timed_kernel(bin_ms) if metric.kernel == TIMED else metric.kernel or metric.name


def predictions_in(instances: Iterable[Instance]) -> list[Prediction]:
    """Return the predictions of instances, each once although it may meet several readers."""
    return list({id(instance.prediction): instance.prediction for instance in instances}.values())


def generated_paths(predictions: Iterable[Prediction]) -> dict[str, ModelPaths]:
    """Return the paths of each model for each (fold, reader, sentence)."""
    own: dict[str, list[Prediction]] = {}
    for p in predictions:
        own.setdefault(p.model, []).append(p)
    known: list[ItemRows] = []
    return {
        model: ModelPaths(
            _item_rows(map(_item, found), known),
            [p.predicted for p in found],
            [p.durations for p in found] if any(p.durations is not None for p in found) else None,
        )
        for model, found in own.items()
    }


def trivial_paths(readers: Iterable[TrivialReader], known: list[ItemRows]) -> dict[str, ModelPaths]:
    """Return the paths of trivial readers for each (fold, reader, sentence)."""
    return {
        reader.name: ModelPaths(
            _item_rows((_item(unit.prediction) for unit in reader.units), known), reader.words
        )
        for reader in readers
    }


def _item(p: Prediction) -> Item:
    return p.fold, p.reader_id or "", p.sentence_id


def _item_rows(items: Iterable[Item], known: list[ItemRows]) -> ItemRows:
    """Return the rows of items; where other models have the very same, those, which saves their memory."""
    rows = ItemRows(items)
    for other in known:
        if rows == other:
            return other
    known.append(rows)
    return rows


def _bits(prediction: Prediction) -> float | None:
    return None if prediction.log_prob is None else prediction.log_prob / math.log(2.0)


def _density(prediction: Prediction) -> float | None:
    cell = prediction.extra.get(DENSITY_COLUMN, "").strip()
    try:
        return float(cell) if cell else None
    except ValueError:
        raise ScandlError(
            f"model {prediction.model!r}, sentence {prediction.sentence_id!r}: column {DENSITY_COLUMN!r}:"
            f" found {cell!r}, expected a natural logarithm such as -42.5"
        ) from None


def likelihoods(
    instances: Sequence[Instance], value: Callable[[Prediction], float | None] = _bits, *, ends: int = 1
) -> LikelihoodEstimates:
    """Return the likelihoods of the models that give one for every human path they are compared with.

    Several samples of an item stand for one human path, which counts once, over its fixations and ``ends``.
    """
    known: dict[str, dict[Item, tuple[float, int]]] = {}
    lacking: set[str] = set()
    for instance in instances:
        p = instance.prediction
        found = value(p)
        if found is None:
            lacking.add(p.model)
            continue
        item = (p.fold, instance.reader_id or "", p.sentence_id)
        known.setdefault(p.model, {})[item] = (found, len(instance.human) + ends)
    return LikelihoodEstimates(
        {
            model: Likelihoods(
                tuple(items),
                np.array([bits for bits, _ in items.values()]),
                np.array([events for _, events in items.values()], dtype=np.float64),
            )
            for model, items in known.items()
            if model not in lacking
        }
    )
