"""One metric of every model in a setting: on all it has, and on what all of them have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scandl.statistics.bootstrap import FoldSpread, interval
from scandl_eval.running.model_measures import Distances, Measures
from scandl_eval.running.ratios import (
    Array,
    Ratio,
    fold_values,
    of_values,
    own_interval,
    shared_draws,
    shared_units,
)

KERNEL_OF = {"energy": "nld", "energy-yujian-bo": "yujian-bo", "diversity": "nld"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One metric of one model, and what it is compared by: its value on what all models have."""

    mean: float
    n: int  # instances, or sentences
    ci95: tuple[float, float] | None
    folds: FoldSpread
    shared: float  # NaN where too little is shared
    shared_folds: FoldSpread
    draws: Array | None  # of the shared value, in resamples of readers and sentences; paired over models


def ratio_of(measured: Measures, metric: str) -> Ratio | None:
    """Return a metric that is a mean over instances, or None where the model has it not."""
    if metric == "bits-per-fixation":
        if measured.log2_prob is None:
            return None
        return Ratio(tuple(measured.units), np.array(measured.log2_prob), np.array(measured.n_events, float))
    return of_values(measured.units, measured.nld if metric == "nld" else measured.nld_scandl)


def ratio_entries(ratios: Mapping[str, Ratio], *, seed: int, resamples: int) -> dict[str, Entry]:
    """Return the entries of a metric that is a mean over instances."""
    shared = shared_units(ratios)
    draws = shared_draws(ratios, seed=seed, resamples=resamples)
    found = {}
    for k, (model, ratio) in enumerate(ratios.items()):
        at, drawn = ratio.at(shared), None if draws is None else draws[:, k]
        own = own_interval(ratio, seed=seed, resamples=resamples) if len(ratio) > len(shared) else None
        found[model] = Entry(
            ratio.value, len(ratio),
            interval(drawn) if drawn is not None and len(ratio) == len(shared) else own,
            fold_values(ratio), at.value, fold_values(at), drawn,
        )  # fmt: skip
    return found


def distance_entries(measures: Mapping[str, Measures], metric: str) -> dict[str, Entry]:
    """Return the entries of energy distance or diversity, of the models that have them."""
    kernel, k = KERNEL_OF[metric], int(metric == "diversity")
    found = {model: measured.distances.get(kernel) for model, measured in measures.items()}
    return {model: _distance_entry(each, k) for model, each in found.items() if each is not None}


def _distance_entry(distances: Distances, k: int) -> Entry:
    n, shared = len(distances.sentence_ids), distances.shared
    top = distances.within_model if k else distances.energy
    bottom = math.fsum(distances.within_human) if k else n
    ci95 = distances.diversity_ci95 if k else distances.ci95
    return Entry(
        math.fsum(top) / bottom if bottom else math.nan, n,
        pair(ci95),
        _defined(distances.by_fold, k),
        math.nan if shared is None else shared.values[k],
        _defined({} if shared is None else shared.by_fold, k),
        np.array(shared.draws[k]) if shared is not None and shared.draws[k] else None,
    )  # fmt: skip


def pair(ci95: list[float] | None) -> tuple[float, float] | None:
    """Return an interval that JSON has made a list."""
    return None if ci95 is None else (ci95[0], ci95[1])


def _defined(by_fold: Mapping[str, list[float]], k: int) -> FoldSpread:
    """Return the fold values; a fold whose readers all agree has no diversity."""
    return FoldSpread({fold: values[k] for fold, values in by_fold.items() if not math.isnan(values[k])})
