"""The page of a regression by formula: what it says, the forest plot, every number, how it was fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scandl_analysis.chapters.result_tables import records, span
from scandl_analysis.formulas.marginal_means import unit_of_outcome
from scandl_analysis.formulas.predictive import new_outcomes
from scandl_analysis.formulas.regression import SCALES
from scandl_reports.document import Cell, Column, Figure, Finding, Note, Report, Section, Table, Term, Text
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, EstimatePanel, curves_figure, interval_figure

if TYPE_CHECKING:
    import pandas as pd

    from scandl_analysis.formulas.regression import Regression

TERMS = (
    Term("effect", "Posterior mean of a slope: what one unit of the predictor adds on the model's scale."),
    Term("95 % (regression)", "The 95 % equal-tailed interval of the posterior draws."),
    Term("R-hat", "Whether the chains agree (Vehtari et al., 2021): above 1.01 a number is not to be used."),
    Term("ms", "Of log-normal times: what one unit adds in ms, at the mean of all predictors."),
)


def regression_report(found: Regression, provenance: tuple[tuple[str, str], ...] = ()) -> Report:
    """Return the report of a fitted formula."""
    table = found.summary().reset_index()
    effects = table[table["parameter"].isin(found.effects)]
    scale = SCALES[found.fit.glm.family]
    about = About(
        f"Effects on {found.fit.glm.measure}",
        f"Forest plot: {len(effects)} effects with 95 % intervals.",
        f"Scale: {scale}. An interval that leaves out 0 tells the sign of the effect.",
        ("effect",),
    )
    estimates = {
        row["parameter"]: Estimate(row["mean"], (row["ci_low"], row["ci_high"])) for row in records(effects)
    }
    figure = interval_figure(
        about,
        [EstimatePanel(f"{found.fit.glm.measure}, {scale}", estimates, Estimate(0.0))],
        reference_name="no effect",
        look_of=found.fit.glm.measure,
    )
    said = tuple(Text(f"{note}.") for note in found.notes)
    return Report(
        f"Regression of {found.fit.glm.measure}",
        str(found.formula),
        (Finding("Effects", verdict(effects)),),
        (
            *_means(found),
            Section("Effects", (figure, _table(table))),
            Section("Model and data", (_predictive(found),), appendix=True),
            Section("How it was fitted", (*said, _priors(found)), appendix=True),
        ),
        TERMS,
        provenance,
    )


def _means(found: Regression) -> tuple[Section, ...]:
    """Return the means of cells and the curves, where the formula has factors or columns of numbers."""
    measure, parts = found.formula.response, []
    means = found.means()
    if means is not None:
        table = means.table()
        names = [", ".join(cell) for cell in means.draws]
        about = About(
            f"Means of {measure} by {' and '.join(means.factors)}",
            f"{len(names)} means of the model with 95 % intervals, beside those of the data.",
            "Left: the model, averaged over readers, items and the other predictors. Right: the data, with "
            "intervals within readers.",
        )
        of_model = {
            name: Estimate(row["mean"], (row["ci_low"], row["ci_high"]))
            for name, row in zip(names, records(table), strict=True)
        }
        timed = "observed_low" in table
        of_data = {
            name: Estimate(row["observed"], (row["observed_low"], row["observed_high"]) if timed else None)
            for name, row in zip(names, records(table), strict=True)
        }
        panels = [
            EstimatePanel(f"model, {means.unit}", of_model),
            EstimatePanel(f"data, {means.unit}", of_data),
        ]
        parts += [interval_figure(about, panels, look_of=measure), _contrasts(means.contrasts())]
    for name, table in found.curves().items():
        unit, _ = unit_of_outcome(found)
        points = [
            (row[name], Estimate(row["mean"], (row["ci_low"], row["ci_high"]))) for row in records(table)
        ]
        about = About(
            f"{measure} over {name}",
            f"The mean of {measure} over {name} with its 95 % interval.",
            "Averaged over readers, items and the other predictors.",
        )
        parts.append(curves_figure(about, {measure: points}, x_label=name, y_label=unit))
    return (Section(f"Means of {measure}", tuple(parts)),) if parts else ()


def _contrasts(table: pd.DataFrame) -> Table:
    heads = (
        Column("difference of means"),
        Column("mean"),
        Column("95 %"),
        Column("unit"),
        Column("P(direction)"),
    )
    rows = tuple(
        (row["contrast"], row["mean"], span(row["ci_low"], row["ci_high"]), row["unit"], row["p_direction"])
        for row in records(table)
    )
    return Table("Differences of means, and of differences", heads, rows)


def _predictive(found: Regression) -> Figure | Note:
    """Return the quantiles of outcomes drawn from the model beside those of the data."""
    shares = np.linspace(0.02, 0.98, 25)
    drawn = np.quantile(new_outcomes(found), shares, axis=1)
    data = np.quantile(found.words.frame[found.fit.glm.measure], shares)
    model = [
        (100 * share, Estimate(each.mean(), (np.quantile(each, 0.025), np.quantile(each, 0.975))))
        for share, each in zip(shares, drawn, strict=True)
    ]
    observed = [(100 * share, Estimate(each)) for share, each in zip(shares, data, strict=True)]
    about = About(
        "Outcomes that the model expects",
        "Quantiles of the outcome in the data and in data drawn from the model.",
        "Where the lines part, the model does not expect what was measured.",
    )
    measure = found.formula.response
    return curves_figure(about, {"data": observed, "model": model}, x_label="percentile", y_label=measure)


def _priors(found: Regression) -> Table:
    rows = tuple((name, prior) for name, prior in found.fit.prior_table.items())
    return Table("Priors in effect", (Column("parameter"), Column("prior")), rows)


def verdict(effects: pd.DataFrame) -> str:
    """Say which effects have a sign.

    >>> import pandas as pd
    >>> verdict(pd.DataFrame({"parameter": ["a", "b"], "ci_low": [0.1, -1.0], "ci_high": [0.3, 2.0]}))
    'The 95 % intervals of 1 of 2 effects leave out 0: a above.'
    """
    clear = [
        f"{row['parameter']} {'above' if row['ci_low'] > 0 else 'below'}"
        for row in records(effects)
        if row["ci_low"] * row["ci_high"] > 0
    ]
    start = f"The 95 % intervals of {len(clear)} of {len(effects)} effects leave out 0"
    return f"{start}: {', '.join(clear)}." if clear else f"{start}."


def _table(table: pd.DataFrame) -> Table:
    timed = "ms" in table
    heads = (
        Column("parameter"),
        Column("effect", "effect"),
        Column("sd"),
        Column("95 %", "95 % (regression)"),
        *((Column("ms", "ms"), Column("95 % in ms", "ms")) if timed else ()),
        Column("R-hat", "R-hat"),
        Column("bulk ESS"),
        Column("tail ESS"),
    )
    rows: list[tuple[Cell, ...]] = []
    for row in records(table):
        ms = (row["ms"], span(row["ms_low"], row["ms_high"])) if timed else ()
        ess = (None if each is None else round(each) for each in (row["ess_bulk"], row["ess_tail"]))
        rows.append(
            (
                row["parameter"],
                row["mean"],
                row["sd"],
                span(row["ci_low"], row["ci_high"]),
                *ms,
                row["rhat"],
                *ess,
            )
        )
    return Table("All parameters", heads, tuple(rows))
