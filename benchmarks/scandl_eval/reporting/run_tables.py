"""The tables of a run's report."""

from __future__ import annotations

from collections.abc import Iterable

from scandl_eval.leaderboard.board_rows import BOARD_METRICS, HUMAN, BoardRow, Leaderboard
from scandl_eval.leaderboard.leaderboard_view import (
    SHOWN,
    one_of_each_family,
    ordered_models,
    published_lines,
    rank_text,
)
from scandl_eval.reporting.terms import DAGGER, FOLDS, HOLM, INTERVAL, RANK
from scandl_reports.document import Column, Note, Table
from scandl_reports.figures.chart import looks


def leaderboard_table(
    board: Leaderboard, setting: str, name: str, readers: str, *, variants: bool = False
) -> Table:
    """Return the leaderboard of one setting, best by NLD first, the readers among themselves last.

    Of a model with variants the best is shown, or all ``variants``.
    """
    columns = [Column("model")]
    for metric in SHOWN:
        short = BOARD_METRICS[metric].short
        # A definition is linked once a table, or the links would crowd out the words.
        columns += [Column(short, short), Column("95 %", INTERVAL if metric == SHOWN[0] else "")]
    columns += [Column("NLD rank", RANK), Column("energy rank")]
    rows = []
    ordered = ordered_models(board, setting)
    for model in [*(ordered if variants else one_of_each_family(ordered)), HUMAN]:
        found = [board.find(setting, model, metric) for metric in SHOWN]
        cells = [cell for row in found for cell in (_mean(row), row.ci95 if row else None)]
        ranks = [rank_text(board.find(setting, model, metric)) for metric in ("nld", "energy")]
        rows.append((readers if model == HUMAN else model, *cells, *ranks))
    models = [str(row[0]) for row in rows]
    colours = {model: look.colour for model, look in looks(models).items()}
    title = f"Leaderboard with all variants: {name}" if variants else f"Leaderboard: {name}"
    folded = len(ordered) + 1 - len(rows)
    note = f" Of models with variants the best is shown; {folded} others are under More." if folded else ""
    return Table(title, tuple(columns), tuple(rows), _LEADERBOARD_NOTE + note, colours)


def detail_table(board: Leaderboard, setting: str, name: str, readers: str) -> Table:
    """Return every metric of every model with the tests against the best."""
    columns = (
        Column("model"), Column("metric"), Column("value"), Column("95 %", INTERVAL),
        Column("SD folds", FOLDS), Column("difference to best"), Column("difference 95 %", INTERVAL),
        Column("p (Holm)", HOLM, probability=True), Column("†", DAGGER), Column("n"),
    )  # fmt: skip
    rows = tuple(
        (
            readers if row.model == HUMAN else row.model, BOARD_METRICS[row.metric].short, row.mean,
            row.ci95, row.sd_folds, row.difference,
            row.difference_ci95, row.p_holm, "†" if row.dagger else "", row.n,
        )
        for row in _models_and_humans(board, setting)
    )  # fmt: skip
    return Table(f"All metrics: {name}", columns, rows, _DETAIL_NOTE)


def published_notes(board: Leaderboard, setting: str) -> list[Note]:
    """Return what was printed elsewhere for this setting: other data, never ranked beside ours."""
    return [Note(line[:1].upper() + line[1:] + ".") for line in published_lines(board, setting)]


def _models_and_humans(board: Leaderboard, setting: str) -> Iterable[BoardRow]:
    return (row for row in board.rows if row.setting == setting and row.metric in BOARD_METRICS
            and row.kind != "published")  # fmt: skip


def _mean(row: BoardRow | None) -> float | None:
    return None if row is None else row.mean


_LEADERBOARD_NOTE = (
    "Lower is better for NLD and energy; for diversity the nearer to 1 the better. Each interval belongs "
    "to the number before it. Ranks: in brackets those of 95 % of draws; = not separable from the "
    "best."
)
_DETAIL_NOTE = "Difference to best: how much worse than the best model, on what all models have."
