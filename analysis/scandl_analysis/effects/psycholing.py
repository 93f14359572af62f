"""The psycholinguistic analysis: which human effects generated scanpaths show, and the files it leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from scandl.errors import ConfigError, did_you_mean
from scandl.extras import need
from scandl.files.results import Provenance, atomic_file, provenance, writable, write_sidecar
from scandl.files.tables import write_frame
from scandl.seeds import stream
from scandl_analysis.effects.designs import (
    DESIGNS,
    AnalysedWords,
    Options,
    analysed_words,
    frequency_beside,
    joint_rows,
    left_out,
    source_glm,
    standardised,
)
from scandl_analysis.effects.effect_table import (
    Effects,
    edge_table,
    effects_of,
    effects_table,
    flagged,
    joint_effects,
    not_estimable,
    remarked,
    without,
)
from scandl_analysis.effects.fitting import (
    Done,
    FitJob,
    check_table,
    diagnostics_table,
    prior_table,
    run_jobs,
)
from scandl_analysis.effects.group_effects import group_glm, group_table, with_levels
from scandl_analysis.effects.model_checks import LENGTH_CLASS, collinearity
from scandl_analysis.effects.recovery import recover_all, recovery_table
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.diagnostics import write_netcdf
from scandl_analysis.glm.fit import check_engine
from scandl_analysis.glm.spec import FAMILIES, QUICK_LOOK, Glm, Sampling, joint_glm
from scandl_analysis.words.analysed_run import HALVES, HUMAN, Run, as_run, demo_run
from scandl_analysis.words.word_table import (
    complete_rows,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    import xarray

    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions

LARGEST_VIF = 3.0
"""Variance inflation beyond which the effects of a predictor are said to be hard to tell from others."""

DEMO_HOME = Path("psycholing-demo")


@dataclass(frozen=True)
class Psycholing:
    """Everything the analysis found: tables for files and reports, in the order they are read."""

    setting: str
    options: Options
    notes: tuple[str, ...]  # the first line says what was analysed
    effects: pd.DataFrame
    recovery: pd.DataFrame
    recovery_summary: pd.DataFrame
    words: pd.DataFrame
    scaling: pd.DataFrame
    collinearity: pd.DataFrame
    priors: pd.DataFrame
    diagnostics: pd.DataFrame  # how each fit was sampled
    checks: pd.DataFrame  # prior and posterior predictive checks, long form
    warnings: tuple[str, ...]
    fits: tuple[Done, ...]
    provenance: Provenance
    predictor_settings: Mapping[str, Mapping[str, str]]
    groups: pd.DataFrame  # effects by group or condition, empty where none was asked for
    edges: pd.DataFrame  # human effects without and with the edges of sentences, where they are left out
    time_summary: pd.DataFrame  # recovery of the effects on times, by models that have durations


def psycholing(
    setting: str | None = None,
    *,
    run: Run | Predictions | None = None,
    corpus: Corpus | Path | str | None = None,
    index_base: int | None = None,
    options: Options | None = None,
    store: Path | None = None,
    jobs: int = 1,
    quiet: bool = True,
) -> Psycholing:
    """Regress every reading measure on the predictors, for humans and for each model of a run.

    ``run`` is a run folder, what was opened of one, or predictions in any form with their ``corpus``;
    without it the newest run below ``runs`` is taken, or the demo. The setting is nrns if none is named.
    ``index_base`` is what positions of predictions count from, 0 or 1.
    ``store`` keeps finished fits, so that an interrupted analysis goes on where it was.
    """
    options = options or Options()
    if options.design not in (None, *DESIGNS):
        raise ConfigError(f"no design {options.design!r}{did_you_mean(str(options.design), DESIGNS)}")
    check_engine(options.engine)
    opened = as_run(run, corpus, setting, index_base)
    options = options.of(opened)
    setting = opened.setting
    words = analysed_words(opened, options)
    scaled, used = words.scaled, words.used
    alone = [
        Glm(measure, options.family(measure), used) for measure in words.measures if options.design == "joint"
    ]
    absent = left_out(scaled, alone, setting=setting, engine=options.engine, priors=options.priors)
    grouped = _group_jobs(words, opened, options)  # a column that is not there is said before any fit
    wanted, untimed = _jobs(words, setting, options, absent)
    fits = run_jobs(wanted, store=store, workers=jobs, quiet=quiet)
    fits.sort(key=lambda done: _rank(done.model, done.glm.measure, words.measures))
    effects = _effects(fits, setting, options, [HUMAN, *opened.predictions], absent)
    effects = sorted([*effects, *untimed], key=lambda each: _rank(each.model, each.measure, words.measures))
    # Models without durations are compared with others by what both have, so times stand by themselves.
    rows, summaries = recover_all([each for each in effects if each.measure in FAMILIES])
    time_rows, time_summaries = recover_all([each for each in effects if each.measure not in FAMILIES])
    for name in (name for name in options.predictors if name not in used):
        why = f"not estimable: {name} is a linear function of {frequency_beside(name)}"
        effects = [without(each, name, why) for each in effects]
    collinear = collinearity(scaled[scaled["source"] == HUMAN], options.predictors)
    remarks = {row["predictor"]: f"VIF {row['vif']:.1f}" for row in collinear if row["vif"] > LARGEST_VIF}
    effects = [remarked(each, remarks) if each.draws else each for each in effects]
    edges = _edges(words, effects, options, setting, store=store, jobs=jobs, quiet=quiet)
    return Psycholing(
        setting,
        options,
        words.notes,
        effects_table(effects),
        recovery_table([*rows, *time_rows]),
        recovery_table(summaries or time_summaries),
        words.words,
        words.constants,
        pd.DataFrame(collinear),
        prior_table(fits),
        diagnostics_table(fits),
        check_table(fits),
        tuple(f"{done.model}, {done.glm.measure}: {line}" for done in fits for line in done.warnings),
        tuple(fits),
        provenance(seed=options.seed, inputs=opened.inputs),
        words.predictors.settings,
        group_table(
            run_jobs(grouped, store=store, workers=jobs, quiet=quiet),
            grouped[0].frame if grouped else scaled,
        ),
        edges,
        recovery_table(time_summaries),
    )


def _group_jobs(words: AnalysedWords, run: Run, options: Options) -> list[FitJob]:
    """Return the regressions of the readers by group or condition; none where none is asked for."""
    if options.by is None:
        return []
    human = with_levels(words.scaled[words.scaled["source"] == HUMAN], run.corpus, options.by)
    design = "crossed" if options.design == "joint" else options.design
    jobs = []
    for measure in words.measures:
        family = options.family(measure)
        glm = group_glm(design, measure, human, options.by, predictors=words.used, family=family)
        jobs.append(_job(f"{HUMAN} by {options.by}", glm, human, run.setting, options))
    return jobs


def _edges(
    words: AnalysedWords,
    inside: Sequence[Effects],
    options: Options,
    setting: str,
    *,
    store: Path | None,
    jobs: int,
    quiet: bool,
) -> pd.DataFrame:
    """Return the human effects without and with the edges; an empty table where none are left out."""
    human = [each for each in inside if each.model == HUMAN]
    if not options.edges or options.spillover or not options.edge_check or options.design == "joint":
        return edge_table([], [])
    quick = options if options.engine == QUICK_LOOK else replace(options, engine=QUICK_LOOK, design="crossed")
    complete, _ = complete_rows(words.every[words.every["source"] == HUMAN], words.used)
    whole, _ = standardised(complete, options, "human")
    wanted = []
    for measure in words.measures:
        glm = source_glm(
            quick.design, measure, HUMAN, whole, predictors=words.used, family=options.family(measure)
        )
        wanted.append(_job(HUMAN, glm, whole, f"{setting}, with edges", quick))
    fits = run_jobs(wanted, store=store, workers=jobs, quiet=quiet)
    return edge_table(human, [_effects_in(done, HUMAN, setting, quick) for done in fits])


def _jobs(
    words: AnalysedWords, setting: str, options: Options, unable: Mapping[str, Mapping[str, Effects]]
) -> tuple[list[FitJob], list[Effects]]:
    """Return all regressions, the humans' first because they take longest; and whose times are not known."""
    parts = {str(source): part for source, part in words.scaled.groupby("source", sort=False)}
    if options.ceiling:
        parts |= _halves(parts[HUMAN], options.seed)
    jobs, untimed = [], []
    for measure in words.measures:
        family = options.family(measure)
        absent = unable.get(measure, {})
        if options.design == "joint" and HUMAN not in absent:  # nobody to compare with
            glm = joint_glm(measure, predictors=words.used, family=family)
            jobs.append(_job(HUMAN, glm, joint_rows(words.scaled, absent), setting, options))
        for source, part in parts.items():
            if options.design == "joint" and source not in HALVES:
                continue
            glm = source_glm(options.design, measure, source, part, predictors=words.used, family=family)
            if part[measure].isna().all():
                untimed.append(_unknown(glm, source, setting, options))
            else:
                jobs.append(_job(source, glm, part, setting, options))
    return sorted(jobs, key=lambda job: -len(job.frame)), untimed


