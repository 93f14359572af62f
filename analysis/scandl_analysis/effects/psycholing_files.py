"""The files of the psycholinguistic analysis: where they are kept, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scandl.extras import need
from scandl.files.results import atomic_file, writable, write_sidecar
from scandl.files.tables import write_frame
from scandl_analysis.effects.designs import Options
from scandl_analysis.effects.psycholing import Psycholing
from scandl_analysis.glm.diagnostics import write_netcdf
from scandl_analysis.glm.spec import QUICK_LOOK
from scandl_analysis.words.analysed_run import Run, demo_run

if TYPE_CHECKING:
    import xarray

DEMO_HOME = Path("psycholing-demo")


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
    some = {"groups": found.groups, "edges": found.edges, "recovery-times": found.time_summary}
    tables |= {name: table for name, table in some.items() if len(table)}
    for name, table in tables.items():
        write_frame(folder / f"{name}.csv", table)
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
    names = list(dict.fromkeys(name for done in fitted if done.fit for name in done.fit.draws))
    shape = (found.options.chains, found.options.draws, len(models), len(measures), len(names))
    values = np.full(shape, np.nan)
    for done in fitted:
        assert done.fit is not None
        for name, draws in done.fit.draws.items():
            place = (models.index(done.model), measures.index(done.glm.measure), names.index(name))
            values[(slice(None), slice(None), *place)] = draws
    dims = ("chain", "draw", "model", "measure", "parameter")
    coords = {
        "chain": range(shape[0]),
        "draw": range(shape[1]),
        "model": models,
        "measure": measures,
        "parameter": names,
    }
    attributes = {"setting": found.setting, "engine": found.options.engine}
    return xarray.Dataset({"b": (dims, values)}, coords, attributes)
