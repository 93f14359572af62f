"""The psycholinguistic analysis as plain text: how it was made, effects, recovery, warnings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scandl.files.tables import text_rows
from scandl_analysis.chapters.recovery_chapter import distance
from scandl_analysis.chapters.result_tables import records
from scandl_analysis.effects.effect_table import WARNING, edge_verdict
from scandl_analysis.glm.spec import QUICK_LOOK

if TYPE_CHECKING:
    import pandas as pd

    from scandl_analysis.effects.psycholing import Psycholing


def text_lines(result: Psycholing) -> list[str]:
    """Return the result as plain text: how, effects, recovery, warnings."""
    o = result.options
    kind = "Laplace approximation, a quick look" if o.engine == QUICK_LOOK else "posterior mean"
    lines = [
        f"measures as in {o.variant}, design {o.design}, scaling {o.scaling}, priors {o.priors},"
        f" engine {o.engine}",
        f"effect ({kind}) [95 % interval]; ! = see the warnings;",
        "sr, fpr on the logit scale, ffc, tfc and times on the log scale",
    ]
    marked = result.effects.assign(mark=result.effects["note"].str.contains(WARNING, na=False))
    lines += _effect_table(marked, "model")
    if len(result.recovery_summary):
        lines += ["", "recovery of the human effects; no effects = all slopes 0"]
        lines += _recovery_table([*records(result.recovery_summary), *_of_times(result)])
    hanging = [said] if (said := edge_verdict(result.edges)) else []
    return [*lines, *hanging, *_group_lines(result), *(f"warning: {line}" for line in result.warnings)]


def _effect_table(effects: pd.DataFrame, source: str) -> list[str]:
    """Return the effects of all predictors, a line for each source and measure, and those on times in ms."""
    timed = effects[effects["ms"].notna()] if "ms" in effects else effects[:0]
    lines = [*_by_source(effects[effects["mean"].notna()], source, _effect), *_reasons(effects, source)]
    return [*lines, *(["", "in ms:", *_by_source(timed, source, _ms)] if len(timed) else [])]


def _by_source(effects: pd.DataFrame, source: str, cell: Callable[[Mapping[str, Any]], str]) -> list[str]:
    """Return a line for each source and measure; what is missing is a dash."""
    predictors = list(dict.fromkeys(effects["predictor"]))
    rows = []
    for (name, measure), part in effects.groupby([source, "measure"], sort=False, dropna=False):
        known = {row["predictor"]: cell(row) for row in records(part)}
        rows.append((str(name), str(measure), *(known.get(each, "–") for each in predictors)))
    return text_rows([source, "measure", *predictors], rows)


def _effect(row: Mapping[str, Any]) -> str:
    return f"{row['mean']:.2f} [{row['ci_low']:.2f}, {row['ci_high']:.2f}]{' !' * bool(row.get('mark'))}"


def _ms(row: Mapping[str, Any]) -> str:
    return f"{row['ms']:+.1f} [{row['ms_low']:.1f}, {row['ms_high']:.1f}]"


def _reasons(effects: pd.DataFrame, source: str) -> list[str]:
    """Say once why effects are missing, and of whom where it is not all."""
    missing = effects[effects["mean"].isna()]
    lines = []
    for note, rows in missing.groupby("note", sort=False):
        names = list(dict.fromkeys(map(str, rows[source])))
        everyone = len(names) == effects[source].nunique()
        lines.append(str(note) if everyone else f"{', '.join(names)}: {note}")
    return lines


def _recovery_table(summary: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = []
    for row in summary:
        if not row["cells"]:
            rows.append((row["model"], "–", "–", "", "–", "no effect that both have"))
            continue
        doubt = f"! {row['note']}" if row["note"] else ""
        same = f"{row['same_sign']}/{row['cells']}"
        rows.append((row["model"], same, distance(row), _less(row), f"{row['rmse']:.3f}", doubt))
    header = ["model", "same sign", "mean difference [95 %]", "less the nearest [95 %]", "RMSE", ""]
    return text_rows(header, rows)


def _group_lines(result: Psycholing) -> list[str]:
    """Return the effects by group or condition, and their differences."""
    if not len(result.groups):
        return []
    head = f"effects by {result.options.by}, differences from the first level"
    return ["", head, *_effect_table(result.groups, "level")]


def _of_times(result: Psycholing) -> list[dict[str, Any]]:
    """Return the recovery of effects on times, named so; nothing where it stands there already."""
    if not len(result.time_summary) or result.time_summary.equals(result.recovery_summary):
        return []
    return [row | {"model": f"{row['model']}, times"} for row in records(result.time_summary)]


def _less(row: Mapping[str, Any]) -> str:
    """Return how much further away than the nearest a model is; nothing where that was not compared."""
    if row["minus_nearest"] is None:
        return ""
    if row["minus_nearest"] == 0:
        return "nearest"
    return f"{row['minus_nearest']:.3f} [{row['minus_nearest_low']:.3f}, {row['minus_nearest_high']:.3f}]"
