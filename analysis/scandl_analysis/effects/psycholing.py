"""The psycholinguistic analysis: which human effects generated scanpaths show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from scandl.errors import ConfigError, ScandlError, did_you_mean
from scandl.files.provenance import Provenance, provenance
from scandl.seeds import stream
from scandl_analysis.effects.designs import DESIGNS, left_out_terms, source_glm
from scandl_analysis.effects.edge_effects import edge_table
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
from scandl_analysis.effects.fit_tables import check_table, diagnostics_table, prior_table
from scandl_analysis.effects.fitting import Done, Job, run_jobs
from scandl_analysis.effects.group_effects import group_glm, group_table, with_levels
from scandl_analysis.effects.joint_design import joint_rows, left_out
from scandl_analysis.effects.predictive_checks import LENGTH_CLASS
from scandl_analysis.effects.psycholing_options import Options
from scandl_analysis.effects.recovery import recover_all, recovery_table
from scandl_analysis.glm.checks import collinearity
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import QUICK_LOOKS, Sampling
from scandl_analysis.glm.requirements import check_engine
from scandl_analysis.glm.spec import FAMILIES, Family, Glm, joint_glm
from scandl_analysis.predictors.word_predictors import Predictors, compute_predictors
from scandl_analysis.words.analysed_run import Run, as_run
from scandl_analysis.words.readings import HALVES, HUMAN, human_readings, model_readings
from scandl_analysis.words.word_table import (
    PREVIOUS,
    complete_rows,
    items_compared,
    scale,
    with_previous,
    with_token,
    without_edges,
    word_table,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scandl.corpora import Corpus
    from scandl.files.prediction_inputs import Predictions


LARGEST_VIF = 3.0
"""Variance inflation beyond which the effects of a predictor are said to be hard to tell from others."""


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


def psycholing(
    setting: str | None = None, *, run: Run | Predictions | None = None,
    corpus: Corpus | Path | str | None = None, options: Options | None = None,
    store: Path | None = None, jobs: int = 1, quiet: bool = True,
) -> Psycholing:  # fmt: skip
    """Regress every reading measure on the predictors, for humans and for each model of a run.

    ``run`` is a run folder, what was opened of one, or predictions in any form with their ``corpus``;
    without it the newest run below ``runs`` is taken, or the demo. The setting is nrns if none is named.
    ``store`` keeps finished fits, so that an interrupted analysis goes on where it was.
    """
    options = options or Options()
    if options.counts == "negativebinomial" and options.engine.startswith("mle"):
        raise ConfigError("maximum likelihood is offered for bernoulli and poisson only: take another engine")
    if options.design not in DESIGNS:
        raise ConfigError(f"no design {options.design!r}{did_you_mean(options.design, DESIGNS)}")
    check_engine(options.engine)
    opened = as_run(run, corpus, setting)
    setting = opened.setting
    every, words, predictors, notes = _words(opened, options)
    complete, missing = complete_rows(words, options.predictors)
    if complete.empty:
        why = "; ".join(map(str, missing)) or "all are at the edges of their sentences"
        raise ScandlError(f"no word is left to analyse: {why}")
    scaled, constants = scale(complete, options.scaling, options.predictors)
    scaled[LENGTH_CLASS] = _length_classes(complete["word_length"])
    scaled = with_token(scaled)
    used = _independent_predictors(scaled, options.predictors, again=_twice(predictors, options))
    alone = [
        Glm(measure, _family(measure, options), used) for measure in FAMILIES if options.design == "joint"
    ]
    absent = left_out(
        scaled, alone, setting=setting, engine=options.engine, priors=options.priors,
        named=options.priors_used,
    )  # fmt: skip
    fits = run_jobs(_jobs(scaled, setting, options, used, absent), store=store, workers=jobs, quiet=quiet)
    fits.sort(key=lambda done: _rank(done.model, done.glm.measure))
    effects = _effects(fits, setting, options, [HUMAN, *opened.predictions], absent)
    rows, summaries = recover_all(effects)
    for name in (name for name in options.predictors if name not in used):
        why = f"not estimable: {name} is a linear function of {_frequency_beside(name)}"
        effects = [without(each, name, why) for each in effects]
    collinear = collinearity(scaled[scaled["source"] == HUMAN], options.predictors)
    remarks = {row["predictor"]: f"VIF {row['vif']:.1f}" for row in collinear if row["vif"] > LARGEST_VIF}
    effects = [remarked(each, remarks) if each.draws else each for each in effects]
    edges = _edges(every, effects, options, setting, used, store=store, jobs=jobs, quiet=quiet)
    notes = (*notes, *map(str, missing), *_design_notes(scaled, options))
    return Psycholing(
        setting, options, notes, effects_table(effects), recovery_table(rows),
        recovery_table(summaries), words, constants, pd.DataFrame(collinear),
        prior_table(fits), diagnostics_table(fits), check_table(fits),
        tuple(f"{done.model}, {done.glm.measure}: {line}" for done in fits for line in done.warnings),
        tuple(fits), provenance(seed=options.seed, inputs=opened.inputs), predictors.settings,
        _groups(scaled, opened, options, used, store=store, jobs=jobs, quiet=quiet), edges,
    )  # fmt: skip


def _groups(
    words: pd.DataFrame, run: Run, options: Options, predictors: tuple[str, ...], *, store: Path | None,
    jobs: int, quiet: bool,
) -> pd.DataFrame:  # fmt: skip
    """Return the effects of the readers by group or condition; an empty table where none is asked for."""
    if options.by is None:
        return group_table([], words)
    human = with_levels(words[words["source"] == HUMAN], run.corpus, options.by)
    wanted = []
    for measure in FAMILIES:
        glm = group_glm(
            "crossed" if options.design == "joint" else options.design, measure, human, options.by,
            predictors=predictors, family=_family(measure, options),
        )  # fmt: skip
        wanted.append(_job(f"{HUMAN} by {options.by}", glm, human, run.setting, options))
    return group_table(run_jobs(wanted, store=store, workers=jobs, quiet=quiet), human)


def _edges(
    every: pd.DataFrame, inside: Sequence[Effects], options: Options, setting: str,
    predictors: tuple[str, ...], *, store: Path | None, jobs: int, quiet: bool,
) -> pd.DataFrame:  # fmt: skip
    """Return the human effects without and with the edges; an empty table where none are left out."""
    human = [each for each in inside if each.model == HUMAN]
    if not options.edges or options.spillover or not options.edge_check or options.design == "joint":
        return edge_table([], [])
    quick = options if options.engine in QUICK_LOOKS else replace(options, engine="laplace", design="crossed")
    complete, _ = complete_rows(every[every["source"] == HUMAN], predictors)
    whole, _ = scale(complete, "human", predictors)
    whole = with_token(whole.assign(**{LENGTH_CLASS: _length_classes(complete["word_length"])}))
    wanted = []
    for measure in FAMILIES:
        glm = source_glm(
            quick.design, measure, HUMAN, whole, predictors=predictors, family=_family(measure, options)
        )
        wanted.append(_job(HUMAN, glm, whole, f"{setting}, with edges", quick))
    fits = run_jobs(wanted, store=store, workers=jobs, quiet=quiet)
    return edge_table(human, [_effects_in(done, HUMAN, setting, quick) for done in fits])


def _words(run: Run, options: Options) -> tuple[pd.DataFrame, pd.DataFrame, Predictors, tuple[str, ...]]:
    """Return the word table of humans and models, all and without edges, and what to say about it."""
    readings = human_readings(run.corpus)
    for predictions in run.predictions.values():
        readings += model_readings(predictions, run.corpus)
    predictors = compute_predictors(
        [reading.text for reading in readings], provider=options.surprisal, frequency=options.frequency,
        language=run.corpus.card.language, alignment=options.alignment, bow=options.bow, unit=options.unit,
        punctuation=options.punctuation,
    )  # fmt: skip
    every = with_previous(word_table(readings, predictors, options.measures))
    edges = options.edges
    frame = without_edges(every, edges)
    if not options.spillover:
        frame = frame.drop(columns=["previous_word", *PREVIOUS])
    dropped = [f"{' and '.join(edges)} words of sentences are left out"] if edges else []
    items = [said] if (said := items_compared(frame)) else []
    return every, frame, predictors, (*run.first_lines, *predictors.notes, *dropped, *items)


def _design_notes(words: pd.DataFrame, options: Options) -> list[str]:
    """Return what has to be said of terms that the words of some source cannot have."""
    if options.design not in ("crossed", "maximal") or options.engine.startswith("mle"):
        return []
    said = (left_out_terms(str(source), part) for source, part in words.groupby("source", sort=False))
    return [f"design {options.design}, {note}" for note in said if note]


def _length_classes(characters: pd.Series[Any]) -> pd.Series[Any]:
    """Return the class of each word's length."""
    edges, labels = [-1, 3, 5, 7, np.inf], ["1–3", "4–5", "6–7", "8+"]
    return pd.cut(characters, edges, labels=labels).astype(str)


