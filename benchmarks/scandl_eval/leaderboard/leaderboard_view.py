"""The leaderboard as people read it: on a terminal, or in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scandl.errors import ScandlError, did_you_mean
from scandl.splits import SETTINGS
from scandl_eval.leaderboard.board_rows import BOARD_METRICS, HUMAN, BoardRow, Leaderboard
from scandl_eval.scoring.summary_rows import number, span, text_table

SHOWN = ("nld", "energy", "diversity")
FAMILIES = ("uniform", "eyettention")
"""Models with variants, whose names begin with theirs; a page shows the best of each."""
LEGEND = (
    "(1–3) holds 95 % of a model's ranks; = not separable from the best (paired test, Holm); "
    "† worse NLD than the best in the paper's paired t-test over folds, which is too liberal."
)


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
