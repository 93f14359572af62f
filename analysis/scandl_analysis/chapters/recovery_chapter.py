"""How far models are from the effects of the readers, in words and as a table: who can be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from scandl_analysis.chapters.result_tables import records, row_colours, row_name, span, whole
from scandl_analysis.effects.effect_table import listed
from scandl_analysis.effects.recovery import NO_EFFECTS, SPLIT_HALF, RecoverySummary
from scandl_analysis.published_numbers import EFFECTS_CORPUS
from scandl_reports.document import Cell, Column, Table, shown

Row = Mapping[str, Any]
PUBLISHED = "Published rows: from the printed means, each model with the published human effects."
RECOVERY_COLUMNS = (
    Column("model"),
    Column("same sign", "same sign"),
    Column("effects"),
    Column("clear", "clear"),
    Column("mean |readers − model|", "mean |readers − model|"),
    Column("95 %", "95 % (regression)"),
    Column("less the nearest", "less the nearest"),
    Column("of the means", "of the means"),
    Column("RMSE", "of the means"),
    Column("note"),
)


def recovery_verdict(summary: pd.DataFrame, n_human: int, *, quick: bool = False) -> list[str]:
    """Say who comes nearest to the ``n_human`` effects that can be estimated, and whether separably.

    The first sentence stands alone.

    ``quick``: the fits have no posterior draws, which is why nothing is tested.
    """
    rows = {str(row["model"]): row for row in records(summary)}
    half, nothing = rows.pop(SPLIT_HALF, None), rows.pop(NO_EFFECTS, None)
    some = {name: row for name, row in rows.items() if row["cells"]}
    if not some:
        return ["There is no model whose effects could be compared with those of the readers."]
    ranked = {name: row for name, row in some.items() if row.get("minus_nearest") is not None}
    tested = bool(ranked)
    if not tested:
        most = max(row["cells"] for row in some.values())
        ranked = {name: row for name, row in some.items() if row["cells"] == most}
    best = min(ranked.values(), key=lambda row: row["minus_nearest"] if tested else row["mean_abs"])
    why_not = (
        ""
        if tested
        else "quick looks have no posterior draws"
        if quick
        else ("the table is of an earlier version, which made no test")
    )
    start, end = _leader(best, ranked, len(rows), why_not)
    return [
        f"{start} ({_agreement(best, n_human)}){end}.",
        *_beside_no_effects(best, nothing, n_human, tested),
        *_scale(half),
        *_lacking(rows, ranked, n_human),
        *_counted(some),
    ]


def readers_verdict(human: pd.DataFrame) -> str:
    """Say which effects the readers of a corpus show.

    >>> rows = [("sr", "word_length", -1.1, -0.9), ("sr", "surprisal", -0.1, 0.2)]
    >>> readers_verdict(pd.DataFrame(rows, columns=["measure", "predictor", "ci_low", "ci_high"]))
    'The 95 % intervals of 1 of 2 effects of the readers leave out 0: sr falls with word_length.'
    """
    known = human[human["ci_low"].notna()]
    clear = known[known["ci_low"] * known["ci_high"] > 0]
    said = [
        f"{row['measure']} {'rises' if row['ci_low'] > 0 else 'falls'} with {row['predictor']}"
        for row in records(clear)
    ]
    start = f"The 95 % intervals of {len(clear)} of {len(known)} effects of the readers leave out 0"
    return f"{start}: {', '.join(said)}." if said else f"{start}."


def recovery_block(summary: pd.DataFrame, published: Sequence[RecoverySummary], title: str) -> list[Table]:
    """Return the table of all models and references, published ones below; empty columns are left out."""
    if summary.empty:
        return []
    rows = [*map(_recovery_cells, records(summary)), *map(_published_cells, published)]
    used = [k for k in range(len(RECOVERY_COLUMNS)) if any(row[k] is not None for row in rows)]
    cells = tuple(tuple(row[k] for k in used) for row in rows)
    note = PUBLISHED if published else ""
    return [Table(title, tuple(RECOVERY_COLUMNS[k] for k in used), cells, note, row_colours(cells))]


def _recovery_cells(row: Mapping[str, Any]) -> tuple[Cell, ...]:
    return (
        row_name(row["model"], "run"),
        whole(row["same_sign"]),
        whole(row["cells"]),
        _clear(row),
        row.get("mean_abs_posterior"),
        span(row["mean_abs_low"], row["mean_abs_high"]),
        _less_the_nearest(row),
        row["mean_abs"],
        row["rmse"],
        row.get("note") or None,
    )


def _published_cells(s: RecoverySummary) -> tuple[Cell, ...]:
    """Return the same of a published table, which has means alone."""
    name = row_name(s.model, "published", EFFECTS_CORPUS)
    return (name, s.same_sign, s.cells, None, None, None, None, s.mean_abs, s.rmse, None)


def group_block(groups: pd.DataFrame, setting: str) -> list[Table]:
    """Return the effects by group of readers or condition of sentences, and their differences."""
    if groups.empty:
        return []
    by = str(groups["by"].iloc[0])
    columns = (
        Column(by),
        Column("measure"),
        Column("predictor"),
        Column("effect", "effect"),
        Column("95 %", "95 % (regression)"),
        Column("R-hat", "R-hat"),
        Column("note"),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            row["level"],
            row["measure"],
            row["predictor"],
            row["mean"],
            span(row["ci_low"], row["ci_high"]),
            row["rhat"],
            row["note"] or None,
        )
        for row in records(groups)
    ]
    return [Table(f"Effects by {by}, and differences from the first level: {setting}", columns, tuple(rows))]


def distance(row: Row) -> str:
    """Return the mean absolute difference as it is printed: that of the draws, with their interval.

    >>> distance({"mean_abs": 0.1, "mean_abs_posterior": 0.125, "mean_abs_low": 0.1, "mean_abs_high": 0.25})
    '0.125 [0.100, 0.250]'
    """
    posterior = row.get("mean_abs_posterior")
    value = row["mean_abs"] if posterior is None else posterior  # an earlier version has the former only
    return f"{shown(value)} {shown((row['mean_abs_low'], row['mean_abs_high']))}"


def _clear(row: Row) -> Cell:
    if row.get("clear") is None:
        return None
    return f"{int(row['clear_same_sign'])} of {int(row['clear'])}"


def _less_the_nearest(row: Row) -> Cell:
    if row.get("minus_nearest") == 0:
        return "nearest"
    return span(row.get("minus_nearest_low"), row.get("minus_nearest_high"))


def _leader(best: Row, ranked: Mapping[str, Row], n_models: int, why_not: str) -> tuple[str, str]:
    """Return who is nearest, and who cannot be told from the nearest; the numbers stand between the two."""
    name = best["model"]
    others = [row for row in ranked.values() if row is not best]
    if n_models == 1:
        return f"{name} is the only model", ""
    if not others:
        return f"{name} is the only model with {int(best['cells'])} effects that can be estimated", ""
    nearest = f"{name} comes nearest to the effects of the readers"
    if why_not:
        return f"{nearest} in the mean", f", which is not tested: {why_not}"
    tied = [row["model"] for row in others if row["minus_nearest_low"] <= 0]
    if tied:
        return nearest, f"; not separable from it: {listed(tied)}"
    beaten = "the other model" if len(others) == 1 else f"all {len(others)} other models compared"
    return nearest, f", separably nearer than {beaten}"


def _agreement(row: Row, n_human: int) -> str:
    absent = n_human - int(row["cells"])
    lacking = f", {absent} cannot be estimated" if absent else ""
    doubt = f"; {row['note']}" if row.get("note") else ""
    return f"{_signs(row, n_human)}{lacking}; mean absolute difference {distance(row)}{doubt}"


def _signs(row: Row, n_human: int) -> str:
    """Return how many effects have the sign of the readers, of those whose sign is known where that is told.

    >>> _signs({"same_sign": 9, "clear": 7, "clear_same_sign": 6}, 12)
    '6 of the 7 effects of the readers whose 95 % interval leaves out 0 have the same sign'
    """
    if row.get("clear") is None:  # an earlier version, or printed means
        return f"{int(row['same_sign'])} of {n_human} effects have the same sign"
    same, clear = int(row["clear_same_sign"]), int(row["clear"])
    return f"{same} of the {clear} effects of the readers whose 95 % interval leaves out 0 have the same sign"


def _beside_no_effects(best: Row, nothing: Row | None, n_human: int, tested: bool) -> list[str]:
    """Say whether the nearest model is nearer than a reader without any effect."""
    if nothing is None:
        return []
    start = f"A reader without any effect is {distance(nothing)} away"
    if not tested:
        return [f"{start}; that {best['model']} is nearer is not tested."]
    low, high = nothing["minus_nearest_low"], nothing["minus_nearest_high"]
    verdict = (
        "is separably nearer than that"
        if low > 0
        else "is separably further away than that"
        if high < 0
        else "is not separably nearer than that"
    )
    where = "" if best["cells"] == n_human else f" on the {int(best['cells'])} effects it has"
    return [f"{start}: {best['model']}{where} {verdict}."]


def _scale(half: Row | None) -> list[str]:
    if half is None or not half["cells"]:
        return []
    doubt = f"; {half['note']}" if half.get("note") else ""
    same = _signs(half, int(half["cells"]))
    return [f"For scale, two halves of the readers differ by {distance(half)}, {same}{doubt}."]


def _counted(rows: Mapping[str, Row]) -> list[str]:
    """Say how many comparisons there were: the more, the more of them leave out 0 by chance."""
    n_cells = sum(int(row["cells"]) for row in rows.values())
    told = any(row.get("clear") is not None for row in rows.values())
    return [f"{n_cells} effects of {len(rows)} models were compared."] if told and len(rows) > 1 else []


def _lacking(rows: Mapping[str, Row], ranked: Mapping[str, Row], n_human: int) -> list[str]:
    """Name the models that could not be compared, because effects are missing."""
    fewer = [
        f"{name} ({int(row['cells'])})" for name, row in rows.items() if name not in ranked and row["cells"]
    ]
    none = [name for name, row in rows.items() if not row["cells"]]
    said = []
    if fewer:
        said.append(
            f"Of the {n_human} effects of the readers fewer can be estimated for {listed(fewer)}, left out "
            "of this."
        )
    if none:
        said.append(f"For {listed(none)} none of the {n_human} effects of the readers can be estimated.")
    return said
