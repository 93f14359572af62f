"""From the measures of all models in one setting to the rows of the leaderboard."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from scandl_eval.ceilings import Humans, human_ceiling, split_half_energy
from scandl_eval.leaderboard import BOARD_METRICS, HUMAN, BoardMetric, BoardRow
from scandl_eval.ranking import ALPHA, Place, places
from scandl_eval.running.measures import Distances, Measures
from scandl_eval.running.ratios import Ratio, Unit, fold_values, of_values, shared_draws, shared_units
from scandl_eval.significance import FoldSpread, interval, paired_t

CROSSED, BY_SENTENCE = "readers × sentences", "sentences"
KERNEL_OF = {"energy": "nld", "energy-yujian-bo": "yujian-bo", "diversity": "nld"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One metric of one model: its units, its fold values, and an interval that is known already."""

    ratio: Ratio
    folds: FoldSpread
    ci95: tuple[float, float] | None = None


def setting_rows(
    setting: str, measures: Sequence[Measures], humans: Humans, *, seed: int, resamples: int
) -> list[BoardRow]:
    """Return the rows of one setting: every metric of every model, then the human ceiling."""
    rows: list[BoardRow] = []
    by_model = {found.model: found for found in measures}
    for metric in BOARD_METRICS.values():
        if metric.name == "classifier-auc":
            rows += _auc_rows(measures, metric)
            continue
        found = {model: entry(measured, metric.name) for model, measured in by_model.items()}
        entries = {model: each for model, each in found.items() if each is not None}
        finite = {model: each for model, each in entries.items() if math.isfinite(each.ratio.value)}
        if finite:
            rows += _compared(setting, metric, finite, by_model, seed=seed, resamples=resamples)
        rows += [
            _infinite_row(setting, metric, model, each.ratio)
            for model, each in entries.items()
            if math.isinf(each.ratio.value)
        ]
    return rows + _human_rows(setting, measures[0].units, humans, seed=seed, resamples=resamples)


def entry(measured: Measures, metric: str) -> Entry | None:
    """Return one metric of one model, or None where it is not defined."""
    if metric in KERNEL_OF:
        distances = measured.distances.get(KERNEL_OF[metric])
        return None if distances is None else _distance_entry(distances, metric)
    if metric == "bits-per-fixation":
        if measured.log2_prob is None:
            return None
        ratio = Ratio(tuple(measured.units), np.array(measured.log2_prob), np.array(measured.n_events, float))
    else:
        ratio = of_values(measured.units, measured.nld if metric == "nld" else measured.nld_scandl)
    return Entry(ratio, fold_values(ratio))


def _distance_entry(distances: Distances, metric: str) -> Entry:
    """Return energy or diversity; its units are sentences, its interval was made of readers too."""
    units = tuple(("", "", sentence) for sentence in distances.sentence_ids)
    k = 1 if metric == "diversity" else 0
    folds = FoldSpread({fold: values[k] for fold, values in distances.by_fold.items()})
    ci95 = distances.diversity_ci95 if metric == "diversity" else distances.ci95
    if metric == "diversity":
        ratio = Ratio(units, np.array(distances.within_model), np.array(distances.within_human))
    else:
        ratio = of_values(units, distances.energy)
    return Entry(ratio, folds, _pair(ci95))


