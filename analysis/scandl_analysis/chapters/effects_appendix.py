"""The appendix of a report on effects: how the regressions did, and what its words mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from scandl_analysis.chapters.result_tables import (
    READERS,
    EffectTables,
    ModelChecks,
    measure_words,
    records,
    row_colours,
    source_name,
    span,
    whole,
)
from scandl_analysis.effects.effect_table import listed
from scandl_analysis.glm.spec import QUICK_LOOK
from scandl_analysis.words.analysed_run import HALVES, HUMAN
from scandl_reports.document import Block, Column, Figure, Note, Section, Table, Term
from scandl_reports.figures.chart import About
from scandl_reports.figures.comparisons import Bin, rootogram_figure

COUNTED = {"mean by word length": "by length", "mean by reader": "by reader", "rootogram": "counts"}
"""Checks with many rows, of which a table says how many fail."""
TERMS = (
    Term(
        "ESS",
        "Effective sample size: how many independent draws the chains are worth, for means (bulk) "
        "and for the ends of intervals (tail); 400 are asked for.",
    ),
    Term("divergences", "Trajectories the sampler could not follow; any one casts doubt on the fit."),
    Term("E-BFMI", "How well the sampler explored the energy; above 0.3 is good."),
    Term(
        "outside",
        "Posterior predictive checks: mean outcomes of words of one length class or one reader, "
        "or numbers of words with 0, 1, 2 … fixations, that lie outside the 95 % interval of what the "
        "fitted model predicts. The model was fitted to the same words, so of a true one fewer than one in "
        "twenty lie outside; even a few are misfit.",
    ),
    Term(
        "dispersion",
        "Variance over mean of the counts. Where the words have more than the model predicts, "
        "its intervals are too narrow; where they have less, too wide.",
    ),
    Term(
        "prior predictive",
        "95 % interval of the mean outcome before any word is seen; flat priors have none.",
    ),
    Term(
        "VIF",
        "Variance inflation: how many times the variance of an effect is raised by the predictors' "
        "correlations.",
    ),
)

SAMPLED = "sampled"
EFFECT = {
    SAMPLED: "the posterior mean of a Bayesian regression",
    QUICK_LOOK: "the mean of a Laplace approximation to a Bayesian posterior, a quick look",
}
INTERVAL = {
    SAMPLED: "the 95 % equal-tailed interval of the posterior draws",
    QUICK_LOOK: "the 95 % equal-tailed interval of draws from the approximation",
}
MEASURES = (
    Term("sr", "Skipping rate: whether a word was not fixated in first pass."),
    Term(
        "fpr",
        "First-pass regression: whether the eyes left the word to the left after its first run of fixations.",
    ),
    Term("ffc", "First-pass fixation count: fixations of the first run on the word."),
    Term("tfc", "Total fixation count: all fixations of the word."),
)
RECOVERY = (
    Term(
        "effects shown",
        "Effects of the readers whose 95 % interval leaves out 0. Only these are judged: half of "
        "an effect that "
        "may be 0 is no margin.",
    ),
    Term(
        "margin",
        "How large a difference between a model and the readers would matter: half of the readers' effect, "
        "unless --margin says otherwise.",
    ),
    Term("equivalent", "With a probability of at least 95 %, the model's effect is inside the margin."),
    Term(
        "too weak", "With a probability of at least 95 %, it is below the margin; an effect of 0 always is."
    ),
    Term("too strong", "With a probability of at least 95 %, it is above the margin."),
    Term(
        "wrong sign", "With a probability of at least 95 %, it is on the other side of 0, outside the margin."
    ),
    Term("undecided", "None of these is 95 % probable: more words or readers would decide."),
    Term(
        "distance",
        "Squared differences of all effects from those of the readers, less the variance that "
        "noise adds, over "
        "the squared size of the readers' effects on the same measure. 0 is a model with the effects of the "
        "readers, 1 a reader without any effect; half of every effect is .25, effects of the "
        "wrong sign are 4. "
        "It neither rewards nor punishes a model for having many words.",
    ),
    Term(
        "more than the nearest",
        "95 % interval of the distance less that of the nearest model, with the same draws of the readers. A "
        "model is further away than the nearest where the interval leaves out 0.",
    ),
    Term(
        "of the slopes",
        "Differences of slopes on the logit and log scales, as published tables allow. They mix "
        "scales and hang "
        "on how much readers differ, so no verdict rests on them.",
    ),
)
R_HAT = Term(
    "R-hat",
    "Whether the chains agree (Vehtari et al., 2021): 1 when they do; above 1.01 the numbers are not to be "
    "used, and what rests on them is marked as not sampled well. Quick looks have no chains.",
)


def model_checks_section(found: ModelChecks, setting: str) -> Section:
    """Return the appendix; what is missing is said."""
    blocks: list[Block] = []
    for name, table, make in (
        ("diagnostics", found.diagnostics, _diagnostics),
        ("checks", found.checks, _checks),
        ("collinearity", found.collinearity, _collinearity),
        ("priors", found.priors, _priors),
    ):
        blocks += make(table, setting) if len(table) else [Note(f"There is no {name}.csv.", "missing")]
    return Section("Checks of the regressions", tuple(blocks), appendix=True, tab=setting)


def misfit_verdict(found: EffectTables) -> str:
    """Say where the regressions of the readers miss what matters for an effect; nothing where they do not.

    Counts that vary more or less than the family assumes have errors that are wrong. A measure is curved
    where its means by length are further from the predicted ones than half of its effect of length.
    """
    checks = found.checks.checks
    human = [row for row in records(checks) if row["model"] == HUMAN] if len(checks) else []
    effects = {
        (row["measure"], row["predictor"]): row
        for row in records(found.effects)
        if row["model"] == HUMAN and row.get("marginal") is not None
    }
    said = [_dispersed(row, effects) for row in human if row["check"] == "dispersion" and _misses(row)]
    curved = {
        measure_words(row["measure"]): None
        for row in human
        if row["check"] == "mean by word length" and _bends(row, effects.get((row["measure"], "word_length")))
    }
    if curved:
        said.append(f"The effect of length on {listed(list(curved))} is not straight.")
    return " ".join(said)


def _misses(row: Mapping[str, Any]) -> bool:
    return bool(row["observed"] < row["ci_low"] or row["observed"] > row["ci_high"])


def _dispersed(row: Mapping[str, Any], effects: Mapping[tuple[str, str], Mapping[str, Any]]) -> str:
    """Say how the variance of counts misses the family's, and what errors do that do not rest on it."""
    ratio = row["observed"] / row["expected"]
    name = measure_words(row["measure"])
    errors = [
        effect["robust_sd"] / effect["marginal_sd"]
        for (measure, _), effect in effects.items()
        if measure == row["measure"] and effect.get("robust_sd") and effect.get("marginal_sd")
    ]
    least, most = (f"{each:.1f}" for each in (min(errors, default=0.0), max(errors, default=0.0)))
    times = least if least == most else f"{least} to {most}"
    beside = f"; errors that do not assume it are {times} times as large" if errors else ""
    much = "less" if ratio < 1 else "more"
    return f"{name[0].upper()}{name[1:]} vary {much} than the regression assumes ({ratio:.2f} times){beside}."


