"""The leaderboard of a run: its columns, its rows, the files that hold them, and how people read it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from scandl.config import from_table
from scandl.errors import ConfigError, DataError, Fact, ScandlError, did_you_mean
from scandl.files.manifest import read_manifest
from scandl.files.prediction_files import write_result
from scandl.files.tables import write_table
from scandl.files.tabular import Tabular
from scandl.measures.catalogue import METRICS
from scandl.splits import SETTINGS
from scandl_eval.references.reference_rows import HUMAN
from scandl_eval.scoring.rows import Row, number, span, text_table

CSV, JSON = "leaderboard.csv", "leaderboard.json"

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
    "(1–3) holds 95 % of a model's ranks; = not distinguished from the best (paired test, Holm); "
    "† worse NLD than the best in the paper's paired t-test over folds, which is too liberal."
)


@dataclass(frozen=True, slots=True, repr=False)
class Leaderboard(Tabular):
    """All rows of a run, and where they come from."""

    rows: list[Row]
    metric_spec: dict[str, Any]
    provenance: dict[str, Any]
    warnings: list[str]

    def __repr__(self) -> str:
        models = dict.fromkeys(row.model for row in self.rows if row.kind == "model")
        return f"<Leaderboard of {', '.join(models)} in {', '.join(self.settings)}>"

    def records(self) -> list[dict[str, Any]]:
        """Return one record per setting, model and metric."""
        return [asdict(row) for row in self.rows]

    def shown(self, sort: str | None = None) -> tuple[list[str], list[list[str]]]:
        """Return the table that ``scandl-eval leaderboard`` prints, the setting before each model."""
        tables = {setting: table(self, setting, sort=sort) for setting in self.settings}
        header = next(iter(tables.values()))[0] if tables else []
        return ["setting", *header], [[s, *row] for s, (_, cells) in tables.items() for row in cells]

    @property
    def settings(self) -> list[str]:
        """The settings, in order."""
        return list(dict.fromkeys(row.setting for row in self.rows))

    @property
    def readers(self) -> str:
        """What the row of the readers is called: people are Human, others simulated readers."""
        return next((row.model for row in self.rows if row.kind == "human"), HUMAN)

    def ranked_by(self, setting: str) -> str:
        """Return the metric that models are ranked by: energy, or NLD where no model has one."""
        energies = (r for r in self.rows if (r.setting, r.metric, r.kind) == (setting, "energy", "model"))
        return "energy" if any(row.mean is not None for row in energies) else "nld"

    def find(self, setting: str, model: str, metric: str) -> Row | None:
        """Return a row, if there is one; that of the readers is found as ``HUMAN``."""
        for row in self.rows:
            name = HUMAN if row.kind == "human" else row.model
            if (row.setting, name, row.metric) == (setting, model, metric) and row.kind != "published":
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
    return [name for field in fields(Row) for name in _SPANS.get(field.name, (field.name,))]


def _flat(row: Row) -> dict[str, Any]:
    """Return the cells of a CSV row: an interval is two columns, None is empty."""
    cells: dict[str, Any] = {}
    for name, value in asdict(row).items():
        names = _SPANS.get(name, (name,))
        values = (value or (None, None)) if name in _SPANS else (value,)
        cells |= {n: "" if v is None else v for n, v in zip(names, values, strict=True)}
    return cells


def _json(row: Row) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(row).items()}


def _row(table: Mapping[str, Any]) -> Row:
    """Return a row of the file, whose values have the types of ours: people edit JSON."""
    row = from_table(Row, table)
    if row.metric not in METRICS:
        raise ValueError(f"no metric {row.metric!r}{did_you_mean(row.metric, METRICS)}")
    for name in _SPANS:
        if getattr(row, name) is not None and len(getattr(row, name)) != 2:
            raise ValueError(f"{name} of {row.model!r} is no pair of numbers")
    for name, value in asdict(row).items():
        parts = value if isinstance(value, list | tuple) else [value]
        if not all(math.isfinite(part) for part in parts if isinstance(part, int | float)):
            raise ValueError(f"{name} of {row.model!r} is not finite")
    return row


def ordered_models(board: Leaderboard, setting: str, metric: str | None = None) -> list[str]:
    """Return the models of a setting, the best by ``metric`` first; those without it last.

    Ranks are over what all models have; a model's own mean may be over more, or easier, items.
    """
    by = METRICS[metric or board.ranked_by(setting)]
    names = dict.fromkeys(row.model for row in board.rows if row.setting == setting and row.kind == "model")

    def place(model: str) -> tuple[float, float]:
        row = board.find(setting, model, by.name)
        if row is None or row.mean is None:
            return math.inf, math.inf
        return row.rank or math.inf, by.loss(row.mean)

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


def table(board: Leaderboard, setting: str, *, sort: str | None = None) -> tuple[list[str], list[list[str]]]:
    """Return header and cells of one setting: models, best first, then the readers, who are not ranked.

    Every mean has its own interval; the rank is that of the metric sorted by.
    """
    by = _sorted_by(board, setting, sort)
    models = ordered_models(board, setting, by)
    metrics = (*SHOWN, *(() if by in SHOWN else (by,)))
    header = ["model", *(cell for name in metrics for cell in (METRICS[name].heading, "95 %")), "rank"]
    cells = []
    for model in [*models, HUMAN]:
        found = [board.find(setting, model, name) for name in metrics]
        dagger = "†" if found[0] is not None and found[0].dagger else ""
        values = [cell for row in found for cell in (_mean(row), span(None if row is None else row.ci95))]
        name = board.readers if model == HUMAN else model
        cells.append([name + dagger, *values, rank_text(board.find(setting, model, by))])
    return header, cells


def _sorted_by(board: Leaderboard, setting: str, sort: str | None) -> str:
    """Return the metric to sort by; one that the run does not have is refused."""
    by = METRICS[sort].name if sort else board.ranked_by(setting)
    has = list(dict.fromkeys(row.metric for row in board.rows if row.kind == "model"))
    if by not in has:
        raise ScandlError(f"no {by} in this run{did_you_mean(by, has)} ('scandl-eval run --metrics {by}')")
    return by


def console(board: Leaderboard, *, sort: str | None = None) -> str:
    """Return the tables of all settings, what was published, and what a reader must not miss."""
    parts = []
    for setting in board.settings:
        lines = text_table(*table(board, setting, sort=sort))
        title = _title(setting, _sorted_by(board, setting, sort))
        parts.append("\n".join([title, *lines, *published_lines(board, setting)]))
    return "\n\n".join([*parts, LEGEND, *board.warnings])


def markdown(board: Leaderboard, *, sort: str | None = None) -> str:
    """Return the tables in Markdown."""
    parts = []
    for setting in board.settings:
        header, cells = table(board, setting, sort=sort)
        rows = [header, ["---"] * len(header), *cells]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        title = _title(setting, _sorted_by(board, setting, sort))
        parts.append("\n".join([f"**{title}**", "", *lines, "", *published_lines(board, setting)]))
    return "\n\n".join([*(part.rstrip() for part in parts), LEGEND, *board.warnings])


def _title(setting: str, by: str) -> str:
    return f"{SETTINGS.get(setting, setting)} ({setting}), ranked by {METRICS[by].heading}"


def published_lines(board: Leaderboard, setting: str) -> list[str]:
    """Return one line with the printed results: other data, another convention, never ranked."""
    rows = [row for row in board.rows if row.setting == setting and row.kind == "published"]
    if not rows:
        return []
    printed = ", ".join(f"{row.model} {row.mean:.3f}{'†' if row.dagger else ''}" for row in rows)
    return [f"published, not comparable ({rows[0].note}): {printed}"]


def _mean(row: Row | None) -> str:
    return number(None if row is None else row.mean)


def rank_text(row: Row | None) -> str:
    """Return the rank with its interval, ``2 (1–3)``; models tied with the best are marked ``=``."""
    if row is None or row.rank is None:
        return "–"
    low, high = row.rank_interval or (row.rank, row.rank)
    spread = f" ({low}–{high})" if low != high else ""
    return f"{row.rank}{spread}{' =' if row.tied_with_best and row.rank > 1 else ''}"
