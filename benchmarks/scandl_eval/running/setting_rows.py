"""From the measures of all models in one setting to the rows of the leaderboard."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from scandl.statistics.bootstrap import FoldSpread, paired_t
from scandl_eval.leaderboard.board_rows import BOARD_METRICS, BoardMetric, BoardRow
from scandl_eval.references.human_ceilings import Humans
from scandl_eval.running.entries import KERNEL_OF, Entry, distance_entries, pair, ratio_entries, ratio_of
from scandl_eval.running.human_rows import human_rows, with_matched
from scandl_eval.running.model_measures import Measures
from scandl_eval.running.ratios import Ratio
from scandl_eval.scoring.ranking import ALPHA, Place, places
from scandl_eval.scoring.summary_rows import CROSSED


def setting_rows(
    setting: str, measures: Sequence[Measures], humans: Humans, *, seed: int, resamples: int
) -> list[BoardRow]:
    """Return the rows of one setting: every metric of every model, then the human ceiling."""
    rows: list[BoardRow] = []
    by_model = {found.model: found for found in measures}
    for metric in BOARD_METRICS.values():
        if metric.name == "classifier-auc":
            rows += _auc_rows(measures, metric)
        elif metric.name in KERNEL_OF:
            rows += _compared(setting, metric, distance_entries(by_model, metric.name), by_model)
        else:
            ratios = {model: ratio_of(measured, metric.name) for model, measured in by_model.items()}
            known = {model: ratio for model, ratio in ratios.items() if ratio is not None}
            finite = {model: ratio for model, ratio in known.items() if math.isfinite(ratio.value)}
            if finite:
                entries = ratio_entries(finite, seed=seed, resamples=resamples)
                rows += _compared(setting, metric, entries, by_model)
            rows += [
                _infinite_row(setting, metric, model, ratio)
                for model, ratio in known.items()
                if math.isinf(ratio.value)
            ]
    of_humans, matched = human_rows(setting, measures, humans, seed=seed, resamples=resamples)
    return [*(with_matched(row, matched) for row in rows), *of_humans]


def _compared(
    setting: str, metric: BoardMetric, entries: Mapping[str, Entry], by_model: Mapping[str, Measures]
) -> list[BoardRow]:
    """Return the rows of one metric with ranks and differences to the best model."""
    entries = {model: each for model, each in entries.items() if math.isfinite(each.mean)}
    values = np.array([each.shared for each in entries.values()])
    drawn = [each.draws for each in entries.values() if each.draws is not None]
    draws = np.column_stack(drawn) if drawn and len(drawn) == len(entries) else None
    # Models that share no item, or none with a defined value, cannot be ranked.
    found = places(values, draws, loss=metric.loss) if len(values) and np.isfinite(values).all() else []
    best = min(zip(found, entries.values(), strict=True), key=lambda pair: pair[0].rank)[1] if found else None
    rows = []
    for k, (model, each) in enumerate(entries.items()):
        tested = best is not None and each is not best
        rows.append(
            BoardRow(
                setting=setting, model=model, kind="model", metric=metric.name, n=each.n,
                mean=each.mean, ci95=each.ci95, resampled=CROSSED,
                **_spread(each.folds), **(_place(found[k]) if found else {}),
                **(_fold_test(metric, each.shared_folds, best.shared_folds) if best and tested else {}),
                **_counts(by_model[model], metric.name),
            )
        )  # fmt: skip
    return rows


def _infinite_row(setting: str, metric: BoardMetric, model: str, ratio: Ratio) -> BoardRow:
    """Return the row of a model that holds some human path impossible: its mean is no number."""
    n = int(np.isinf(ratio.top).sum())
    return BoardRow(
        setting=setting, model=model, kind="model", metric=metric.name, n=len(ratio), mean=None,
        note=f"minus infinity: the model gives {n} human scanpaths the probability 0",
    )  # fmt: skip


def _auc_rows(measures: Sequence[Measures], metric: BoardMetric) -> list[BoardRow]:
    """Return the classifier's rows; each has an interval of its own, so ranks come without one."""
    known = [(found, found.auc) for found in measures if found.auc is not None]
    placed = places(np.array([auc for _, auc in known]), None, loss=metric.loss) if known else []
    return [
        BoardRow(
            setting=found.setting, model=found.model, kind="model", metric=metric.name,
            n=found.n_predictions, mean=auc, ci95=pair(found.auc_ci95), resampled=CROSSED,
            **_place(place), **_counts(found, metric.name),
        )
        for (found, auc), place in zip(known, placed, strict=True)
    ]  # fmt: skip


def _place(place: Place) -> dict[str, Any]:
    return {name: value for name, value in asdict(place).items() if name != "value"}


def _spread(folds: FoldSpread) -> dict[str, Any]:
    return {"sd_folds": folds.sd, "se_folds": folds.se} if folds.means else {}


def _fold_test(metric: BoardMetric, folds: FoldSpread, best: FoldSpread) -> dict[str, Any]:
    """Return the paper's test: a paired t over how bad both are in each fold."""
    losses, least = (
        FoldSpread({fold: metric.loss(value) for fold, value in spread.means.items()})
        for spread in (folds, best)
    )
    test = paired_t(losses, least)
    if test is None:
        return {}
    return {"p_folds": test.p, "dagger": test.p < ALPHA and losses.mean > least.mean}


def _counts(measured: Measures, metric: str) -> dict[str, Any]:
    distances = measured.distances.get(KERNEL_OF.get(metric, "")) if metric != "diversity" else None
    draws = measured.by_sample.get(metric, [])
    return {
        "sd_samples": statistics.stdev(draws) if len(draws) > 1 else None,
        "n_empty": measured.n_empty,
        "n_repaired": measured.n_repaired,
        "p_permutation": None if distances is None else distances.p_value,
    }
