"""The chapter of a report on effects: what readers show, what models show, how far they are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from scandl.files.results import provenance
from scandl_analysis.chapters.effects_appendix import TERMS as CHECK_TERMS
from scandl_analysis.chapters.effects_appendix import effect_terms, model_checks_section
from scandl_analysis.chapters.recovery_chapter import (
    group_block,
    readers_verdict,
    recovery_block,
    recovery_verdict,
)
from scandl_analysis.chapters.result_tables import (
    EFFECTS,
    READERS,
    EffectTables,
    ModelChecks,
    records,
    row_colours,
    source_name,
    span,
    whole,
)
from scandl_analysis.chapters.times_chapter import TERMS, times_finding, times_section
from scandl_analysis.effects import recovery
from scandl_analysis.effects.effect_table import WARNING, edge_verdict
from scandl_analysis.effects.recovery import SPLIT_HALF, RecoverySummary, summarise_recovery
from scandl_analysis.glm.spec import FAMILIES, QUICK_LOOK
from scandl_analysis.published_numbers import (
    EFFECTS_CORPUS,
    EFFECTS_SETTING,
    PublishedEffect,
    our_name,
    published_effects,
    published_note,
)
from scandl_analysis.words.analysed_run import HALVES, HUMAN
from scandl_analysis.words.word_table import PREVIOUS, items_compared
from scandl_reports.document import (
    Block,
    Cell,
    Column,
    Figure,
    Finding,
    Note,
    Report,
    Section,
    Table,
    Term,
    Text,
    provenance_rows,
)
from scandl_reports.figures import estimates
from scandl_reports.figures.chart import About
from scandl_reports.figures.comparisons import shares_figure
from scandl_reports.figures.estimates import Estimate, heatmap_figure

if TYPE_CHECKING:
    from scandl_analysis.effects.psycholing import Psycholing

MEASURES = tuple(FAMILIES)
"""The measures of the paper; times have a chapter of their own."""
SHIFTED = "Their surprisal rests on a slip in the alignment of tokens to words (--alignment scandl-v1)."


def build_effects_report(found: EffectTables) -> Report:
    """Return the report of one analysis alone."""
    engines = set(found.effects["engine"].astype(str))
    quick = engines == {QUICK_LOOK}
    kind = f"{'Laplace approximations of ' * quick}Bayesian regressions{', a quick look,' * quick}"
    return Report(
        f"Effects of words on reading: {found.setting}",
        f"{kind} of reading measures on word length, frequency and surprisal, readers and models",
        tuple(effects_findings(found)),
        (*effects_sections(found), model_checks_section(found.checks, found.setting)),
        (*effects_terms([found]), *CHECK_TERMS),
        provenance_of([found.folder / EFFECTS] if found.folder else []),
    )


def build_psycholing_report(found: Psycholing) -> Report:
    """Return the report of an analysis that was just made."""
    notes = (*found.notes, *found.warnings)
    checks = ModelChecks(found.diagnostics, found.checks, found.collinearity, found.priors)
    effects = EffectTables(
        None,
        found.effects,
        found.recovery,
        found.recovery_summary,
        found.words,
        checks,
        notes,
        found.edges,
        found.time_summary,
        found.groups,
    )
    return replace(build_effects_report(effects), provenance=provenance_rows(found.provenance.as_dict()))


def provenance_of(tables: Sequence[Path]) -> tuple[tuple[str, str], ...]:
    """Return the command and the hashes of the tables the chapters were made of."""
    return tuple(
        (f"report {name}", value) for name, value in provenance_rows(provenance(inputs=tables).as_dict())
    )


def effects_sections(found: EffectTables) -> list[Section]:
    """Return the chapter on effects and, where times were regressed, the one on times."""
    sections = [effects_section(found)]
    if has_times(found.effects):
        times = tuple(dict.fromkeys(m for m in found.effects["measure"] if m not in FAMILIES))
        plots = [_forest(found, names, times) for names in found.predictors]
        sections.append(times_section(plots, found.words, found.times, found.setting))
    return sections


def effects_findings(found: EffectTables) -> list[Finding]:
    """Return what the effects say, and what the times say where there are models with times."""
    findings = [Finding("Effects", " ".join(effects_sentences(found)))]
    if len(found.times) and any(row["cells"] for row in records(found.times)):
        quick = set(found.effects["engine"]) <= {QUICK_LOOK}
        findings.append(times_finding(found.effects, found.times, quick=quick))
    return findings


def effects_section(found: EffectTables) -> Section:
    """Return the chapter: forest plot, differences, distributions, then every number."""
    blocks: list[Block] = [
        Text(" ".join(effects_sentences(found))),
        *(_forest(found, names, MEASURES) for names in found.predictors),
        *recovery_block(
            found.summary, _published_recovery(found), f"Recovery of the readers' effects: {found.setting}"
        ),
    ]
    more: list[Block] = [
        *(_heatmap(found, names) for names in found.predictors),
        *_distributions(found),
        *_edge_table(found),
        *group_block(found.groups, found.setting),
        _effects_table(found),
        *(Text(f"{note}.") for note in found.notes),
    ]
    return Section("Effects", tuple(blocks), more=tuple(more), tab=found.setting)


def effects_sentences(found: EffectTables) -> list[str]:
    """Say in words whether the models show the effects of the readers; the first sentence stands alone."""
    human = found.effects[found.effects["model"] == HUMAN]
    quick = set(found.effects["engine"]) <= {QUICK_LOOK}
    if not any(model not in (HUMAN, *HALVES) for model in found.effects["model"]):
        said = [readers_verdict(human)]
    else:
        untimed = human[human["measure"].isin(MEASURES)] if human["measure"].isin(MEASURES).any() else human
        said = recovery_verdict(found.summary, int(untimed["mean"].notna().sum()), quick=quick)
    return [*said, *filter(None, [edge_verdict(found.edges)])]


def effects_terms(analyses: Sequence[EffectTables]) -> tuple[Term, ...]:
    """Return the definitions that the chapters of these analyses need."""
    rows = [row for found in analyses for row in records(found.effects)]
    clear = any("clear" in found.summary for found in analyses)
    timed = any(has_times(found.effects) for found in analyses)
    terms = effect_terms([str(row["engine"]) for row in rows], clear=clear)
    return (*terms, *(TERMS if timed else ()))


def _forest(found: EffectTables, predictors: tuple[str, ...], measures: tuple[str, ...]) -> Figure | Note:
    what = "reading" if measures == MEASURES else "times"
    effects: dict[str, dict[estimates.Cell, Estimate]] = {}
    for row in records(found.effects):
        if row["predictor"] not in predictors or row["measure"] not in measures or row["mean"] is None:
            continue
        if row["model"] not in HALVES:
            cell = estimates.Cell(row["measure"], row["predictor"])
            effects.setdefault(source_name(row["model"]), {})[cell] = Estimate(
                row["mean"], (row["ci_low"], row["ci_high"]), doubtful=WARNING in (row.get("note") or "")
            )
    about = About(
        f"Effects of {_whose(predictors)} on {what}: {found.setting}",
        f"Forest plot: effects with 95 % intervals of the readers and {len(effects) - 1} models, a panel for "
        "each measure and predictor.",
        "A model that reads like the readers has its intervals where theirs are, on the same side of "
        "zero. An effect that cannot be estimated is not drawn; a hollow one was not sampled well."
        + _whose_words(found),
        ("effect", *measures),
    )
    return estimates.forest_figure(about, effects, measures=measures, predictors=predictors)


def _whose_words(found: EffectTables) -> str:
    """Return what a caption says where the rows of the readers are of other items than the models'."""
    said = "" if found.words.empty else items_compared(found.words)
    return f" {said[0].upper()}{said[1:]}." if said else ""


