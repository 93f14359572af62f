"""From per-instance columns to the rows of a table, each mean with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from scandl.statistics.bootstrap import (
    bootstrap_means,
    fold_spread,
    interval,
    resampleable,
    two_sided_p,
)
from scandl_eval.metrics.score_table import Column, shared_items

# What a bootstrap drew.
CROSSED = "readers × sentences"
ONE_WAY = "sentences (readers are not named)"
BY_SENTENCE = "sentences"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of one model in one setting. ``None`` is a number that cannot be given."""

    model: str
    setting: str
    metric: str
    n: int  # instances: (fold, reader, sentence)
    mean: float | None
    se_folds: float | None  # SD with ddof 1 over the root of the number of folds
    ci95: tuple[float, float] | None  # cluster bootstrap
    kind: str = "model"  # model, baseline or human
    sd_folds: float | None = None  # ddof 0, what the released script prints after ±
    n_folds: int = 1
    mean_of_folds: float | None = None
    mean_over_sentences: float | None = None
    sd_samples: float | None = None  # ddof 1, over the means of several draws
    resampled: str | None = None  # what the bootstrap drew
    n_readers: int | None = None
    n_sentences: int = 0
    n_undefined: int = 0  # instances the metric is not defined for
    n_empty: int = 0  # predictions without any fixation
    energy_distance: float | None = None
    energy_ci95: tuple[float, float] | None = None
    diversity_ratio: float | None = None
    diversity_ci95: tuple[float, float] | None = None
    energy_resampled: str | None = None  # what the bootstrap of both drew
    energy_sentences: int = 0  # sentences with at least two human and two model paths

    def as_dict(self) -> dict[str, Any]:
        """Return the fields for a JSON file."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The mean of A − B over the items both have."""

    n: int
    mean_a: float
    mean_b: float
    difference: float
    ci95: tuple[float, float] | None
    p: float | None  # bootstrap, two-sided, not adjusted

    @property
    def separable(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.ci95 is not None and (self.ci95[0] > 0 or self.ci95[1] < 0)


def summarise(
    found: Mapping[tuple[str, str], Column],
    metric: str,
    *,
    seed: int,
    kinds: Mapping[tuple[str, str], str] | None = None,
) -> list[Row]:
    """Return one row per (model, setting).

    Columns that cover the same items share their resamples, which is faster and pairs them.
    """
    rows: dict[tuple[str, str], Row] = {}
    together: dict[tuple[tuple[str, str, str], ...], list[tuple[str, str]]] = {}
    for group, column in found.items():
        rows[group] = replace(_plain_row(group, metric, column), kind=(kinds or {}).get(group, "model"))
        if len(column) and resampleable(column.clusters, column.sentences):
            together.setdefault(tuple(column.items), []).append(group)
    for groups in together.values():
        first = found[groups[0]]
        values = np.column_stack([found[group].values for group in groups])
        draws = bootstrap_means(values, first.clusters, first.sentences, seed=seed)
        resampled = ONE_WAY if first.clusters is None else CROSSED
        for k, group in enumerate(groups):
            rows[group] = replace(rows[group], ci95=interval(draws[:, k]), resampled=resampled)
    return list(rows.values())


def paired_difference(a: Column, b: Column, *, seed: int) -> Difference | None:
    """Compare two columns on the items both have, on the same resamples; None when they share none."""
    shared = shared_items([a, b])
    if not shared:
        return None
    values_a, values_b = a.at(shared), b.at(shared)
    _, readers, sentences = zip(*shared, strict=True)
    clusters = None if a.clusters is None or b.clusters is None else readers
    draws = None
    if resampleable(clusters, sentences):
        draws = bootstrap_means(values_a - values_b, clusters, sentences, seed=seed)
    return Difference(
        n=len(shared),
        mean_a=float(values_a.mean()),
        mean_b=float(values_b.mean()),
        difference=float((values_a - values_b).mean()),
        ci95=None if draws is None else interval(draws),
        p=None if draws is None else two_sided_p(draws),
    )


def table_lines(rows: Sequence[Row]) -> list[str]:
    """Return the console table, one line per model, setting and metric."""
    with_energy = any(row.energy_distance is not None for row in rows)
    header = ["model", "setting", "metric", "mean", "± SE folds", "95 % interval", "n"]
    header += ["energy", "95 % interval", "diversity", "95 % interval"] if with_energy else []
    cells = []
    for row in rows:
        cells.append([row.model, row.setting, row.metric, number(row.mean), number(row.se_folds)])
        cells[-1] += [span(row.ci95), str(row.n)]
        if with_energy:
            cells[-1] += [number(row.energy_distance), span(row.energy_ci95)]
            cells[-1] += [number(row.diversity_ratio), span(row.diversity_ci95)]
    return text_table(header, cells)


def text_table(header: Sequence[str], cells: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose columns are aligned.

    >>> text_table(["model", "n"], [["a", "12"]])
    ['model | n', 'a     | 12']
    """
    widths = [max(len(row[k]) for row in [header, *cells]) for k in range(len(header))]
    return [
        " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [header, *cells]
    ]


def number(value: float | None) -> str:
    """Return four decimals, or a dash for what cannot be given."""
    return "–" if value is None or math.isnan(value) else f"{value:.4f}"


def span(ci95: tuple[float, float] | None) -> str:
    """Return an interval in brackets."""
    return "–" if ci95 is None else f"[{ci95[0]:.4f}, {ci95[1]:.4f}]"


def _plain_row(group: tuple[str, str], metric: str, column: Column) -> Row:
    model, setting = group
    if not len(column):
        return Row(
            model=model, setting=setting, metric=metric, n=0, mean=None, se_folds=None, ci95=None,
            n_undefined=column.n_undefined,
        )  # fmt: skip
    folds = fold_spread(column.values, column.folds)
    return Row(
        model=model, setting=setting, metric=metric, n=len(column), mean=column.mean, se_folds=folds.se,
        ci95=None, sd_folds=folds.sd, n_folds=len(folds.means), mean_of_folds=folds.mean,
        mean_over_sentences=column.mean_over_sentences,
        n_readers=None if column.clusters is None else len(set(column.readers)),
        n_sentences=len(set(column.sentences)), n_undefined=column.n_undefined,
    )  # fmt: skip
