"""The row of every table of scores: what was measured, of whom, with which interval; how rows are printed.

``nld``, ``score``, a leaderboard and the reports are views of such rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.files.tables import column_blocks
from scandl.measures.catalogue import METRICS
from scandl.measures.metric import BY_DEFINITION, DURATIONS, HALVES, LIKELIHOOD, Metric
from scandl.splits import fold_spread
from scandl_eval.references.human_ceilings import Ceiling
from scandl_eval.references.reference_rows import HUMAN
from scandl_eval.score_table import ScoreColumn
from scandl_eval.scoring.estimates import Estimates, Joint

if TYPE_CHECKING:
    from scandl_eval.scoring.engine import SettingScores

BY_SPLIT = "splits of the readers"
"""What the interval of the readers' own energy distance covers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One metric of one model in one setting. ``None`` is a number that cannot be given."""

    setting: str
    model: str
    kind: str = "model"  # or baseline, human, published; only models are ranked
    metric: str
    n: int | None  # instances (fold, reader, sentence), or sentences where a metric is about whole sentences
    mean: float | None
    ci95: tuple[float, float] | None = None  # over other readers and sentences
    resampled: str | None = None  # over what the interval holds
    sd_folds: float | None = None  # ddof 0, what the released script prints after ±
    se_folds: float | None = None  # SD with ddof 1 over the root of the number of folds
    n_folds: int = 1
    mean_of_folds: float | None = None
    mean_over_sentences: float | None = None
    sd_samples: float | None = None  # ddof 1, over the means of several draws for the same instances
    n_readers: int | None = None
    n_sentences: int = 0
    n_undefined: int = 0  # instances the metric is not defined for
    n_empty: int | None = None  # predictions without any fixation
    note: str | None = None
    n_repaired: int | None = None  # repairs of symbols, every kind a path needed counted once
    rank: int | None = None
    rank_interval: tuple[int, int] | None = None
    tied_with_best: bool | None = None  # the difference to the best is not distinguished from 0
    difference: float | None = None  # how much worse than the best model, on what all models have
    difference_ci95: tuple[float, float] | None = None
    p_holm: float | None = None  # paired test, Holm over all comparisons with the best
    p_folds: float | None = None  # paired t over fold values
    dagger: bool | None = None  # significantly worse than the best in that test, the paper's †
    mean_matched: float | None = None  # on the items of the human row, which may be fewer
    human_minus_model: float | None = None  # there: above 0 the model is nearer to readers than they are
    human_minus_model_ci95: tuple[float, float] | None = None
    p_permutation: float | None = None  # that model and human paths are exchangeable

    def as_dict(self) -> dict[str, Any]:
        """Return what is known without comparing models, for a JSON file or a frame."""
        return {name: value for name, value in asdict(self).items() if name not in OF_A_RUN}


OF_A_RUN = (
    "n_repaired",
    "rank",
    "rank_interval",
    "tied_with_best",
    "difference",
    "difference_ci95",
    "p_holm",
    "p_folds",
    "dagger",
    "mean_matched",
    "human_minus_model",
    "human_minus_model_ci95",
    "p_permutation",
)
"""What a row says where models are ranked."""


def summary_rows(
    metric: str, setting: str, estimates: Estimates, kinds: Mapping[str, str] | None = None
) -> list[Row]:
    """Return one row per model: its value on all it has, with interval and spread over folds."""
    found = []
    for model in estimates.models:
        joint, kind = estimates.joint([model]), (kinds or {}).get(model, "model")
        empty = empty_row(metric, setting, model, kind)
        found.append(empty if joint is None else joint_row(metric, setting, joint, kind))
    return found


def joint_row(metric: str, setting: str, joint: Joint, kind: str) -> Row:
    """Return the row of the first model of a joint estimate."""
    value, folds, ci95 = float(joint.values[0]), joint.folds[0], joint.ci95(joint.models[0])
    return Row(
        setting=setting,
        model=joint.models[0],
        kind=kind,
        metric=metric,
        n=joint.n,
        mean=value if math.isfinite(value) else None,
        ci95=ci95,
        resampled=None if ci95 is None else joint.uncertainty.resampled,
        sd_folds=folds.sd,
        se_folds=folds.se,
        n_folds=max(len(folds.means), 1),
        mean_of_folds=folds.mean if folds.means else None,
        n_readers=joint.uncertainty.n_readers or None,
        n_sentences=joint.uncertainty.n_sentences,
    )


