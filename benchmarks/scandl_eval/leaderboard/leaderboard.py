"""The leaderboard of a run: its columns, its rows, the files that hold them, and how people read it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scandl.config import from_table
from scandl.errors import ConfigError, DataError, Fact, ScandlError, did_you_mean
from scandl.files.manifest import read_manifest
from scandl.files.prediction_files import write_result
from scandl.files.tables import write_table
from scandl.files.tabular import Tabular
from scandl.splits import SETTINGS
from scandl_eval.scoring.summary_rows import number, span, text_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Number = TypeVar("Number", float, "NDArray[np.float64]")

CSV, JSON = "leaderboard.csv", "leaderboard.json"
HUMAN = "Human"

LOWER, HIGHER = float("-inf"), float("inf")
_SPANS = {
    "ci95": ("ci_low", "ci_high"),
    "rank_interval": ("rank_low", "rank_high"),
    "difference_ci95": ("difference_low", "difference_high"),
    "human_minus_model_ci95": ("human_minus_model_low", "human_minus_model_high"),
}
SHOWN = ("nld", "energy", "diversity")
FAMILIES = ("uniform", "eyettention")
"""Models with variants, whose names begin with theirs; a page shows the best of each."""
LEGEND = (
    "(1–3) holds 95 % of a model's ranks; = not separable from the best (paired test, Holm); "
    "† worse NLD than the best in the paper's paired t-test over folds, which is too liberal."
)


@dataclass(frozen=True, slots=True)
class BoardMetric:
    """A column of the leaderboard, and what counts as good in it."""

    name: str
    short: str
    about: str
    ideal: float  # −inf: the lower the better; inf: the higher; else the nearer the better

    def loss(self, value: Number) -> Number:
        """Return how bad a value is, so that every metric is ranked from the smallest up.

        >>> BOARD_METRICS["nld"].loss(0.5), BOARD_METRICS["diversity"].loss(0.75)
        (0.5, 0.25)
        >>> BOARD_METRICS["bits-per-fixation"].loss(-2.0)
        2.0
        """
        if self.ideal == float("-inf"):
            return value
        return -value if self.ideal == float("inf") else abs(value - self.ideal)


BOARD_METRICS: Mapping[str, BoardMetric] = {
    metric.name: metric
    for metric in (
        BoardMetric("nld", "NLD", "normalised Levenshtein distance to the same reader, words only", LOWER),
        BoardMetric("nld-scandl", "NLD scandl", "the same with CLS and SEP, the published convention", LOWER),
        BoardMetric("energy", "energy", "energy distance to the human paths, NLD kernel", LOWER),
        BoardMetric("energy-yujian-bo", "energy YB", "energy distance, Yujian–Bo kernel", LOWER),
        BoardMetric("diversity", "diversity", "spread of generated over spread of human paths", 1.0),
        BoardMetric("nld-time", "NLD time", "NLD of words repeated once per 50 ms of fixation", LOWER),
        BoardMetric("energy-time", "energy time", "energy distance, kernel NLD time", LOWER),
        BoardMetric("diversity-time", "diversity time", "spread of timed paths over that of readers", 1.0),
        BoardMetric("duration-wasserstein", "durations", "Wasserstein distance of log durations", LOWER),
        BoardMetric("duration-mean-ratio", "mean ratio", "geometric mean of durations over readers'", 1.0),
        BoardMetric("duration-sd-ratio", "SD ratio", "SD of log durations over that of readers", 1.0),
        BoardMetric("word-time-correlation", "word times", "r of words' mean gaze durations", HIGHER),
        BoardMetric("classifier-auc", "AUC", "how well a classifier tells model from human paths", 0.5),
        BoardMetric("bits-per-fixation", "bits", "log2-likelihood of human paths per fixation", HIGHER),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One metric of one model in one setting. ``None`` is a number that cannot be given."""

    setting: str
    model: str
    kind: str  # model, human or published; only models are ranked
    metric: str
    n: int | None  # instances, or sentences
    mean: float | None
    ci95: tuple[float, float] | None = None
    resampled: str | None = None  # over what the interval holds
    sd_folds: float | None = None  # ddof 0, what the released script prints after ±
    se_folds: float | None = None
    sd_samples: float | None = None  # of the mean over several draws for the same instances
    rank: int | None = None
    rank_interval: tuple[int, int] | None = None
    tied_with_best: bool | None = None  # the difference to the best is not separable from 0
    difference: float | None = None  # how much worse than the best model, on what all models have
    difference_ci95: tuple[float, float] | None = None
    p_holm: float | None = None  # paired test, Holm over all comparisons with the best
    p_folds: float | None = None  # paired t over fold values
    dagger: bool | None = None  # significantly worse than the best in that test, the paper's †
    mean_matched: float | None = None  # on the items of the Human row, which may be fewer
    human_minus_model: float | None = None  # there: above 0 the model is nearer to readers than they are
    human_minus_model_ci95: tuple[float, float] | None = None
    p_permutation: float | None = None  # that model and human paths are exchangeable
    n_empty: int | None = None  # predictions without any fixation
    n_repaired: int | None = None  # repairs of symbols, every kind a path needed counted once
    note: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard(Tabular):
    """All rows of a run, and where they come from."""

    rows: list[BoardRow]
    metric_spec: dict[str, Any]
    provenance: dict[str, Any]
    warnings: list[str]

    def __repr__(self) -> str:
        models = dict.fromkeys(row.model for row in self.rows if row.kind == "model")
        return f"<Leaderboard of {', '.join(models)} in {', '.join(self.settings)}>"

    def records(self) -> list[dict[str, Any]]:
        """Return one record per setting, model and metric."""
        return [asdict(row) for row in self.rows]

    def shown(self, sort: str = "nld") -> tuple[list[str], list[list[str]]]:
        """Return the table that ``scandl-eval leaderboard`` prints, the setting before each model."""
        tables = {setting: table(self, setting, sort=sort) for setting in self.settings}
        header = next(iter(tables.values()))[0] if tables else []
        return ["setting", *header], [[s, *row] for s, (_, cells) in tables.items() for row in cells]

    @property
    def settings(self) -> list[str]:
        """The settings, in order."""
        return list(dict.fromkeys(row.setting for row in self.rows))

    def find(self, setting: str, model: str, metric: str) -> BoardRow | None:
        """Return a row, if there is one."""
        for row in self.rows:
            if (row.setting, row.model, row.metric) == (setting, model, metric) and row.kind != "published":
                return row
        return None


