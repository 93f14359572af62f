"""The psycholinguistic analysis: which human effects generated scanpaths show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from scandl.errors import ConfigError, did_you_mean
from scandl.provenance import Provenance, provenance
from scandl.seeds import stream
from scandl_analysis.effects import Effects, effects_of, effects_table, joint_effects, not_estimable, without
from scandl_analysis.fitting import LENGTH_CLASS, Done, Job, run_jobs
from scandl_analysis.glm.checks import collinearity
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import Sampling
from scandl_analysis.glm.spec import FAMILIES, Family, Glm, joint_glm, paper_glm
from scandl_analysis.predictors import Predictors, compute_predictors
from scandl_analysis.readings import HUMAN, human_readings, model_readings
from scandl_analysis.recovery import (
    RecoveryRow,
    RecoverySummary,
    recover,
    recovery_table,
    summarise_effects,
)
from scandl_analysis.run_folder import Run, open_run
from scandl_analysis.table import PREDICTORS, complete_rows, scale, without_edges, word_table

if TYPE_CHECKING:
    from collections.abc import Mapping

HALVES = ("human-half-1", "human-half-2")
"""Names of the two halves of the readers; how well one recovers the other is the ceiling."""

DESIGNS = ("paper", "joint")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may be chosen; the defaults compare fairly, ``paper`` values reproduce the publication."""

    engine: str = "nuts"
    priors: str = "brms"
    design: str = "paper"
    measures: str = "paper"
    counts: Literal["poisson", "negativebinomial"] = "poisson"
    surprisal: str = "auto"
    frequency: str = "zipf"
    scaling: str = "human"
    drop: tuple[str, ...] = ()  # first, last: words at these edges of a sentence are left out
    ceiling: bool = True  # also fit the two halves of the readers
    draws: int = 1000
    chains: int = 4
    seed: int = 1


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
    checks: pd.DataFrame  # posterior predictive checks, long form
    warnings: tuple[str, ...]
    fits: tuple[Done, ...]
    provenance: Provenance
    predictor_settings: Mapping[str, Mapping[str, str]]


def psycholing(
    setting: str = "nrns", *, run: Path | str | Run | None = None, options: Options | None = None,
    store: Path | None = None, jobs: int = 1, quiet: bool = True,
) -> Psycholing:  # fmt: skip
    """Regress every reading measure on the predictors, for humans and for each model of a run.

    ``run`` is a run folder, or what was opened of one or of prediction files; its setting then counts.
    ``store`` keeps finished fits, so that an interrupted analysis goes on where it was.
    """
    options = options or Options()
    if options.design not in DESIGNS:
        raise ConfigError(f"no design {options.design!r}{did_you_mean(options.design, DESIGNS)}")
    opened = run if isinstance(run, Run) else open_run(run, setting)
    setting = opened.setting
    words, predictors, notes = _words(opened, options)
    scaled, constants = scale(words, options.scaling)
    scaled[LENGTH_CLASS] = _length_classes(words["word_length"])
    used = _independent_predictors(scaled)
    fits = run_jobs(_jobs(scaled, setting, options, used), store=store, workers=jobs, quiet=quiet)
    effects = _effects(fits, setting, options, [HUMAN, *opened.predictions])
    rows, summaries = _recovery(effects)
    for name in (name for name in PREDICTORS if name not in used):
        effects = [
            without(each, name, f"not estimable: {name} is a linear function of frequency")
            for each in effects
        ]
    human = scaled[scaled["source"] == HUMAN]
    return Psycholing(
        setting, options, notes, effects_table(effects), recovery_table(rows), recovery_table(summaries),
        words, constants, pd.DataFrame(collinearity(human, PREDICTORS)),
        _prior_table(fits), _check_table(fits),
        tuple(f"{done.model}, {done.glm.measure}: {line}" for done in fits for line in done.warnings),
        tuple(fits), provenance(seed=options.seed, inputs=opened.inputs), predictors.settings,
    )  # fmt: skip


def _words(run: Run, options: Options) -> tuple[pd.DataFrame, Predictors, tuple[str, ...]]:
    """Return the word table of humans and models, complete rows only, and what to say about it."""
    readings = human_readings(run.corpus)
    for predictions in run.predictions.values():
        readings += model_readings(predictions, run.corpus)
    predictors = compute_predictors(
        [reading.text for reading in readings], provider=options.surprisal, frequency=options.frequency,
        language=run.corpus.card.language,
    )  # fmt: skip
    every = word_table(readings, predictors, options.measures)
    frame, missing = complete_rows(without_edges(every, options.drop))
    dropped = [f"{' and '.join(options.drop)} words of sentences are left out"] if options.drop else []
    return frame, predictors, (*run.first_lines, *predictors.notes, *dropped, *map(str, missing))


def _length_classes(characters: pd.Series[Any]) -> pd.Series[Any]:
    """Return the class of each word's length."""
    edges, labels = [0, 3, 5, 7, np.inf], ["1–3", "4–5", "6–7", "8+"]
    return pd.cut(characters, edges, labels=labels).astype(str)


def _independent_predictors(frame: pd.DataFrame) -> tuple[str, ...]:
    """Return the predictors without surprisal where it is frequency again, as unigram surprisal is."""
    r = frame["surprisal"].corr(frame["frequency"])
    return tuple(name for name in PREDICTORS if name != "surprisal" or abs(r) < 1 - 1e-9)