def _independent_predictors(
    frame: pd.DataFrame, names: Sequence[str], *, again: bool = False
) -> tuple[str, ...]:
    """Return the predictors without surprisal where it is frequency ``again``, told or seen."""

    def seen(name: str) -> bool:
        return abs(frame[name].corr(frame[_frequency_beside(name)])) > 1 - 1e-9

    return tuple(name for name in names if not (name.endswith("surprisal") and (again or seen(name))))


def _twice(predictors: Predictors, options: Options) -> bool:
    """Return whether surprisal is the logarithm of frequency beside the logarithm of frequency.

    Unknown words, for which the two have floors of their own, would hide it.
    """
    unigram = predictors.settings["surprisal"]["provider"] == "unigram"
    return unigram and options.frequency in ("zipf", "neglog2")


def _frequency_beside(surprisal: str) -> str:
    """Return the frequency of the same word.

    >>> _frequency_beside("previous_surprisal")
    'previous_frequency'
    """
    return surprisal.replace("surprisal", "frequency")


def _jobs(
    frame: pd.DataFrame, setting: str, options: Options, predictors: tuple[str, ...],
    unable: Mapping[str, Mapping[str, Effects]],
) -> list[Job]:  # fmt: skip
    """Return all regressions, the humans' first because they take longest."""
    parts = {str(source): part for source, part in frame.groupby("source", sort=False)}
    if options.ceiling:
        parts |= _halves(parts[HUMAN], options.seed)
    jobs = []
    for measure in FAMILIES:
        family = _family(measure, options)
        absent = unable.get(measure, {})
        if options.design == "joint" and HUMAN not in absent:  # nobody to compare with
            glm = joint_glm(measure, predictors=predictors, family=family)
            jobs.append(_job(HUMAN, glm, joint_rows(frame, absent), setting, options))
        for source, part in parts.items():
            if options.design != "joint" or source in HALVES:
                glm = source_glm(options.design, measure, source, part, predictors=predictors, family=family)
                jobs.append(_job(source, glm, part, setting, options))
    return sorted(jobs, key=lambda job: -len(job.frame))