def _whose(predictors: tuple[str, ...]) -> str:
    return "previous words" if predictors[0] in PREVIOUS else "words"


def _heatmap(found: EffectTables, predictors: tuple[str, ...]) -> Figure | Note:
    cells = [(measure, predictor) for measure in MEASURES for predictor in predictors]
    rows: dict[str, list[float | None]] = {}
    marks = {}
    for row in records(found.recovery):
        model = source_name(SPLIT_HALF if row["model"] in HALVES else str(row["model"]))
        if row["predictor"] not in predictors or row["measure"] not in MEASURES:
            continue
        k = cells.index((row["measure"], row["predictor"]))
        rows.setdefault(model, [None] * len(cells))[k] = row["human_minus_model"]
        if row["human_minus_model"] is not None and (row["ci_low"] > 0 or row["ci_high"] < 0):
            marks[model, k] = "*"
        if row["human_minus_model"] is not None and WARNING in (row.get("note") or ""):
            marks[model, k] = marks.get((model, k), "") + "!"
    about = About(
        f"How far the effects of {_whose(predictors)} are apart: {found.setting}",
        f"Heat map of readers − model for {len(rows)} sources and {len(cells)} effects.",
        "Readers − model: orange where the model's effect is too low, blue where it is too high; * the 95 % "
        "interval leaves out 0; ! a fit was not sampled well; – not estimable. The split-half row is one "
        "half of the readers against the other, for scale.",
        ("readers − model",),
    )
    short = {name: name.removeprefix("previous_").removeprefix("word_") for name in predictors}
    labels = [f"{measure}\n{short[predictor]}" for measure, predictor in cells]
    return heatmap_figure(about, labels, rows, marks)


