"""The appendix of a report on effects: how the regressions did, and what its words mean."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from scandl_analysis.chapters.result_tables import (
    READERS,
    ModelChecks,
    records,
    row_colours,
    source_name,
    span,
    whole,
)
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
        "readers − model",
        "Difference of the two effects, draw by draw: 0 where the model shows the effect of the readers.",
    ),
    Term("same sign", "Effects of the model with the sign of the readers', of those that both have."),
    Term(
        "mean |readers − model|",
        "Mean absolute difference over all effects, its mean over the draws, to "
        "which the interval belongs. Noise adds to every absolute difference, so both lie above the "
        "difference of the means where effects are known poorly. For scale, two halves of the readers "
        "stand in the same table: they are no bound, because each half knows its effects worse than all "
        "readers together.",
    ),
    Term(
        "no effects",
        "A reader on whom no property of words has any effect: all its slopes are 0, so its "
        "differences are the effects of the readers themselves. To show these by this measure, a model has "
        "to be separably nearer than this reader.",
    ),
    Term(
        "less the nearest",
        "95 % interval of the mean absolute difference less that of the nearest model, "
        "draw by draw with the same draws of the readers, on effects that all models compared have. A "
        "model is separable from the nearest where it leaves out 0. Not given for models with fewer effects "
        "than others, for halves of the readers, and for quick looks, which have no posterior draws.",
    ),
    Term(
        "of the means",
        "Mean absolute difference of the effects as printed, without regard to how well "
        "they are known; so is the RMSE. Published tables allow no other.",
    ),
)
CLEAR = Term(
    "clear",
    "The same sign, of those effects only whose 95 % interval for the readers leaves out 0: the sign of "
    "the others is not known.",
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
            row["measure"],
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
            str(measure),
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
        f"{READERS} {measure}": [
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


def effect_terms(engines: Iterable[str], *, clear: bool = False) -> tuple[Term, ...]:
    """Return the definitions for fits by these engines; ``clear``: signs were counted where they are known.

    >>> effect_terms(["hmc"])[1].definition
    'For an effect, the 95 % equal-tailed interval of the posterior draws.'
    """
    kinds = {engine if engine == QUICK_LOOK else SAMPLED: None for engine in engines}
    scale = "On the logit scale for sr and fpr, on the log scale for ffc and tfc."
    return (
        Term("effect", f"Slope of a standardised predictor: {_told(kinds, EFFECT)}. {scale}"),
        Term("95 % (regression)", f"For an effect, {_told(kinds, INTERVAL)}."),
        *MEASURES,
        R_HAT,
        *RECOVERY,
        *([CLEAR] if clear else []),
    )


def _told(kinds: Iterable[str], said: dict[str, str]) -> str:
    """Return what is said of each kind, named where it is no posterior."""
    return "; ".join(said[kind] if kind == SAMPLED else f"with {kind}, {said[kind]}" for kind in kinds)
