"""The psycholinguistic analysis: which human effects generated scanpaths show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from scandl.errors import ConfigError, did_you_mean
from scandl.files.results import Provenance, provenance
from scandl.seeds import stream
from scandl_analysis.effects.averaging import Averaging
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
from scandl_analysis.effects.model_checks import LENGTH_CLASS, collinearity
from scandl_analysis.effects.reader_effects import (
    KEPT,
    LEFT_OUT,
    Choice,
    group_glm,
    group_table,
    sensitivity_table,
    with_levels,
)
from scandl_analysis.effects.recovery import recover_all, recovery_table
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import check_engine
from scandl_analysis.glm.spec import FAMILIES, QUICK_LOOK, Glm, Sampling, joint_glm
from scandl_analysis.words.analysed_run import HALVES, HUMAN, Run, as_run
from scandl_analysis.words.word_table import (
    EDGES,
    VERSION,
    complete_rows,
    with_previous,
    without_edges,
    word_rows,
)

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions

LARGEST_VIF = 3.0
"""Variance inflation beyond which the effects of a predictor are said to be hard to tell from others."""


FitAll = Callable[[Sequence[FitJob]], list[Done]]


@dataclass(frozen=True, kw_only=True)
class Psycholing:
    """Everything the analysis found: tables for files and reports, in the order they are read."""

    setting: str
    simulated: bool  # whether the readers are no people
    options: Options
    notes: tuple[str, ...]  # the first line says what was analysed
    effects: pd.DataFrame
    recovery: pd.DataFrame
    recovery_summary: pd.DataFrame
    words: pd.DataFrame
    scaling: pd.DataFrame
    collinearity: pd.DataFrame
    fits: tuple[Done, ...]
    provenance: Provenance
    predictor_settings: Mapping[str, Mapping[str, str]]
    groups: pd.DataFrame  # effects by group or condition, empty where none was asked for
    sensitivity: pd.DataFrame  # effects of people by definition of the measure and edges of sentences
    time_summary: pd.DataFrame  # recovery of the effects on times, by models that have durations

    @property
    def priors(self) -> pd.DataFrame:
        """The prior of each parameter of each fit."""
        return prior_table(self.fits)

    @property
    def diagnostics(self) -> pd.DataFrame:
        """How each fit was sampled."""
        return diagnostics_table(self.fits)

    @property
    def checks(self) -> pd.DataFrame:
        """Prior and posterior predictive checks, long form."""
        return check_table(self.fits)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the sampling of a fit, one line each."""
        return tuple(
            f"{done.model}, {done.glm.measure}: {line}" for done in self.fits for line in done.warnings
        )


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

    Parameters
    ----------
    setting
        The setting of the run; None is ``nrns``.
    run
        A run folder, what was opened of one, or predictions in any form with their ``corpus``. None is the
        newest run below ``runs``, or the demo.
    corpus
        The corpus of the predictions, or its name.
    index_base
        What positions of predictions count from, 0 or 1.
    options
        Measures, predictors, design, engine, priors and draws.
    store
        A folder for finished fits: an analysis that was interrupted goes on from there.
    jobs
        Worker processes.
    quiet
        Whether to leave out progress and notes.

    Returns
    -------
    Psycholing
        Effects of people and models, and how far the models are from people.
    """
    options = options or Options()
    if options.design not in (None, *DESIGNS):
        raise ConfigError(f"no design {options.design!r}{did_you_mean(str(options.design), DESIGNS)}")
    check_engine(options.engine)
    opened = as_run(run, corpus, setting, index_base)
    options, setting = options.of(opened), opened.setting
    fit_all: FitAll = partial(run_jobs, store=store, workers=jobs, quiet=quiet)
    words = analysed_words(opened, options)
    grouped = _group_jobs(words, opened, options)  # a column that is not there is said before any fit
    absent = _absent(words, setting, options)
    wanted, untimed = _jobs(words, setting, options, absent)
    fits = sorted(fit_all(wanted), key=lambda done: _rank(done.model, done.glm.measure, words.measures))
    averaging = Averaging.of(words, options)
    plain = [*_effects(fits, setting, options, [HUMAN, *opened.predictions], absent, averaging), *untimed]
    plain.sort(key=lambda each: _rank(each.model, each.measure, words.measures))
    # Models without durations are compared with others by what both have, so times stand by themselves.
    counted, timed = ([each for each in plain if (each.measure in FAMILIES) == of] for of in (True, False))
    rows, summaries = recover_all(counted, options.margins)
    time_rows, time_summaries = recover_all(timed, options.margins)
    human = words.scaled[words.scaled["source"] == HUMAN]
    collinear = collinearity(human, options.predictors)
    effects = _noted(plain, words, options, collinear)
    return Psycholing(
        setting=setting,
        simulated=opened.corpus.card.kind == "simulated",
        options=options,
        notes=words.notes,
        effects=effects_table(effects),
        recovery=recovery_table([*rows, *time_rows]),
        recovery_summary=recovery_table(summaries or time_summaries),
        words=words.words,
        scaling=words.constants,
        collinearity=pd.DataFrame(collinear),
        fits=tuple(fits),
        provenance=provenance(seed=options.seed, inputs=opened.inputs),
        predictor_settings=words.predictors.settings,
        groups=group_table(fit_all(grouped), {job.glm.measure: job.frame for job in grouped}),
        sensitivity=_sensitivity(words, effects, opened, options, fit_all),
        time_summary=recovery_table(time_summaries),
    )


def _absent(words: AnalysedWords, setting: str, options: Options) -> dict[str, dict[str, Effects]]:
    """Return what is said of sources that cannot enter a joint model, by measure; other designs have none."""
    if options.design != "joint":
        return {}
    alone = [Glm(measure, options.family(measure), words.used) for measure in words.measures]
    return left_out(words.scaled, alone, setting=setting, engine=options.engine, priors=options.priors)


def _noted(
    effects: Sequence[Effects],
    words: AnalysedWords,
    options: Options,
    collinear: Sequence[Mapping[str, Any]],
) -> list[Effects]:
    """Return the effects with predictors that were left out, and what is said of those hard to tell apart."""
    noted = list(effects)
    for name in (name for name in options.predictors if name not in words.used):
        why = f"not estimable: {name} is a linear function of {frequency_beside(name)}"
        noted = [without(each, name, why) for each in noted]
    remarks = {row["predictor"]: f"VIF {row['vif']:.1f}" for row in collinear if row["vif"] > LARGEST_VIF}
    return [remarked(each, remarks) if each.draws else each for each in noted]


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


def _sensitivity(
    words: AnalysedWords, inside: Sequence[Effects], run: Run, options: Options, fit_all: FitAll
) -> pd.DataFrame:
    """Return the effects of people by definition and edges, those of other choices by quick looks."""
    own: Choice = (str(options.variant), LEFT_OUT if options.edges else KEPT)
    found: dict[Choice, list[Effects]] = {own: [each for each in inside if each.model == HUMAN]}
    if not options.edge_check or options.spillover or options.design in ("joint", "paper"):
        return sensitivity_table(own, {own: []})
    quick = replace(options, engine=QUICK_LOOK)
    for variant in (own[0], "paper" if own[0] == "firstpass" else "firstpass"):
        every = words.every[words.every["source"] == HUMAN]
        if variant != own[0]:
            every = with_previous(word_rows(run.readings, words.predictors, variant))
        # The definitions agree on what is not named here.
        measures = [name for name in words.measures if variant == own[0] or name in ("fpr", "ffc")]
        for edges in (LEFT_OUT, KEPT):
            if (variant, edges) != own and measures:
                kept = without_edges(every, options.edges or EDGES) if edges == LEFT_OUT else every
                found[variant, edges] = _looked_at(kept, words, measures, quick, (variant, edges), fit_all)
    return sensitivity_table(own, found)


def _looked_at(
    every: pd.DataFrame,
    words: AnalysedWords,
    measures: Sequence[str],
    options: Options,
    choice: Choice,
    fit_all: FitAll,
) -> list[Effects]:
    """Return the effects of people on some measures by another choice of definition or edges."""
    complete, _ = complete_rows(every, words.used)
    whole, constants = standardised(complete, options, "human")
    there = replace(words, scaled=whole, constants=constants, measures=tuple(measures))
    averaging, wanted = Averaging.of(there, options), []
    for measure in measures:
        family = options.family(measure)
        glm = source_glm(options.design, measure, HUMAN, whole, predictors=words.used, family=family)
        wanted.append(_job(HUMAN, glm, whole, ", ".join(choice), options))
    return [_effects_in(done, HUMAN, ", ".join(choice), options, averaging) for done in fit_all(wanted)]


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
    sampling = Sampling(draws=options.draws or 1000, chains=options.chains, seed=seed)
    versions = [VERSION] if VERSION in frame and frame[VERSION].any() else []
    rows = frame[[*glm.columns, LENGTH_CLASS, *versions]].reset_index(drop=True)
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
    averaging: Averaging,
) -> list[Effects]:
    """Return the effects of all fits; every source has a row or a reason."""
    effects: list[Effects] = []
    for done in fits:
        entered = [source for source in sources if source not in unable.get(done.glm.measure, {})]
        for source in entered if done.glm.by is not None else [done.model]:
            effects.append(_effects_in(done, source, setting, options, averaging))
    return [*effects, *(each for absent in unable.values() for each in absent.values())]


def _effects_in(done: Done, source: str, setting: str, options: Options, averaging: Averaging) -> Effects:
    """Return the effects of one source in a fit of it alone or of all."""
    if done.fit is None:
        nothing = not_estimable(
            NotEstimableError(done.note),
            done.glm,
            setting,
            source,
            n_rows=done.n_rows,
            engine=options.engine,
            priors=options.priors,
        )
        return averaging.added(nothing, None, source)
    alone = done.glm.by is None or source == HUMAN  # humans are the reference of the joint model
    effects = effects_of(done.fit, setting, source) if alone else joint_effects(done.fit, setting, source)[1]
    return flagged(averaging.added(effects, done.fit, source, level=None if alone else source), done.warnings)


def _rank(model: str, measure: str, measures: Sequence[str]) -> tuple[bool, bool, str, int]:
    """Return what rows are sorted by: humans first, the halves last, measures as they were asked for."""
    return model != HUMAN, model in HALVES, model, measures.index(measure)