def _bends(row: Mapping[str, Any], effect: Mapping[str, Any] | None) -> bool:
    """Return whether a class of lengths is further from its predicted mean than half of the effect."""
    if effect is None or not _misses(row):
        return False
    apart = abs(row["observed"] - row["expected"]) * (100 if effect["unit"] == "percentage points" else 1)
    return bool(apart > abs(effect["marginal"]) / 2)


def _diagnostics(table: pd.DataFrame, setting: str) -> list[Block]:
    if table["n_parameters"].isna().all():
        return [Note("These are quick looks: nothing was sampled, so there are no chains to diagnose.")]
    columns = (
        Column("model"),
        Column("measure"),
        Column("rows"),
        Column("engine"),
        Column("R-hat", "R-hat"),
        Column("ESS, bulk", "ESS"),
        Column("ESS, tail", "ESS"),
        Column("divergences", "divergences"),
        Column("E-BFMI", "E-BFMI"),
    )
    rows = tuple(
        (
            source_name(row["model"]),
            measure_words(row["measure"]),
            whole(row["n_rows"]),
            row["engine"],
            row["rhat"],
            whole(row["ess_bulk"]),
            whole(row["ess_tail"]),
            whole(row["divergences"]),
            row["e_bfmi"],
        )
        for row in records(table)
    )
    note = "The worst over all parameters, the readers' intercepts among them; quick looks have no chains."
    return [Table(f"How the chains did: {setting}", columns, rows, note, row_colours(rows))]


