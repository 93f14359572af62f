"""The page of a formula: what it says is what the summary has."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.chapters.recovery_chapter import group_block
from scandl_analysis.chapters.regression_chapter import regression_report
from scandl_analysis.formulas.regression import Regression, fit
from scandl_reports.plain import to_plain


@pytest.fixture(scope="module")
def found() -> Regression:
    rng = np.random.default_rng(1)
    condition = np.tile(["easy", "hard"], 200)
    x = rng.normal(size=400)
    ms = np.exp(5.4 + 0.2 * (condition == "hard") + 0.0 * x + rng.normal(0, 0.2, 400))
    words = pd.DataFrame({"TFT": ms, "condition": condition, "x": x})
    words.attrs["notes"] = ["surprisal: none"]
    return fit("TFT ~ condition + x", words, engine="laplace", draws=200)


def test_the_page_says_what_the_summary_has(found: Regression) -> None:
    report = regression_report(found)
    (name,) = [effect for effect in found.effects if effect.startswith("condition")]
    assert report.verdict[0].text.startswith("The 95 % intervals of 1 of 2 effects leave out 0")
    assert f"{name} above" in report.verdict[0].text
    text = to_plain(report)
    row = found.summary().loc[name]
    assert f"{row['mean']:.3f}" in text
    assert "surprisal: none." in text
    assert "lognormal, 400 rows, engine laplace" in text
    assert "95 % in ms" in text


def test_groups_are_a_table_where_there_are_any() -> None:
    assert group_block(pd.DataFrame(), "all") == []
    row = {
        "by": "group",
        "level": "L2",
        "measure": "sr",
        "predictor": "frequency",
        "mean": 0.1,
        "ci_low": 0.0,
        "ci_high": 0.2,
        "rhat": 1.0,
        "note": "",
        "unit": "percentage points",
        "marginal": 1.5,
        "marginal_low": 0.0,
        "marginal_high": 3.0,
    }
    _, table = group_block(pd.DataFrame([row]), "all")
    (cells,) = table.rows
    assert cells[0] == "L2"
    assert cells[2:7] == ("frequency", "1.5 [0.0, 3.0]", 0.1, (0.0, 0.2), 1.0)
    assert table.title.startswith("Effects by group")
