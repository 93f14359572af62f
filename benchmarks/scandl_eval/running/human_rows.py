"""How near readers are to each other, and models on the very same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scandl.statistics.bootstrap import interval
from scandl_eval.leaderboard.board_rows import HUMAN, BoardRow
from scandl_eval.metrics.score_table import Column
from scandl_eval.references.human_ceilings import Ceiling, Humans, human_ceiling, split_half_energy
from scandl_eval.running.entries import KERNEL_OF
from scandl_eval.running.model_measures import NLD_METRICS, Measures
from scandl_eval.running.ratios import fold_values, of_values, own_interval
from scandl_eval.scoring.summary_rows import BY_SENTENCE, CROSSED


@dataclass(frozen=True, slots=True)
class Matched:
    """A model on the items of the human row, and how much farther readers are from each other."""

    mean: float
    human_minus_model: float
    ci95: tuple[float, float] | None


def human_rows(
    setting: str, measures: Sequence[Measures], humans: Humans, *, seed: int, resamples: int
) -> tuple[list[BoardRow], dict[tuple[str, str], Matched]]:
    """Return the rows of the readers, which are not ranked, and each (model, metric) on their items."""
    rows, matched = [], {}
    units = list(dict.fromkeys(unit for each in measures for unit in each.units))
    for metric in NLD_METRICS:
        ceiling = human_ceiling(humans, "all-pairs", kernel=metric, items=units, seed=seed)
        if not len(ceiling.column):
            continue
        rows.append(_nld_row(setting, metric, ceiling, seed=seed, resamples=resamples))
        columns = {each.model: _column(each, metric) for each in measures}
        for model, found in matched_with(ceiling, columns, seed=seed, resamples=resamples).items():
            matched[model, metric] = found
    for metric in ("energy", "energy-yujian-bo"):
        halves = split_half_energy(humans, kernel=KERNEL_OF[metric], seed=seed)
        if halves:
            ratio = of_values([("", "", sentence) for sentence in halves], list(halves.values()))
            rows.append(
                BoardRow(
                    setting=setting, model=HUMAN, kind="human", metric=metric, n=len(ratio), mean=ratio.value,
                    ci95=own_interval(ratio, seed=seed, resamples=resamples), resampled=BY_SENTENCE,
                    note="between two random halves of the readers",
                )
            )  # fmt: skip
    if rows:
        rows.append(
            BoardRow(setting=setting, model=HUMAN, kind="human", metric="diversity", n=None, mean=1.0,
                     note="by definition")
        )  # fmt: skip
    return rows, matched


def matched_with(
    ceiling: Ceiling, columns: Mapping[str, Column], *, seed: int, resamples: int
) -> dict[str, Matched]:
    """Compare models with the readers item by item, on those of the ceiling's items that a model has."""
    groups: dict[tuple[tuple[str, str, str], ...], list[str]] = {}
    for model, column in columns.items():
        has = set(column.items)
        groups.setdefault(tuple(item for item in ceiling.column.items if item in has), []).append(model)
    found = {}
    for items, models in groups.items():
        if not items:
            continue
        part = ceiling.at(items)
        draws = part.draws(*(columns[model] for model in models), seed=seed, resamples=resamples)
        for k, model in enumerate(models):
            mean = float(columns[model].at(items).mean())
            found[model] = Matched(mean, part.column.mean - mean, interval(draws[:, 0] - draws[:, 1 + k]))
    return found


def with_matched(row: BoardRow, matched: Mapping[tuple[str, str], Matched]) -> BoardRow:
    """Return the row with what it is on the items of the human row."""
    found = matched.get((row.model, row.metric)) if row.kind == "model" else None
    if found is None:
        return row
    return replace(
        row, mean_matched=found.mean, human_minus_model=found.human_minus_model,
        human_minus_model_ci95=found.ci95,
    )  # fmt: skip


def _nld_row(setting: str, metric: str, ceiling: Ceiling, *, seed: int, resamples: int) -> BoardRow:
    note = "all pairs of readers without self"
    if ceiling.excluded:
        note += f"; {len(ceiling.excluded)} sentences with one reader left out"
    folds = fold_values(of_values(ceiling.column.items, ceiling.column.values.tolist()))
    return BoardRow(
        setting=setting, model=HUMAN, kind="human", metric=metric, n=len(ceiling.column),
        mean=ceiling.column.mean, ci95=interval(ceiling.draws(seed=seed, resamples=resamples)[:, 0]),
        resampled=CROSSED, sd_folds=folds.sd, se_folds=folds.se, note=note,
    )  # fmt: skip


def _column(measured: Measures, metric: str) -> Column:
    values = measured.nld if metric == "nld" else measured.nld_scandl
    folds, readers, sentences = zip(*measured.units, strict=True)
    return Column(folds, readers, sentences, np.array(values))
