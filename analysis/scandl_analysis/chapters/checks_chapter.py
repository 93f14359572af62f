"""The appendix of a report on effects: how the regressions were sampled, and whether they fit the words."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from scandl_analysis.chapters.result_tables import (
    READERS,
    read_numbers,
    records,
    row_colours,
    source_name,
    span,
    whole,
)
from scandl_analysis.words.readings import HALVES, HUMAN
from scandl_reports.document import Block, Column, Figure, Note, Section, Table, Term
from scandl_reports.figures.chart import About
from scandl_reports.figures.distributions import Bin, rootogram_figure

COUNTED = {"mean by word length": "by length", "mean by reader": "by reader", "rootogram": "counts"}
"""Checks with many rows, of which a table says how many fail."""
TERMS = (
    Term("ESS", "Effective sample size: how many independent draws the chains are worth, for means (bulk) "
         "and for the ends of intervals (tail); 400 are asked for."),
    Term("divergences", "Trajectories the sampler could not follow; any one casts doubt on the fit."),
    Term("E-BFMI", "How well the sampler explored the energy; above 0.3 is good."),
    Term("outside", "Posterior predictive checks: mean outcomes of words of one length class or one reader, "
         "or numbers of words with 0, 1, 2 … fixations, that lie outside the 95 % interval of what the "
         "fitted model predicts. The model was fitted to the same words, so of a true one fewer than one in "
         "twenty lie outside; a few already are misfit."),
    Term("dispersion", "Variance over mean of the counts. Where the words have more than the model predicts, "
         "its intervals are too narrow; where they have less, too wide."),
    Term("prior predictive", "95 % interval of the mean outcome before any word is seen; flat priors have "
         "none."),
    Term("VIF", "Variance inflation: how many times the variance of an effect is raised by the predictors' "
         "correlations."),
)  # fmt: skip


@dataclass(frozen=True)
class ModelChecks:
    """The tables that say whether the regressions can be believed; one that was not written is empty."""

    diagnostics: pd.DataFrame
    checks: pd.DataFrame
    collinearity: pd.DataFrame
    priors: pd.DataFrame


def read_model_checks(folder: Path) -> ModelChecks:
    """Read the tables of an analysis."""
    names = ("diagnostics", "checks", "collinearity", "priors")
    return ModelChecks(*(read_numbers(folder / f"{name}.csv") for name in names))


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
        Column("model"), Column("measure"), Column("rows"), Column("engine"), Column("R-hat", "R-hat"),
        Column("ESS, bulk", "ESS"), Column("ESS, tail", "ESS"), Column("divergences", "divergences"),
        Column("E-BFMI", "E-BFMI"),
    )  # fmt: skip
    rows = tuple(
        (source_name(row["model"]), row["measure"], whole(row["n_rows"]), row["engine"], row["rhat"],
         whole(row["ess_bulk"]), whole(row["ess_tail"]), whole(row["divergences"]), row["e_bfmi"])
        for row in records(table)
    )  # fmt: skip
    note = "The worst over all parameters, the readers' intercepts among them; quick looks have no chains."
    return [Table(f"How the chains did: {setting}", columns, rows, note, row_colours(rows))]


def _checks(table: pd.DataFrame, setting: str) -> list[Block]:
    shown = table[~table["model"].isin(HALVES)]
    if shown.empty:
        return [Note("There is no fit to check: nothing is estimable.")]
    columns = (
        Column("model"), Column("measure"),
        *(Column(name, "outside") for name in COUNTED.values()),
        Column("dispersion", "dispersion"), Column("predicted 95 %", "dispersion"),
        Column("prior 95 %", "prior predictive"),
    )  # fmt: skip
    rows = tuple(
        (source_name(str(model)), str(measure), *(_outside(part, check) for check in COUNTED),
         *_single(part, "dispersion"), _single(part, "prior predictive mean")[1])
        for (model, measure), part in shown.groupby(["model", "measure"], sort=False)
    )  # fmt: skip
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