def empty_row(metric: str, setting: str, model: str, kind: str = "model", n_undefined: int = 0) -> Row:
    """Return the row of a model that has no value at all."""
    return Row(
        setting=setting, model=model, kind=kind, metric=metric, n=0, mean=None, n_undefined=n_undefined
    )


def with_column(row: Row, column: ScoreColumn) -> Row:
    """Return the row with what only the column of a mean over instances tells."""
    return replace(row, mean_over_sentences=column.mean_over_sentences, n_undefined=column.n_undefined)


def ceiling_row(metric: str, setting: str, ceiling: Ceiling) -> Row:
    """Return the row of readers against each other in a metric of pairs of paths."""
    row = joint_row(metric, setting, joint_with_humans(ceiling, {}), "human")
    return with_column(row, ceiling.column)


def halves_row(name: str, metric: Metric, kernel: str, found: SettingScores) -> Row | None:
    """Return the row of the readers in a metric of whole sentences, if it has one.

    ``kernel`` is the distance that the metric is made of, or its name.
    """
    halves = found.beside.halves(kernel) if metric.human in (HALVES, BY_DEFINITION) else None
    if halves is None:
        return None
    row = empty_row(name, found.setting, HUMAN, "human")
    if metric.human == BY_DEFINITION:
        return replace(row, n=halves.n_sentences, mean=1.0, note="by definition")
    raised = name.startswith("word-time-correlation")
    return replace(
        row,
        n=halves.n_sentences,
        n_sentences=halves.n_sentences,
        mean=halves.mean,
        ci95=halves.ci95,
        resampled=BY_SPLIT,
        note=HALVES + (", raised to all readers (Spearman–Brown)" if raised else ""),
    )


def joint_with_humans(ceiling: Ceiling, beside: Mapping[str, ScoreColumn]) -> Joint:
    """Return the readers against each other and models on the very same items, readers first."""
    items = ceiling.column.items
    values = [ceiling.column.values, *(column.at(items) for column in beside.values())]
    return Joint(
        (HUMAN, *beside),
        np.array([column.mean() for column in values]),
        ceiling.uncertainty(*beside.values()),
        tuple(fold_spread(column, ceiling.column.folds) for column in values),
        len(items),
    )


COMPANIONS = ("energy", "diversity")
"""Metrics that stand beside another one in a table, where there is only one other."""
_KEYS = {"energy": "energy_distance", "diversity": "diversity_ratio"}  # in the row of another metric


def table_lines(rows: Sequence[Row]) -> list[str]:
    """Return the lines of the printed table."""
    return text_table(*table_cells(rows), keys=2)


