"""What the psycholinguistic analysis leaves: its files, where they are kept, and its text on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.extras import need
from scandl.files.results import atomic_file, writable, write_sidecar
from scandl.files.tables import text_rows, write_frame
from scandl_analysis.chapters.effects_chapter import effect_tables, effects_findings
from scandl_analysis.chapters.recovery_chapter import judged_models, own_note, shared_note
from scandl_analysis.chapters.result_tables import (
    READERS,
    amount,
    interval,
    predictor_words,
    records,
    source_name,
    unit_words,
    with_file_names,
)
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.effect_table import WARNING
from scandl_analysis.effects.psycholing import Psycholing
from scandl_analysis.effects.reader_effects import OBSERVED, OUTCOME
from scandl_analysis.effects.recovery import NO_EFFECTS
from scandl_analysis.glm.diagnostics import write_netcdf
from scandl_analysis.glm.spec import QUICK_LOOK
from scandl_analysis.words.analysed_run import HALVES, HUMAN, Run, demo_run

if TYPE_CHECKING:
    import pandas as pd
    import xarray

DEMO_HOME = Path("psycholing-demo")
WIDTH = 100
"""Of a sentence on a terminal."""


def home_of(run: Run, options: Options) -> tuple[Path | None, str]:
    """Return where an analysis is kept unless told otherwise, and why it is not if there is more to say.

    That of a run lies in its folder, where the report of the run looks for it. Quick looks and analyses
    of prediction files have no home. Nobody named this folder, so what stands in it is not replaced by
    something else, and if it cannot be written the result is still worth printing.
    """
    if run.folder is None or options.engine == QUICK_LOOK:
        return None, ""
    folder = DEMO_HOME if run.folder == demo_run() else run.folder / "psycholing" / run.setting
    if other := _made_otherwise(folder, options.of(run)):
        return None, f"{folder} holds an analysis with {other}: this one is only printed"
    if not writable(folder):
        return None, f"{folder} cannot be written: this analysis is only printed"
    return folder, ""


def _made_otherwise(folder: Path, options: Options) -> str:
    """Return an option in which the analysis in a folder differs; nothing where there is none."""
    try:
        written = json.loads((folder / "effects.csv.json").read_text(encoding="utf-8"))
        before = dict(written["settings"]["analysis"])
    except (OSError, ValueError, KeyError, TypeError):  # nothing here, or nothing of ours
        return ""
    now = _settings(options)
    return next((f"{name} {before[name]}" for name in now if before.get(name, now[name]) != now[name]), "")


def _settings(options: Options) -> dict[str, str]:
    return {name: str(getattr(options, name)) for name in options.__slots__} | {"drop": str(options.edges)}


def write_psycholing(found: Psycholing, out: Path | str) -> Path:
    """Write every table as CSV and the posterior draws as netCDF; return the folder."""
    folder = Path(out)
    tables = {
        "effects": found.effects,
        "recovery": found.recovery,
        "recovery-summary": found.recovery_summary,
        "words": found.words,
        "scaling": found.scaling,
        "collinearity": found.collinearity,
        "priors": found.priors,
        "diagnostics": found.diagnostics,
        "checks": found.checks,
    }
    some = {"groups": found.groups, "sensitivity": found.sensitivity, "recovery-times": found.time_summary}
    tables |= {name: table for name, table in some.items() if len(table)}
    for name, table in tables.items():
        write_frame(folder / f"{name}.csv", with_file_names(table, simulated=found.simulated))
    settings = {"analysis": _settings(found.options)} | dict(found.predictor_settings)
    notes = [*found.notes, *found.warnings]
    write_sidecar(folder / "effects.csv", settings, notes, found.provenance)
    with atomic_file(folder / "draws.nc") as temporary:
        write_netcdf(draws_of(found), temporary)
    return folder


def draws_of(found: Psycholing) -> xarray.Dataset:
    """Return the draws of all fits as one data set: slopes, intercepts, deviations.

    Models and measures are coordinates; what a fit does not have is NaN there.
    """
    xarray = need("xarray", "analysis")
    fitted = [done for done in found.fits if done.fit is not None]
    models = list(dict.fromkeys(done.model for done in found.fits))
    measures = list(dict.fromkeys(done.glm.measure for done in found.fits))
    names = list(
        dict.fromkeys(
            name for done in fitted if done.fit for name in done.fit.draws if not name.endswith("_spread")
        )
    )
    n_draws = found.options.draws or 0
    chains = max((done.fit.versions for done in fitted if done.fit), default=1) * found.options.chains
    shape = (chains, n_draws, len(models), len(measures), len(names))
    values = np.full(shape, np.nan)
    for done in fitted:
        assert done.fit is not None
        for name, draws in done.fit.draws.items():
            if name not in names:
                continue
            place = (models.index(done.model), measures.index(done.glm.measure), names.index(name))
            values[(slice(len(draws)), slice(None), *place)] = draws
    dims = ("chain", "draw", "model", "measure", "parameter")
    coords = {
        "chain": range(shape[0]),
        "draw": range(shape[1]),
        "model": [name.replace(HUMAN, READERS) if found.simulated else name for name in models],
        "measure": measures,
        "parameter": names,
    }
    attributes = {"setting": found.setting, "engine": found.options.engine}
    return xarray.Dataset({"b": (dims, values)}, coords, attributes)


def text_lines(result: Psycholing) -> list[str]:
    """Return the result as plain text: how, verdict, effects, verdicts on each model, warnings."""
    o = result.options
    kind = "Laplace approximation, a quick look" if o.engine == QUICK_LOOK else "posterior mean"
    found = effect_tables(result)
    lines = [
        f"measures as in {o.variant}, design {o.design}, scaling {o.scaling}, priors {o.priors},"
        f" engine {o.engine}",
        *(line for each in effects_findings(found) for line in wrap(f"{each.about}: {each.text}", WIDTH)),
        "",
        f"what one standard deviation adds ({kind}) [95 % interval]; ! = see the warnings",
    ]
    shown = result.effects[~result.effects["model"].isin(HALVES)]
    lines += _effect_table(
        shown.assign(mark=shown["note"].str.contains(WARNING, na=False)), "model", _marginal
    )
    head = f"margin {o.margins}; distance 0: the effects of the readers, 1: none"
    for what, summary in (("verdicts", result.recovery_summary), ("verdicts on times", result.time_summary)):
        rows = judged_models(summary) if len(summary) else []
        if any(row["minus_none"] is not None for row in rows) and not (what != "verdicts" and _same(result)):
            lines += ["", f"{what}, {head}", *_verdict_table(rows)]
    lines += _missing_lines(result.effects)
    return [*lines, *_group_lines(result), *(f"warning: {line}" for line in result.warnings)]


def _missing_lines(effects: pd.DataFrame) -> list[str]:
    """Say how much of what is not known of the readers' effects is due to lost fixations."""
    lost = "missing_information"
    if lost not in effects:
        return []
    rows = records(effects[effects["model"] == HUMAN])
    told = [
        f"{row['predictor']} on {row['measure']} {row[lost]:.0%}" for row in rows if row[lost] is not None
    ]
    return ["", *wrap(f"missing information (fraction, due to lost fixations): {', '.join(told)}", WIDTH)]