def _jobs(frame: pd.DataFrame, setting: str, options: Options, predictors: tuple[str, ...]) -> list[Job]:
    """Return all regressions, the humans' first because they take longest."""
    parts = {str(source): part for source, part in frame.groupby("source", sort=False)}
    if options.ceiling:
        parts |= _halves(parts[HUMAN], options.seed)
    jobs = []
    for measure in FAMILIES:
        family = _family(measure, options)
        if options.design == "joint":
            glm = joint_glm(measure, predictors=predictors, family=family)
            jobs.append(_job(HUMAN, glm, _joint_rows(frame, measure), setting, options))
        for source, part in parts.items():
            if options.design == "paper" or source in HALVES:
                glm = paper_glm(
                    measure, HUMAN if source in HALVES else source, predictors=predictors, family=family
                )
                jobs.append(_job(source, glm, part, setting, options))
    return sorted(jobs, key=lambda job: -len(job.frame))


def _job(source: str, glm: Glm, frame: pd.DataFrame, setting: str, options: Options) -> Job:
    # Each fit has random numbers of its own, or the draws of two fits would move together.
    seed = int(stream(options.seed, setting, source, glm.measure).integers(2**31))
    sampling = Sampling(draws=options.draws, chains=options.chains, seed=seed)
    columns = [*glm.columns, LENGTH_CLASS, *({"sentence_id"} - set(glm.columns))]
    return Job(source, glm, frame[columns].reset_index(drop=True), options.engine, options.priors, sampling)


def _family(measure: str, options: Options) -> Family:
    return options.counts if FAMILIES[measure] == "poisson" else FAMILIES[measure]


def _halves(human: pd.DataFrame, seed: int) -> dict[str, pd.DataFrame]:
    """Split the readers at random in two; nothing where there are fewer than four."""
    readers = sorted(set(human["reader_id"]))
    if len(readers) < 4:
        return {}
    shuffled = stream(seed, "halves").permutation(readers)
    first = human["reader_id"].isin(shuffled[: len(readers) // 2])
    return {HALVES[0]: human[first], HALVES[1]: human[~first]}


def _joint_rows(frame: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return rows for one model of all sources; a source whose measure never varies is left out."""
    varies = frame.groupby("source", sort=False)[measure].nunique() > 1
    rows = frame[frame["source"].map(varies)].copy()
    # Readers are nested in sources: a path generated "for" a reader is not that reader's.
    rows["reader_id"] = rows["source"].astype(str) + ":" + rows["reader_id"].astype(str)
    return rows


def _effects(fits: Sequence[Done], setting: str, options: Options, sources: Sequence[str]) -> list[Effects]:
    """Return the effects in the order of the measures, humans first."""
    found: list[Effects] = []
    for done in fits:
        if done.fit is None:
            found.append(_absent(NotEstimableError(done.note), done, setting, done.model, options))
        elif done.glm.by is None:
            found.append(effects_of(done.fit, setting, done.model))
        else:
            names = [name[len(f"{done.glm.by}[") : -1] for name in done.fit.draws if name.endswith("]")]
            found.append(effects_of(done.fit, setting, HUMAN))
            found += [joint_effects(done.fit, setting, name)[1] for name in names]
            for source in sources:
                if source not in (HUMAN, *names, *HALVES):
                    error = NotEstimableError(
                        f"not estimable: {done.glm.measure} is the same in all words of {source}"
                    )
                    found.append(_absent(error, done, setting, source, options))
    order = list(FAMILIES)
    return sorted(found, key=lambda e: (e.model != HUMAN, e.model in HALVES, e.model, order.index(e.measure)))


def _absent(error: NotEstimableError, done: Done, setting: str, model: str, options: Options) -> Effects:
    return not_estimable(
        error, done.glm, setting, model, n_rows=done.n_rows, engine=options.engine, priors=options.priors
    )


def _recovery(effects: Sequence[Effects]) -> tuple[list[RecoveryRow], list[RecoverySummary]]:
    by_model: dict[str, list[Effects]] = {}
    for each in effects:
        by_model.setdefault(each.model, []).append(each)
    first = by_model.pop(HALVES[0], None)
    rows: list[RecoveryRow] = []
    summaries = []
    for model, theirs in by_model.items():
        ours = first if model == HALVES[1] else by_model[HUMAN]
        if model == HUMAN or ours is None:
            continue
        for effect in theirs:
            rows += [
                row for human in ours if human.measure == effect.measure for row in recover(human, effect)
            ]
        summaries.append(summarise_effects(ours, theirs))
    return rows, [replace(s, model="human split-half") if s.model == HALVES[1] else s for s in summaries]


def _prior_table(fits: Sequence[Done]) -> pd.DataFrame:
    rows = [
        {"model": done.model, "measure": done.glm.measure, "parameter": name, "prior": prior}
        for done in fits if done.fit is not None
        for name, prior in done.fit.prior_table.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def _check_table(fits: Sequence[Done]) -> pd.DataFrame:
    rows = [
        {"model": done.model, "measure": done.glm.measure, "check": check, **row}
        for done in fits
        for check, table in done.checks.items()
        for row in table
    ]
    return pd.DataFrame(rows)