def table_cells(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return header and cells: a line per model, setting and metric, with energy and diversity beside."""
    main, beside = with_companions(rows)
    shown = [name for name in COMPANIONS if any(name in found for found in beside)]
    header = ["model", "setting", "metric", "mean", "± SE folds", "95 % interval", "n"]
    header += [cell for name in shown for cell in (name, "95 % interval")]
    cells = []
    for row, found in zip(main, beside, strict=True):
        cells.append([row.model, row.setting, row.metric, number(row.mean), number(row.se_folds)])
        cells[-1] += [span(row.ci95), str(row.n)]
        for name in shown:
            cells[-1] += [number(found[name].mean), span(found[name].ci95)] if name in found else ["–", "–"]
    return header, cells


GROUPS: Mapping[str, Callable[[Metric], bool]] = {
    "paths as distributions": lambda m: (
        m.level == "distribution" and not {LIKELIHOOD, DURATIONS} & {*m.needs}
    ),
    "one path against another": lambda m: m.level == "pair" and DURATIONS not in m.needs,
    "time": lambda m: DURATIONS in m.needs,
    "likelihood": lambda m: LIKELIHOOD in m.needs,
}
"""What is printed together where there are many metrics."""
_SHOWN = ("scanmatch", "scasim", "weighted-nld")
_SHOWN_ENDINGS = ("-above-chance", "-length-wasserstein", "-rate-wasserstein", "-word-wasserstein")
"""Beside the usual metrics, those that are on the screen unless all are asked for."""


def screen_lines(rows: Sequence[Row], *, every: bool = False) -> list[str]:
    """Return many metrics as lines of a screen: groups of metrics, a column for each model, best first.

    Models are in the order of their energy distance, or of the first metric; readers come last. Metrics
    without any value are left out, and variants of others unless ``every`` metric is asked for.
    """
    lines: list[str] = []
    for setting in dict.fromkeys(row.setting for row in rows):
        own = [row for row in rows if row.setting == setting]
        found = {(row.model, row.metric): row for row in own}
        metrics = [
            m for m in METRICS.values() if any(row.metric == m.name and row.mean is not None for row in own)
        ]
        models = _best_first(own, "energy" if any(m.name == "energy" for m in metrics) else own[0].metric)
        for title, belongs in GROUPS.items():
            chosen = [m for m in metrics if belongs(m) and (every or _on_screen(m))]
            cells = [
                [m.name, *(number(found[o, m.name].mean if (o, m.name) in found else None) for o in models)]
                for m in chosen
            ]
            if chosen:
                lines += ["", f"{setting}: {title}"] if lines else [f"{setting}: {title}"]
                lines += text_table(["metric", *models], cells)
    return lines


def _on_screen(metric: Metric) -> bool:
    return metric.usual or metric.name in _SHOWN or metric.name.endswith(_SHOWN_ENDINGS)


def _best_first(rows: Sequence[Row], metric: str) -> list[str]:
    """Return the models from the best in a metric, those without a value and readers last."""
    loss = {
        row.model: float(METRICS[metric].loss(row.mean))
        for row in rows
        if row.metric == metric and row.mean is not None
    }
    human = {row.model for row in rows if row.kind == "human"}
    models = dict.fromkeys(row.model for row in rows)
    return sorted(models, key=lambda model: (model in human, loss.get(model, math.inf)))


def best_cells(rows: Sequence[Row]) -> set[tuple[int, int]]:
    """Return the (row, column) in ``table_cells`` of the best value of each metric in each setting.

    A metric in which only one model has a value has no best.
    """
    main, beside = with_companions(rows)
    shown = [name for name in COMPANIONS if any(name in found for found in beside)]
    values: dict[tuple[str, str], dict[tuple[int, int], float]] = {}
    for i, (row, found) in enumerate(zip(main, beside, strict=True)):
        places = {_MEAN: row} | {_COMPANION + 2 * k: found[n] for k, n in enumerate(shown) if n in found}
        for column, each in places.items():
            if each.kind != "human" and each.mean is not None:
                values.setdefault((each.setting, each.metric), {})[i, column] = each.mean
    best = set()
    for (_, metric), of_models in values.items():
        losses = {place: float(METRICS[metric].loss(value)) for place, value in of_models.items()}
        if len(losses) > 1:
            best |= {place for place, loss in losses.items() if loss == min(losses.values())}
    return best


_MEAN, _COMPANION = 3, 7  # columns of the table


def with_companions(rows: Sequence[Row]) -> tuple[list[Row], list[dict[str, Row]]]:
    """Return the rows of one metric, and beside each its energy and diversity.

    With several metrics every row stands for itself.
    """
    main = [row for row in rows if row.metric not in COMPANIONS]
    if len({row.metric for row in main}) != 1:
        return list(rows), [{} for _ in rows]
    beside: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        if row.metric in COMPANIONS:
            beside.setdefault((row.model, row.setting), {})[row.metric] = row
    return main, [beside.get((row.model, row.setting), {}) for row in main]


def row_dicts(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the rows for a JSON file; energy and diversity stand in the row of the only other metric."""
    found = []
    for row, beside in zip(*with_companions(rows), strict=True):
        table = row.as_dict()
        for name, other in beside.items():
            table |= {_KEYS[name]: other.mean, f"{name}_ci95": other.ci95, f"{name}_sentences": other.n}
        found.append(table)
    return found


def text_table(header: Sequence[str], cells: Sequence[Sequence[str]], *, keys: int = 1) -> list[str]:
    """Return the lines of a table whose columns are aligned.

    Columns that do not fit a terminal go below the others, behind the first ``keys`` once more.

    >>> text_table(["model", "n"], [["a", "12"]])
    ['model | n', 'a     | 12']
    """
    widths = [max(len(row[k]) for row in [header, *cells]) for k in range(len(header))]
    lines: list[str] = []
    for block in column_blocks(header, widths, gap=3, keys=keys):
        lines += [""] if lines else []
        lines += [" | ".join(row[k].ljust(widths[k]) for k in block).rstrip() for row in [header, *cells]]
    return lines


def number(value: float | None) -> str:
    """Return four decimals, or a dash for what cannot be given."""
    return "–" if value is None or math.isnan(value) else f"{value:.4f}"


def span(ci95: tuple[float, float] | None) -> str:
    """Return an interval in brackets."""
    return "–" if ci95 is None else f"[{ci95[0]:.4f}, {ci95[1]:.4f}]"