def _unknown(glm: Glm, source: str, setting: str, options: Options) -> Effects:
    """Return the effects on times of a source without durations: none."""
    return not_estimable(
        NotEstimableError("not estimable: no durations"),
        glm,
        setting,
        source,
        n_rows=0,
        engine=options.engine,
        priors=options.priors,
    )


def _job(source: str, glm: Glm, frame: pd.DataFrame, setting: str, options: Options) -> FitJob:
    # Each fit has random numbers of its own, or the draws of two fits would move together.
    seed = int(stream(options.seed, setting, source, glm.measure).integers(2**31))
    sampling = Sampling(draws=options.draws, chains=options.chains, seed=seed)
    rows = frame[[*glm.columns, LENGTH_CLASS]].reset_index(drop=True)
    return FitJob(source, glm, rows, options.engine_used, options.priors, sampling)


def _halves(human: pd.DataFrame, seed: int) -> dict[str, pd.DataFrame]:
    """Split the readers at random in two; nothing where there are fewer than four."""
    readers = sorted(set(human["reader_id"]))
    if len(readers) < 4:
        return {}
    shuffled = stream(seed, "halves").permutation(readers)
    first = human["reader_id"].isin(shuffled[: len(readers) // 2])
    return {HALVES[0]: human[first], HALVES[1]: human[~first]}


def _effects(
    fits: Sequence[Done],
    setting: str,
    options: Options,
    sources: Sequence[str],
    unable: Mapping[str, Mapping[str, Effects]],
) -> list[Effects]:
    """Return the effects of all fits; every source has a row or a reason."""
    found: list[Effects] = []
    for done in fits:
        entered = [source for source in sources if source not in unable.get(done.glm.measure, {})]
        for source in entered if done.glm.by is not None else [done.model]:
            found.append(_effects_in(done, source, setting, options))
    found += [effects for absent in unable.values() for effects in absent.values()]
    return found


def _effects_in(done: Done, source: str, setting: str, options: Options) -> Effects:
    """Return the effects of one source in a fit of it alone or of all."""
    if done.fit is None:
        return not_estimable(
            NotEstimableError(done.note),
            done.glm,
            setting,
            source,
            n_rows=done.n_rows,
            engine=options.engine,
            priors=options.priors,
        )
    alone = done.glm.by is None or source == HUMAN  # humans are the reference of the joint model
    found = effects_of(done.fit, setting, source) if alone else joint_effects(done.fit, setting, source)[1]
    return flagged(found, done.warnings)


def _rank(model: str, measure: str, measures: Sequence[str]) -> tuple[bool, bool, str, int]:
    """Return what rows are sorted by: humans first, the halves last, measures as they were asked for."""
    return model != HUMAN, model in HALVES, model, measures.index(measure)


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
