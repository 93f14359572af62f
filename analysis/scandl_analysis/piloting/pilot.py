"""Pilot an experiment: what simulated readers make of its stimuli, and what experiments would find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.manifest import digest
from scandl.files.results import provenance, sha256
from scandl_analysis.piloting.expected_effects import (
    HUMAN,
    SourceEffects,
    agreements,
    human_effects,
    pool_effects,
)
from scandl_analysis.piloting.experiments import Laboratory, PilotOptions
from scandl_analysis.piloting.pilot_result import PilotResult
from scandl_analysis.piloting.planned_regression import confounds, planned
from scandl_analysis.piloting.power import StatedEffect, power_points, read_effects
from scandl_analysis.piloting.reading_pool import (
    Keeper,
    Lesson,
    PlannedMeasure,
    ReadingPool,
    ReadTask,
    Surprisals,
    joined,
    planned_measure,
    read,
)
from scandl_analysis.piloting.stimuli import Stimuli, balance_note, read_stimuli
from scandl_analysis.predictors.word_predictors import Predictors, compute_predictors

if TYPE_CHECKING:
    import pandas as pd

    from scandl.corpora import Corpus

READERS_AT_ONCE = 16  # of one task


def pilot(
    stimuli: Path | str | pd.DataFrame,
    *,
    humans: Corpus | Path | str | None = None,
    out: Path | str | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    quiet: bool = True,
    **chosen: Any,
) -> PilotResult:
    """Let simulated readers read the stimuli of an experiment, and simulate the experiment many times.

    Parameters
    ----------
    stimuli
        A table with ``item_id``, ``condition`` and ``text``, the critical region marked as ``*word*``; a
        file or a DataFrame.
    humans
        A corpus of people who read these very sentences, whose effects then stand beside the models'.
    out
        A folder for finished pieces: a pilot that was stopped goes on from there.
    jobs
        Local worker processes.
    scheduler
        Address of a Dask scheduler that does the work instead.
    quiet
        Whether to leave out progress and notes.
    chosen
        The fields of ``PilotOptions``: ``models``, ``readers``, ``items``, ``measures``, ``contrast``,
        ``formula``, ``regions``, ``effects`` (``["TFT=25ms"]``), ``experiments``, ``pool``, ``surprisal``,
        ``context``, ``language``, ``seed``.

    Returns
    -------
    PilotResult
        Confounds, expected effects and power, as tables and as a report.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [(i, c, f"The {w} dog *{v}* the {n}.") for i, (w, n) in enumerate(
    ...     [("old", "cat"), ("big", "ball"), ("sad", "bone"), ("shy", "mail")])
    ...     for c, v in [("short", "saw"), ("long", "investigated")]]
    >>> stimuli = pd.DataFrame(rows, columns=["item_id", "condition", "text"])
    >>> found = pilot(stimuli, models=["ezreader"], measures=["sr"], readers=[8], pool=40, experiments=20,
    ...               surprisal="unigram")
    >>> found.effects[0].contrast, found.effects[0].effect < 0  # long words are skipped less
    ('long − short', True)
    """
    options = PilotOptions(**{name: _tuple(value) for name, value in chosen.items()})
    read_in = read_stimuli(stimuli, f"{options.contrast or ''} {options.formula or ''}")
    measures = tuple(planned_measure(name) for name in dict.fromkeys(options.measures))
    stated = read_effects(options.effects)
    plan = planned(read_in, options.contrast, options.formula)
    options = _possible(options, read_in, measures, stated)
    texts = [version.text for version in read_in.every]
    predictors = compute_predictors(texts, provider=options.surprisal, language=options.language)
    keeper = Keeper(Path(out) / "pieces" if out else None, jobs=jobs, scheduler=scheduler, quiet=quiet)
    lesson = Lesson(
        read_in, measures, _surprisals(predictors), options.language, options.seed, options.context
    )
    about = {name: lesson.readers(name).about for name in options.models}  # before the long work
    pools = _pools(keeper, options, lesson)
    found = {name: pool_effects(name, pool, plan, measures) for name, pool in pools.items()}
    if humans is not None:
        corpus = open_corpus(humans) if isinstance(humans, str | Path) else humans
        found = {HUMAN: human_effects(corpus, read_in, plan, measures)} | found
    components = {(name, *cell): c for name, own in found.items() for cell, c in own.components.items()}
    scales, columns = {m.name: m.scale for m in measures}, plan.columns("reader")
    spread = {name: lesson.readers(name).spread for name in options.models}
    used = {
        key: own.spread_out(spread.get(key[0], {}), scales[key[2]], columns)
        for key, own in components.items()
    }
    laboratory = Laboratory(plan, {m.name: m.kind for m in measures}, pools, used, options.seed)
    points = power_points(keeper, options, laboratory, found, stated, len(read_in.items))
    keeper.tidy()
    effects = [effect for own in found.values() for effect in own.effects]
    files = [read_in.path] if isinstance(stimuli, str | Path) else []
    return PilotResult(
        stimuli=read_in,
        options=options,
        contrasts=plan.contrasts.names,
        formula=plan.formula("{measure}"),
        about=about,
        confounds=confounds(read_in, plan.contrasts, predictors),
        effects=effects,
        power=points,
        agreement=agreements(effects),
        components=components,
        used=used,
        stated=stated,
        notes=_notes(options, read_in, predictors, found),
        surprisals=lesson.surprisals,
        provenance=provenance(seed=options.seed, inputs=files),
    )


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _possible(
    options: PilotOptions,
    stimuli: Stimuli,
    measures: Sequence[PlannedMeasure],
    stated: Sequence[StatedEffect],
) -> PilotOptions:
    """Refuse what the stimuli do not have; without a region the sentence takes its place."""
    names = [measure.name for measure in measures]
    for effect in stated:
        if effect.measure.name not in names:
            raise ScandlError(
                f"--effect of {effect.measure.name}, which is not among --measures {','.join(names)}"
            )
    if stimuli.has_region:
        return options
    if options.regions not in (("critical",), ("sentence",)):
        raise ScandlError(
            f"{stimuli.path}: no text marks a critical region, as --region {','.join(options.regions)} needs"
        )
    if not {"TFT", "tfc"} & {measure.ours for measure in measures}:
        raise ScandlError(
            f"{stimuli.path}: no text marks a critical region; whole sentences have TFT and tfc only"
        )
    return replace(options, regions=("sentence",))


def _surprisals(predictors: Predictors) -> Surprisals:
    """Return the surprisal of words for models that use it; word frequencies alone predict nothing."""
    if predictors.settings["surprisal"].get("provider", "") == "unigram":
        return ()
    return tuple(predictors.columns["surprisal"].items())


def _pools(keeper: Keeper, options: PilotOptions, lesson: Lesson) -> dict[str, ReadingPool]:
    """Return what the readers of each model have read."""
    tasks = [
        ReadTask(model, first, min(READERS_AT_ONCE, options.pool_size - first))
        for model in options.models
        for first in range(0, options.pool_size, READERS_AT_ONCE)
    ]
    texts = [(s.item_id, s.condition, s.text, s.region) for s in lesson.stimuli.every]
    names, surprisals = [m.name for m in lesson.measures], digest(lesson.surprisals)
    files = {m: sha256(m) for m in options.models if Path(m).exists()}
    made_from = [texts, names, surprisals, lesson.language, lesson.context, lesson.seed, files]
    parts = keeper.each("readings", read, lesson, tasks, made_from)
    return {
        model: joined([part for task, part in zip(tasks, parts, strict=True) if task.model == model])
        for model in options.models
    }


def _notes(
    options: PilotOptions, stimuli: Stimuli, predictors: Predictors, found: dict[str, SourceEffects]
) -> list[str]:
    n = len(stimuli.conditions)
    unbalanced = [balance_note(d.readers, d.items, n) for d in options.sizes(len(stimuli.items))]
    return [
        *predictors.notes,
        *dict.fromkeys(filter(None, unbalanced)),
        *(note for own in found.values() for note in own.notes),
    ]
