"""The leaderboard of a run: what its columns mean, its rows, and the files that hold them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scandl.config import from_table
from scandl.errors import ConfigError, DataError, Fact, did_you_mean
from scandl.files.prediction_files import write_result
from scandl.files.tables import write_table
from scandl.files.tabular import Tabular

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Number = TypeVar("Number", float, "NDArray[np.float64]")

CSV, JSON = "leaderboard.csv", "leaderboard.json"
HUMAN = "Human"


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


LOWER, HIGHER = float("-inf"), float("inf")
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
        from scandl_eval.leaderboard.leaderboard_view import table

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
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        spec = dict(table["metric_spec"])
        rows = [_row(row) for row in table["rows"]]
        warnings = [str(line) for line in spec.pop("warnings", [])]
        return Leaderboard(rows, spec, dict(table["provenance"]), warnings)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ConfigError) as error:
        raise DataError(path, None, None, Fact(f"{type(error).__name__}: {error}"), "a leaderboard") from None


_SPANS = {
    "ci95": ("ci_low", "ci_high"),
    "rank_interval": ("rank_low", "rank_high"),
    "difference_ci95": ("difference_low", "difference_high"),
    "human_minus_model_ci95": ("human_minus_model_low", "human_minus_model_high"),
}


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
    return row