def _job(source: str, glm: Glm, frame: pd.DataFrame, setting: str, options: Options) -> Job:
    # Each fit has random numbers of its own, or the draws of two fits would move together.
    seed = int(stream(options.seed, setting, source, glm.measure).integers(2**31))
    sampling = Sampling(draws=options.draws, chains=options.chains, seed=seed)
    columns = [*glm.columns, LENGTH_CLASS, *({"sentence_id"} - set(glm.columns))]
    rows = frame[columns].reset_index(drop=True)
    return Job(source, glm, rows, options.engine_used, options.priors, sampling)


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


def _effects(
    fits: Sequence[Done], setting: str, options: Options, sources: Sequence[str],
    unable: Mapping[str, Mapping[str, Effects]],
) -> list[Effects]:  # fmt: skip
    """Return the effects in the order of the measures, humans first; every source has a row or a reason."""
    found: list[Effects] = []
    for done in fits:
        entered = [source for source in sources if source not in unable.get(done.glm.measure, {})]
        for source in entered if done.glm.by is not None else [done.model]:
            found.append(_effects_in(done, source, setting, options))
    found += [effects for absent in unable.values() for effects in absent.values()]
    return sorted(found, key=lambda effects: _rank(effects.model, effects.measure))


def _effects_in(done: Done, source: str, setting: str, options: Options) -> Effects:
    """Return the effects of one source in a fit of it alone or of all."""
    if done.fit is None:
        return not_estimable(
            NotEstimableError(done.note), done.glm, setting, source, n_rows=done.n_rows,
            engine=options.engine, priors=options.priors_used,
        )  # fmt: skip
    alone = done.glm.by is None or source == HUMAN  # humans are the reference of the joint model
    found = effects_of(done.fit, setting, source) if alone else joint_effects(done.fit, setting, source)[1]
    return flagged(found, done.warnings)


def _rank(model: str, measure: str) -> tuple[bool, bool, str, int]:
    """Return what rows are sorted by: humans first, the halves last, measures as they are known."""
    return model != HUMAN, model in HALVES, model, list(FAMILIES).index(measure)