def _compared(
    setting: str, metric: BoardMetric, entries: Mapping[str, Entry], by_model: Mapping[str, Measures], *,
    seed: int, resamples: int,
) -> list[BoardRow]:  # fmt: skip
    """Return the rows of one metric with ranks and differences to the best model."""
    ratios = {model: each.ratio for model, each in entries.items()}
    shared = shared_units(ratios)
    values = np.array([ratio.at(shared).value for ratio in ratios.values()])
    draws = shared_draws(ratios, seed=seed, resamples=resamples)
    # Models that share no item, or none with a defined value, cannot be ranked.
    found = places(values, draws, loss=metric.loss) if np.isfinite(values).all() else []
    best = min(zip(found, entries.values(), strict=True), key=lambda pair: pair[0].rank)[1] if found else None
    rows = []
    for k, (model, each) in enumerate(entries.items()):
        whole = draws is not None and len(each.ratio) == len(shared)
        ci95 = each.ci95 or (
            interval(draws[:, k]) if draws is not None and whole
            else _own_interval(each.ratio, seed=seed, resamples=resamples)
        )  # fmt: skip
        rows.append(
            BoardRow(
                setting=setting, model=model, kind="model", metric=metric.name, n=len(each.ratio),
                mean=each.ratio.value, ci95=ci95, resampled=CROSSED,
                **_spread(each.folds), **(_place(found[k]) if found else {}),
                **({} if best is None or each is best else _fold_test(metric, each.folds, best.folds)),
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


def _human_rows(
    setting: str, units: Sequence[Unit], humans: Humans, *, seed: int, resamples: int
) -> list[BoardRow]:
    """Return how near readers are to each other, on the items of the models; not ranked."""
    rows = []
    for metric in ("nld", "nld-scandl"):
        ceiling = human_ceiling(humans, "all-pairs", kernel=metric, items=units, seed=seed)
        ratio = of_values(ceiling.column.items, ceiling.column.values.tolist())
        note = "all pairs of readers without self"
        if ceiling.excluded:
            note += f"; {len(ceiling.excluded)} sentences with one reader left out"
        rows.append(_human_row(setting, metric, ratio, note, CROSSED, seed=seed, resamples=resamples))
    for metric in ("energy", "energy-yujian-bo"):
        halves = split_half_energy(humans, kernel=KERNEL_OF[metric], seed=seed)
        ratio = of_values([("", "", sentence) for sentence in halves], list(halves.values()))
        note = "between two random halves of the readers"
        rows.append(_human_row(setting, metric, ratio, note, BY_SENTENCE, seed=seed, resamples=resamples))
    known = [row for row in rows if row.n]
    if not known:
        return []
    by_definition = BoardRow(
        setting=setting, model=HUMAN, kind="human", metric="diversity", n=None, mean=1.0, note="by definition"
    )
    return [*known, by_definition]


def _human_row(
    setting: str, metric: str, ratio: Ratio, note: str, resampled: str, *, seed: int, resamples: int
) -> BoardRow:
    return BoardRow(
        setting=setting, model=HUMAN, kind="human", metric=metric, n=len(ratio),
        mean=ratio.value if len(ratio) else None, resampled=resampled, note=note,
        ci95=_own_interval(ratio, seed=seed, resamples=resamples),
        **(_spread(fold_values(ratio)) if resampled == CROSSED else {}),
    )  # fmt: skip


def _auc_rows(measures: Sequence[Measures], metric: BoardMetric) -> list[BoardRow]:
    """Return the classifier's rows; each has an interval of its own, so ranks come without one."""
    known = [(found, found.auc) for found in measures if found.auc is not None]
    placed = places(np.array([auc for _, auc in known]), None, loss=metric.loss) if known else []
    return [
        BoardRow(
            setting=found.setting, model=found.model, kind="model", metric=metric.name,
            n=found.n_predictions, mean=auc, ci95=_pair(found.auc_ci95), resampled=CROSSED,
            **_place(place), **_counts(found, metric.name),
        )
        for (found, auc), place in zip(known, placed, strict=True)
    ]  # fmt: skip


def _pair(ci95: list[float] | None) -> tuple[float, float] | None:
    return None if ci95 is None else (ci95[0], ci95[1])


def _own_interval(ratio: Ratio, *, seed: int, resamples: int) -> tuple[float, float] | None:
    draws = shared_draws({"": ratio}, seed=seed, resamples=resamples)
    return None if draws is None else interval(draws[:, 0])


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
