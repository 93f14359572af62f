"""The page of a regression by formula: what it says, the forest plot, every number, how it was fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scandl_analysis.chapters.result_tables import records, span
from scandl_analysis.formulas.regression import SCALES
from scandl_reports.document import Cell, Column, Finding, Report, Section, Table, Term, Text
from scandl_reports.figures.chart import About
from scandl_reports.figures.estimates import Estimate, Panel, interval_figure

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
        [Panel(f"{found.fit.glm.measure}, {scale}", estimates, Estimate(0.0))],
        reference_name="no effect",
    )
    said = tuple(Text(f"{note}.") for note in found.notes)
    return Report(
        f"Regression of {found.fit.glm.measure}",
        str(found.formula),
        (Finding("Effects", verdict(effects)),),
        (Section("Effects", (figure, _table(table))), Section("How it was fitted", said, appendix=True)),
        TERMS,
        provenance,
    )


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