def _edge_table(found: EffectTables) -> list[Table]:
    """Return the effects of the readers without and with the edges of sentences, where both are known."""
    if found.edges.empty:
        return []
    columns = ("measure", "predictor", "inside sentences", "95 %", "all words", "95 %", "note")
    rows = [
        (
            row["measure"],
            row["predictor"],
            row["inside"],
            span(row["inside_low"], row["inside_high"]),
            row["all"],
            span(row["all_low"], row["all_high"]),
            row["note"] or None,
        )
        for row in records(found.edges)
    ]
    below = "Inside: without first and last words, as everywhere else here. All words: a quick look."
    return [
        Table(
            f"Effects of the readers and the edges of sentences: {found.setting}",
            tuple(map(Column, columns)),
            tuple(rows),
            below,
            row_colours(rows),
        )
    ]


def _effects_table(found: EffectTables) -> Table:
    """Return every effect, with the published one of the same source beside it where there is one."""
    columns = (
        Column("model"),
        Column("measure"),
        Column("predictor"),
        Column("effect", "effect"),
        Column("95 %", "95 % (regression)"),
        Column("R-hat", "R-hat"),
        Column("rows"),
        Column("note"),
    )
    printed = {
        (our_name(e.source), e.measure, e.predictor): f"{e.mean:.2f} [{e.ci_low:.2f}, {e.ci_high:.2f}]"
        for e in _published(found)
    }
    rows: list[tuple[Cell, ...]] = []
    for row in records(found.effects):
        if row["model"] in HALVES:  # they stand in the file, and here for the ceiling only
            continue
        name = row["model"], row["measure"], row["predictor"]
        beside = (printed.get(name, "–").replace("-", "−"),) if printed else ()
        interval = span(row["ci_low"], row["ci_high"])
        note = row.get("note") or ""
        rows.append(
            (
                source_name(name[0]),
                *name[1:],
                row["mean"],
                interval,
                row["rhat"],
                whole(row["n_rows"]),
                note,
                *beside,
            )
        )
    below = f"Published: {published_note()}. {SHIFTED}" if printed else ""
    heads = (*columns, Column(f"published ({EFFECTS_CORPUS})")) if printed else columns
    return Table(f"All effects: {found.setting}", heads, tuple(rows), below, row_colours(rows))


def _published(found: EffectTables) -> tuple[PublishedEffect, ...]:
    """Return the printed effects where the setting is theirs."""
    return published_effects() if set(found.effects["setting"]) == {EFFECTS_SETTING} else ()


def _published_recovery(found: EffectTables) -> list[RecoverySummary]:
    means: dict[str, dict[recovery.Cell, float]] = {}
    for each in _published(found):
        means.setdefault(our_name(each.source), {})[each.measure, each.predictor] = each.mean
    human = means.pop(HUMAN, {})
    return [summarise_recovery(human, theirs, name=name) for name, theirs in means.items()]


def _distributions(found: EffectTables, most: int = 4) -> list[Figure | Note]:
    """Draw how often words have no, one, two … fixations, for readers and models."""
    if found.words.empty:
        return [Note(f"No distributions of measures: {found.folder} has no words.csv.", "missing")]
    classes = [str(k) if k < most else f"≥{most}" for k in range(most + 1)]
    drawn = []
    for measure, what in (("tfc", "fixations of a word"), ("ffc", "fixations of a word's first run")):
        counts = pd.to_numeric(found.words[measure]).dropna().clip(upper=most).astype(int)
        by_source = pd.crosstab(found.words.loc[counts.index, "source"], counts, normalize="index")
        shares = {
            str(name): [float(row.get(k, 0.0)) for k in range(most + 1)] for name, row in by_source.iterrows()
        }
        human = shares.pop(HUMAN, None)
        about = About(
            f"Distribution of {what}: {found.setting}",
            f"Bars of the share of words by number of {what}, for {len(shares)} models, the readers as an "
            "outline.",
            f"{measure}: {what}.",
            (measure,),
        )
        drawn.append(
            shares_figure(about, classes, (READERS, human or []), shares if human else {}, x_label=what)
        )
    return drawn


def has_times(effects: pd.DataFrame) -> bool:
    """Say whether times were regressed.

    >>> has_times(pd.DataFrame({"measure": ["sr", "FPRT"]})), has_times(pd.DataFrame({"measure": ["sr"]}))
    (True, False)
    """
    return any(measure not in FAMILIES for measure in effects["measure"])