def _checks(table: pd.DataFrame, setting: str) -> list[Block]:
    shown = table[~table["model"].isin(HALVES)]
    if shown.empty:
        return [Note("There is no fit to check: nothing is estimable.")]
    columns = (
        Column("model"),
        Column("measure"),
        *(Column(name, "outside") for name in COUNTED.values()),
        Column("dispersion", "dispersion"),
        Column("predicted 95 %", "dispersion"),
        Column("prior 95 %", "prior predictive"),
    )
    rows = tuple(
        (
            source_name(str(model)),
            measure_words(str(measure)),
            *(_outside(part, check) for check in COUNTED),
            *_single(part, "dispersion"),
            _single(part, "prior predictive mean")[1],
        )
        for (model, measure), part in shown.groupby(["model", "measure"], sort=False)
    )
    title = f"Whether the regressions predict the words they were fitted to: {setting}"
    if all(row[-1] is None for row in rows):  # flat priors
        columns, rows = columns[:-1], tuple(row[:-1] for row in rows)
    note = "By length, by reader, counts: how many checks lie outside their 95 % interval."
    return [Table(title, columns, rows, note, row_colours(rows)), *_rootograms(shown, setting)]


def _outside(part: pd.DataFrame, check: str) -> str:
    rows = part[part["check"] == check]
    missed = (rows["observed"] < rows["ci_low"]) | (rows["observed"] > rows["ci_high"])
    return f"{int(missed.sum())} of {len(rows)}" if len(rows) else "–"


def _single(part: pd.DataFrame, check: str) -> tuple[float | None, tuple[float, float] | None]:
    for row in records(part[part["check"] == check]):
        return row["observed"], span(row["ci_low"], row["ci_high"])
    return None, None


def _rootograms(checks: pd.DataFrame, setting: str) -> list[Figure | Note]:
    """Draw the counts of the readers; those of models are in the table."""
    human = checks[(checks["model"] == HUMAN) & (checks["check"] == "rootogram")]
    if human.empty:  # no count of the readers was estimable
        return []
    panels = {
        f"{READERS}, {measure_words(str(measure))}": [
            Bin(row["observed"], row["expected"], (row["ci_low"], row["ci_high"])) for row in records(part)
        ]
        for measure, part in human.groupby("measure", sort=False)
    }
    about = About(
        f"Rootograms of the counts of the readers: {setting}",
        f"Bars of how many words the fitted models expect with each count, for {', '.join(panels)}; the "
        "observed numbers as an outline.",
        "Square roots, so that rare counts can be seen. Where the outline leaves the bars, the family is "
        "wrong for these counts.",
        ("ffc", "tfc", "outside"),
    )
    return [rootogram_figure(about, panels, x_label="fixations")]


def _collinearity(table: pd.DataFrame, setting: str) -> list[Block]:
    names = [name for name in table.columns if name.startswith("r(")]
    columns = (Column("predictor"), Column("VIF", "VIF"), *(Column(name) for name in names))
    rows = tuple((row["predictor"], row["vif"], *(row[name] for name in names)) for row in records(table))
    return [Table(f"Correlations of the predictors, words of the readers: {setting}", columns, rows)]


def _priors(table: pd.DataFrame, setting: str) -> list[Block]:
    """Return each prior once, with what it was given to."""
    rows = tuple(
        (
            str(parameter),
            str(prior),
            ", ".join(dict.fromkeys(part["measure"])),
            ", ".join(dict.fromkeys(map(source_name, part["model"]))),
        )
        for (parameter, prior), part in table.groupby(["parameter", "prior"], sort=False)
    )
    columns = (Column("parameter"), Column("prior"), Column("measures"), Column("sources"))
    return [Table(f"Priors: {setting}", columns, rows)]


def effect_terms(engines: Iterable[str]) -> tuple[Term, ...]:
    """Return the definitions for fits by these engines.

    >>> effect_terms(["hmc"])[2].definition
    'For an effect, the 95 % equal-tailed interval of the posterior draws.'
    """
    kinds = {engine if engine == QUICK_LOOK else SAMPLED: None for engine in engines}
    scale = "On the logit scale for skipping and regressing, on the log scale for counts and times."
    return (
        Term(
            "marginal effect",
            "What one standard deviation of a predictor, or one letter, step of frequency or bit "
            "of surprisal, "
            "adds to the mean outcome: the mean derivative over the words that the readers met, "
            "with readers, "
            "sentences and word tokens averaged over. In percentage points, fixations or ms.",
        ),
        Term("slope", f"Slope of a standardised predictor: {_told(kinds, EFFECT)}. {scale}"),
        Term("95 % (regression)", f"For an effect, {_told(kinds, INTERVAL)}."),
        *MEASURES,
        R_HAT,
        *RECOVERY,
    )


def _told(kinds: Iterable[str], said: dict[str, str]) -> str:
    """Return what is said of each kind, named where it is no posterior."""
    return "; ".join(said[kind] if kind == SAMPLED else f"with {kind}, {said[kind]}" for kind in kinds)
