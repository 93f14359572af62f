"""The chapter of a report on effects: what readers show, what models show, how far they are apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from scandl.files.results import provenance
from scandl_analysis.chapters.effects_appendix import TERMS as CHECK_TERMS
from scandl_analysis.chapters.effects_appendix import effect_terms, misfit_verdict, model_checks_section
from scandl_analysis.chapters.recovery_chapter import (
    group_block,
    own_note,
    readers_verdict,
    recovery_verdict,
    shared_note,
    slope_block,
    verdict_blocks,
)
from scandl_analysis.chapters.result_tables import (
    EFFECTS,
    READERS,
    EffectTables,
    ModelChecks,
    interval,
    measure_words,
    predictor_words,
    records,
    row_colours,
    source_name,
    span,
    unit_words,
    whole,
)
from scandl_analysis.chapters.times_chapter import TERMS, times_section
from scandl_analysis.effects.effect_table import WARNING
from scandl_analysis.effects.reader_effects import sensitivity_verdict
from scandl_analysis.effects.recovery import SPLIT_HALF, RecoverySummary, summarise_recovery
from scandl_analysis.effects.verdicts import EQUIVALENT, STRONG, UNDECIDED, WEAK, WRONG
from scandl_analysis.effects.verdicts import Cell as ProfileCell
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
MARKS = {EQUIVALENT: "=", WEAK: "<", STRONG: ">", WRONG: "×", UNDECIDED: "?"}
MOST_MARGINS = 3.0
"""From which on a cell of the heat map is cut off."""
SHIFTED = "Their surprisal rests on a slip in the alignment of tokens to words (--alignment scandl-v1)."


def build_effects_report(found: EffectTables) -> Report:
    """Return the report of one analysis alone."""
    engines = set(found.effects["engine"].astype(str))
    quick = engines == {QUICK_LOOK}
    kind = f"{'Laplace approximations of ' * quick}Bayesian regressions{', a quick look,' * quick}"
    return Report(
        f"Effects of words on reading: {found.setting}",
        f"{kind} of reading measures on word length, frequency and surprisal, readers"
        f"{' and models' * _has_models(found)}",
        tuple(effects_findings(found)),
        (*effects_sections(found), model_checks_section(found.checks, found.setting)),
        (*effects_terms([found]), *CHECK_TERMS),
        provenance_of([found.folder / EFFECTS] if found.folder else []),
    )


def build_psycholing_report(found: Psycholing) -> Report:
    """Return the report of an analysis that was just made."""
    report = build_effects_report(effect_tables(found))
    return replace(report, provenance=provenance_rows(found.provenance.as_dict()))


def effect_tables(found: Psycholing) -> EffectTables:
    """Return the tables of an analysis that was just made, as the chapters read them."""
    return EffectTables(
        None,
        found.effects,
        found.recovery,
        found.recovery_summary,
        found.words,
        ModelChecks(found.diagnostics, found.checks, found.collinearity, found.priors),
        (*found.notes, *found.warnings),
        found.sensitivity,
        found.time_summary,
        found.groups,
        margin=str(found.options.margins),
    )


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
        blocks: list[Block] = [_forest(found, names, times) for names in found.predictors]
        timed = (
            found.recovery[~found.recovery["measure"].isin(MEASURES)]
            if len(found.recovery)
            else found.recovery
        )
        title = f"Verdicts on effects on times: {found.setting}"
        blocks += verdict_blocks(timed, found.times, title, found.margin) if _times_compared(found) else []
        sections.append(times_section(blocks, found.words, found.setting))
    return sections


def effects_findings(found: EffectTables) -> list[Finding]:
    """Return what the effects say, and what the times say where there are models with times."""
    findings = [Finding("Effects", effects_verdict(found))]
    if _times_compared(found):
        findings.append(Finding("Times", recovery_verdict(found.times, found.who)))
    findings += [Finding("Definitions", said) for said in [_turned_signs(found)] if said]
    return [*findings, *(Finding("Misfit", said) for said in [misfit_verdict(found)] if said)]


def effects_section(found: EffectTables) -> Section:
    """Return the chapter: forest plot, differences, distributions, then every number."""
    counted = (
        found.recovery[found.recovery["measure"].isin(MEASURES)] if len(found.recovery) else found.recovery
    )
    title = f"Verdicts on the effects of words: {found.setting}"
    blocks: list[Block] = [*(_forest(found, names, MEASURES) for names in found.predictors)]
    if not _has_models(found):
        blocks.append(_effects_table(found))
    else:
        blocks += verdict_blocks(counted, found.summary, title, found.margin)
        blocks += slope_block(
            found.summary, _published_recovery(found), f"Slopes beside published ones: {found.setting}"
        )
    blocks += group_block(found.groups, found.setting)
    more: list[Block] = [
        *(_heatmap(found, names) for names in found.predictors if _has_models(found)),
        *_distributions(found),
        *_sensitivity_table(found),
        *([_effects_table(found)] if _has_models(found) else []),
        *(Text(f"{note}.") for note in found.notes),
    ]
    return Section("Effects", tuple(blocks), more=tuple(more), tab=found.setting)


def effects_verdict(found: EffectTables) -> str:
    """Say in words whether the models show the effects of the readers; the first sentence stands alone."""
    if not _has_models(found):
        return readers_verdict(found.effects[found.effects["model"] == HUMAN], found.who)
    return recovery_verdict(found.summary, found.who)


def _turned_signs(found: EffectTables) -> str:
    """Say in words which signs hang on the definition of a measure or on the edges of sentences."""
    if found.sensitivity.empty:
        return ""
    names = {"measure": measure_words, "predictor": predictor_words}
    return sensitivity_verdict(
        found.sensitivity.assign(**{name: found.sensitivity[name].map(word) for name, word in names.items()})
    )


def _times_compared(found: EffectTables) -> bool:
    return any(row.get("minus_none") is not None for row in records(found.times))


def _has_models(found: EffectTables) -> bool:
    return any(model not in (HUMAN, *HALVES) for model in found.effects["model"])


def effects_terms(analyses: Sequence[EffectTables]) -> tuple[Term, ...]:
    """Return the definitions that the chapters of these analyses need."""
    rows = [row for found in analyses for row in records(found.effects)]
    timed = any(has_times(found.effects) for found in analyses)
    terms = effect_terms([str(row["engine"]) for row in rows])
    return (*terms, *(TERMS if timed else ()))


def _forest(found: EffectTables, predictors: tuple[str, ...], measures: tuple[str, ...]) -> Figure | Note:
    what = "reading" if measures == MEASURES else "times"
    effects: dict[str, dict[estimates.Cell, Estimate]] = {}
    titles: dict[estimates.Cell, str] = {}
    for row in records(found.effects):
        if row["predictor"] not in predictors or row["measure"] not in measures or row["natural"] is None:
            continue
        if row["model"] not in HALVES:
            cell = estimates.Cell(row["measure"], row["predictor"])
            words = unit_words(row)
            titles[cell] = words.replace(*((", ", "\n") if ", " in words else (" per ", "\nper ")), 1)
            effects.setdefault(source_name(row["model"]), {})[cell] = Estimate(
                row["natural"],
                (row["natural_low"], row["natural_high"]),
                doubtful=WARNING in (row.get("note") or ""),
            )
    about = About(
        f"Effects of {_whose(predictors)} on {what}: {found.setting}",
        f"Forest plot: marginal effects with 95 % intervals of the readers"
        f"{f' and {len(effects) - 1} models' * _has_models(found)}, a panel for each measure and predictor.",
        "What a letter, a step of frequency or a bit of surprisal adds, averaged over words and readers. "
        + "A model that reads like the readers has its intervals where theirs are. " * _has_models(found)
        + "An effect that cannot be "
        "estimated is not drawn; a hollow one was not sampled well." + _whose_words(found),
        ("marginal effect", *measures),
    )
    return estimates.forest_figure(about, effects, measures=measures, predictors=predictors, titles=titles)


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
        if (row["measure"], row["predictor"]) not in cells:
            continue
        k = cells.index((row["measure"], row["predictor"]))
        own = rows.setdefault(model, [None] * len(cells))
        if row["verdict"] in MARKS and row["margin"]:
            direction = 1.0 if row["readers"] > 0 else -1.0
            beyond = direction * (row["model_effect"] - row["readers"]) / row["margin"]
            own[k] = max(-MOST_MARGINS, min(MOST_MARGINS, beyond))
            marks[model, k] = MARKS[row["verdict"]] + "!" * (WARNING in (row.get("note") or ""))
    about = About(
        f"How far the effects of {_whose(predictors)} are apart: {found.setting}",
        f"Heat map of model − readers in margins for {len(rows)} sources and {len(cells)} effects.",
        f"Model − readers in margins, cut off at {MOST_MARGINS:g}: blue is too weak, orange too strong. = "
        "equivalent, < too weak, > too strong, × wrong sign, ? undecided; ! a fit was not "
        "sampled well; – the "
        "readers show no effect, or that of the model cannot be estimated.",
        ("margin",),
    )
    labels = [f"{measure_words(measure)}\n{predictor_words(predictor)}" for measure, predictor in cells]
    return heatmap_figure(about, labels, rows, marks)


def _sensitivity_table(found: EffectTables) -> list[Table]:
    """Return the effects of the readers by definition of the measure and edges of sentences."""
    if found.sensitivity.empty:
        return []
    columns = ("measure, unit", "per SD of", "definition", "first and last words", "marginal effect", "note")
    rows = [
        (
            unit_words(row),
            predictor_words(row["predictor"]),
            row["definition"],
            row["edges"],
            interval({**row, "marginal_low": row["low"], "marginal_high": row["high"]}, "marginal"),
            row["note"] or None,
        )
        for row in records(found.sensitivity)
    ]
    below = "The first row of each effect is that of the analysis; the others are quick looks."
    title = f"Effects of the readers by definition and edges of sentences: {found.setting}"
    return [Table(title, tuple(map(Column, columns)), tuple(rows), below)]


def _effects_table(found: EffectTables) -> Table:
    """Return every effect, with the published slope of the same source beside it where there is one."""
    columns = (
        Column("model"),
        Column("measure"),
        Column("predictor"),
        Column("per SD", "marginal effect"),
        Column("natural unit"),
        Column("per natural unit", "marginal effect"),
        Column("slope", "slope"),
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
    of_all = shared_note(records(found.effects))
    for row in records(found.effects):
        if row["model"] in HALVES:  # they stand in the file, and here for the scale only
            continue
        name = row["model"], row["measure"], row["predictor"]
        beside = (printed.get(name, "–").replace("-", "−"),) if printed else ()
        known = row["marginal"] is not None
        rows.append(
            (
                source_name(name[0]),
                unit_words({**row, "per": ""}),
                predictor_words(name[2]),
                interval(row, "marginal") if known else None,
                row["per"] or None,
                interval(row, "natural") if known else None,
                row["mean"],
                span(row["ci_low"], row["ci_high"]),
                row["rhat"],
                whole(row["n_rows"]),
                own_note(row, of_all) or "",
                *beside,
            )
        )
    below = f"Published slopes: {published_note()}. {SHIFTED}" if printed else ""
    heads = (*columns, Column(f"published slope ({EFFECTS_CORPUS})")) if printed else columns
    return Table(f"All effects: {found.setting}", heads, tuple(rows), below, row_colours(rows))


def _published(found: EffectTables) -> tuple[PublishedEffect, ...]:
    """Return the printed effects where the setting is theirs."""
    return published_effects() if set(found.effects["setting"]) == {EFFECTS_SETTING} else ()


def _published_recovery(found: EffectTables) -> list[RecoverySummary]:
    means: dict[str, dict[ProfileCell, float]] = {}
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