def _same(result: Psycholing) -> bool:
    return result.time_summary.equals(result.recovery_summary)


def _effect_table(
    effects: pd.DataFrame, source: str, cell: Callable[[Mapping[str, Any]], str | None]
) -> list[str]:
    """Return the effects of all predictors, a line for each source and measure."""
    return [*_by_source(effects, source, cell), *_reasons(effects, source)]


def _by_source(
    effects: pd.DataFrame, source: str, cell: Callable[[Mapping[str, Any]], str | None]
) -> list[str]:
    """Return a table for each measure with a line for each source; of one source a single table.

    What is missing is a dash.
    """
    predictors = list(dict.fromkeys(effects["predictor"].dropna()))
    tables: dict[str, list[tuple[str, ...]]] = {}
    alone = effects[source].nunique() == 1
    for (measure, name), part in effects.groupby(["measure", source], sort=False, dropna=False):
        cells = {row["predictor"]: cell(row) for row in records(part)}
        if not any(cells.values()):
            continue
        of_measure = records(effects[effects["measure"] == measure])
        units = [row for row in of_measure if row.get("unit")] or of_measure
        names = (unit_words({**units[0], "per": ""}), source_name(str(name)))
        head, line = reversed(names) if alone else names
        tables.setdefault(head, []).append((line, *(cells.get(each) or "–" for each in predictors)))
    lines: list[str] = []
    for head, rows in tables.items():
        lines += [*([""] if lines else []), *text_rows([head, *map(predictor_words, predictors)], rows)]
    return lines


def _marginal(row: Mapping[str, Any]) -> str | None:
    if row["marginal"] is None:
        return None
    if row["marginal_low"] is None:
        return amount(row["marginal"], row["unit"])
    return interval(row, "marginal") + " !" * bool(row["mark"])


def _reasons(effects: pd.DataFrame, source: str) -> list[str]:
    """Say once why effects are missing, and of whom where it is not all."""
    missing = effects[effects["mean"].isna() & ~effects["predictor"].isin([OUTCOME, OBSERVED])]
    lines = []
    for note, rows in missing.groupby("note", sort=False):
        names = list(dict.fromkeys(map(str, rows[source])))
        everyone = len(names) == effects[source].nunique()
        lines.append(str(note) if everyone else f"{', '.join(names)}: {note}")
    return lines


def _verdict_table(summary: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line for each model: verdicts on the effects that the readers show, and the distance."""
    counts = ("equivalent", "too_weak", "too_strong", "wrong_sign", "undecided")
    rows, of_all = [], shared_note(summary)
    for row in summary:
        far = "–" if row["distance"] is None else _three(row, "distance")
        numbers = [f"{row[name]}" for name in counts]
        rows.append((row["model"], f"{row['shown']}", *numbers, far, _less(row), own_note(row, of_all) or ""))
    heads = ["model", "effects", *(name.replace("_", " ") for name in counts)]
    lines = text_rows([*heads, "distance [95 %]", "more than the nearest [95 %]", "note"], rows)
    return [*lines, *([f"all: {of_all}"] if of_all else [])]


def _three(row: Mapping[str, Any], name: str) -> str:
    said = f"{row[name]:.2f} [{row[f'{name}_low']:.2f}, {row[f'{name}_high']:.2f}]"
    return said.replace("-", "−")


def _group_lines(result: Psycholing) -> list[str]:
    """Return the effects by group or condition, and their differences."""
    if not len(result.groups):
        return []
    head = f"effects by {result.options.by}, differences from the first level"
    return ["", head, *_effect_table(result.groups.assign(mark=False), "level", _marginal)]


def _less(row: Mapping[str, Any]) -> str:
    """Return how much further away than the nearest a model is; nothing where that was not compared."""
    if row["minus_nearest"] is None:
        return ""
    if row["minus_nearest"] == 0 and row["model"] != NO_EFFECTS:
        return "nearest"
    return _three(row, "minus_nearest")