def write_leaderboard(board: Leaderboard, folder: Path) -> None:
    """Write ``leaderboard.csv`` and ``leaderboard.json``."""
    cells = [_flat(row) for row in board.rows]
    write_result(
        folder / JSON,
        metric_spec=board.metric_spec | {"warnings": board.warnings},
        rows=[_json(row) for row in board.rows],
        provenance=board.provenance,
    )
    write_table(folder / CSV, {name: [row[name] for row in cells] for name in _flat_names()})


def read_leaderboard(folder: Path | str) -> Leaderboard:
    """Read the leaderboard of a run folder."""
    path = Path(folder) / JSON
    if not path.is_file():
        raise DataError(path, None, None, Fact("no file"), "the folder of a finished 'scandl-eval run'")
    read_manifest(folder).check(path, path.with_name(CSV))
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        spec = dict(table["metric_spec"])
        rows = [_row(row) for row in table["rows"]]
        warnings = [str(line) for line in spec.pop("warnings", [])]
        return Leaderboard(rows, spec, dict(table["provenance"]), warnings)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        ConfigError,
    ) as error:
        raise DataError(path, None, None, Fact(f"{type(error).__name__}: {error}"), "a leaderboard") from None


def _flat_names() -> list[str]:
    return [name for field in fields(BoardRow) for name in _SPANS.get(field.name, (field.name,))]


def _flat(row: BoardRow) -> dict[str, Any]:
    """Return the cells of a CSV row: an interval is two columns, None is empty."""
    cells: dict[str, Any] = {}
    for name, value in asdict(row).items():
        names = _SPANS.get(name, (name,))
        values = (value or (None, None)) if name in _SPANS else (value,)
        cells |= {n: "" if v is None else v for n, v in zip(names, values, strict=True)}
    return cells


def _json(row: BoardRow) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(row).items()}


def _row(table: Mapping[str, Any]) -> BoardRow:
    """Return a row of the file, whose values have the types of ours: people edit JSON."""
    row = from_table(BoardRow, table)
    if row.metric not in BOARD_METRICS:
        raise ValueError(f"no metric {row.metric!r}{did_you_mean(row.metric, BOARD_METRICS)}")
    for name in _SPANS:
        if getattr(row, name) is not None and len(getattr(row, name)) != 2:
            raise ValueError(f"{name} of {row.model!r} is no pair of numbers")
    for name, value in asdict(row).items():
        parts = value if isinstance(value, list | tuple) else [value]
        if not all(math.isfinite(part) for part in parts if isinstance(part, int | float)):
            raise ValueError(f"{name} of {row.model!r} is not finite")
    return row


def ordered_models(board: Leaderboard, setting: str, metric: str = "nld") -> list[str]:
    """Return the models of a setting, the best by ``metric`` first; those without it last.

    Ranks are over what all models have; a model's own mean may be over more, or easier, items.
    """
    if metric not in BOARD_METRICS:
        raise ScandlError(f"no metric {metric!r}{did_you_mean(metric, BOARD_METRICS)}")
    names = dict.fromkeys(row.model for row in board.rows if row.setting == setting and row.kind == "model")

    def place(model: str) -> tuple[float, float]:
        row = board.find(setting, model, metric)
        if row is None or row.mean is None:
            return math.inf, math.inf
        return row.rank or math.inf, BOARD_METRICS[metric].loss(row.mean)

    return sorted(names, key=place)


def one_of_each_family(models: Sequence[str]) -> list[str]:
    """Return the first of the variants of each model, in the order given: the best, where the best is first.

    >>> one_of_each_family(["swift", "uniform-m", "uniform", "uniform-n"])
    ['swift', 'uniform-m']
    """
    first: dict[str, str] = {}
    for model in models:
        family = next((name for name in FAMILIES if model == name or model.startswith(f"{name}-")), model)
        first.setdefault(family, model)
    return list(first.values())


def table(board: Leaderboard, setting: str, *, sort: str = "nld") -> tuple[list[str], list[list[str]]]:
    """Return header and cells of one setting: models, best first, then Human, who is not ranked.

    Every mean has its own interval; the rank is that of the metric sorted by.
    """
    models = ordered_models(board, setting, sort)
    metrics = (*SHOWN, *(() if sort in SHOWN else (sort,)))
    header = ["model", *(cell for name in metrics for cell in (BOARD_METRICS[name].short, "95 %")), "rank"]
    cells = []
    for model in [*models, HUMAN]:
        found = [board.find(setting, model, name) for name in metrics]
        dagger = "†" if found[0] is not None and found[0].dagger else ""
        values = [cell for row in found for cell in (_mean(row), span(None if row is None else row.ci95))]
        cells.append([model + dagger, *values, rank_text(board.find(setting, model, sort))])
    return header, cells


def console(board: Leaderboard, *, sort: str = "nld") -> str:
    """Return the tables of all settings, what was published, and what a reader must not miss."""
    parts = []
    for setting in board.settings:
        lines = text_table(*table(board, setting, sort=sort))
        parts.append("\n".join([_title(setting, sort), *lines, *published_lines(board, setting)]))
    return "\n\n".join([*parts, LEGEND, *board.warnings])


def markdown(board: Leaderboard, *, sort: str = "nld") -> str:
    """Return the tables in Markdown."""
    parts = []
    for setting in board.settings:
        header, cells = table(board, setting, sort=sort)
        rows = [header, ["---"] * len(header), *cells]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        parts.append(
            "\n".join([f"**{_title(setting, sort)}**", "", *lines, "", *published_lines(board, setting)])
        )
    return "\n\n".join([*(part.rstrip() for part in parts), LEGEND, *board.warnings])


def _title(setting: str, sort: str) -> str:
    return f"{SETTINGS.get(setting, setting)} ({setting}), ranked by {BOARD_METRICS[sort].short}"


def published_lines(board: Leaderboard, setting: str) -> list[str]:
    """Return one line with the printed results: other data, another convention, never ranked."""
    rows = [row for row in board.rows if row.setting == setting and row.kind == "published"]
    if not rows:
        return []
    printed = ", ".join(f"{row.model} {row.mean:.3f}{'†' if row.dagger else ''}" for row in rows)
    return [f"published, not comparable ({rows[0].note}): {printed}"]


def _mean(row: BoardRow | None) -> str:
    return number(None if row is None else row.mean)


def rank_text(row: BoardRow | None) -> str:
    """Return the rank with its interval, ``2 (1–3)``; models tied with the best are marked ``=``."""
    if row is None or row.rank is None:
        return "–"
    low, high = row.rank_interval or (row.rank, row.rank)
    spread = f" ({low}–{high})" if low != high else ""
    return f"{row.rank}{spread}{' =' if row.tied_with_best and row.rank > 1 else ''}"
