"""Functions in formulas: the columns of formulae and of R, on random data, and laws of splines."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.formulas.formula import read_formula
from scandl_analysis.formulas.functions import bs, ns, poly
from scandl_analysis.formulas.model_frame import model_frame
from scandl_analysis.formulas.regression import fit


@pytest.fixture
def x() -> np.ndarray:
    return np.random.default_rng(5).gamma(3, 2, 80)


@pytest.mark.parametrize("text", ["y ~ poly(x, 3)", "y ~ bs(x, df=5)", "y ~ center(x) * cond"])
def test_columns_are_those_of_formulae(text: str, x: np.ndarray) -> None:
    design_matrices = pytest.importorskip("formulae").design_matrices
    data = pd.DataFrame({"x": x, "y": x, "cond": np.tile(["a", "b"], 40)})
    theirs = np.asarray(design_matrices(text, data).common.design_matrix)[:, 1:]
    ours = model_frame(read_formula(text), data)
    np.testing.assert_allclose(ours.frame[list(ours.glm.predictors)], theirs, atol=1e-9)


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_columns_are_those_of_r(x: np.ndarray, tmp_path: Path) -> None:
    np.savetxt(tmp_path / "x.csv", x)
    code = "x <- scan('x.csv', quiet = TRUE); library(splines);"
    code += "write.table(cbind(poly(x, 3), bs(x, 5), ns(x, 4), predict(ns(x, 4), x + 9)), 'm.csv', col.names = F, row.names = F)"
    subprocess.run(["Rscript", "-e", code], cwd=tmp_path, check=True, capture_output=True)
    natural = ns(x, 4)
    ours = np.column_stack([poly(x, 3)(x), bs(x, 5)(x), natural(x), natural(x + 9)])
    np.testing.assert_allclose(ours, np.loadtxt(tmp_path / "m.csv"), atol=1e-7)


def test_natural_splines_are_straight_beyond_the_data(x: np.ndarray) -> None:
    far = np.linspace(x.max(), x.max() + 5, 6)
    np.testing.assert_allclose(np.diff(ns(x, 4)(far), n=2, axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(
        np.diff(ns(x, 4)(2 * x.min() - x.min() - np.arange(5.0)), n=2, axis=0), 0, atol=1e-9
    )


def test_what_was_fitted_holds_for_other_rows(x: np.ndarray) -> None:
    data = pd.DataFrame({"x": x, "y": x, "cond": np.tile(["a", "b"], 40)})
    frame = model_frame(read_formula("y ~ scale(log(x)) * cond + s(x)"), data)
    columns = frame.columns_for(data[3:7])
    for name, values in columns.items():
        np.testing.assert_allclose(values, frame.frame[name][3:7])
    assert list(columns) == list(frame.glm.predictors)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y ~ poly(x, 0)", "poly(…, 0): expected a whole number from 1"),
        ("y ~ poly(n, 3)", "poly(…, 3): expected more than 3 different values"),
        ("y ~ ns(n, 3)", "a spline with 2 inner knots: expected that many different quantiles"),
        ("y ~ ns(x, x)", "ns(x, x): a function of one column and a number is expected"),
        ("poly(x, 2) ~ n", "poly(x, 2): one column is expected"),
    ],
)
def test_says_in_one_line_what_is_wrong(text: str, message: str, x: np.ndarray) -> None:
    data = pd.DataFrame({"x": x, "y": x, "n": np.tile([1.0, 2.0], 40)})
    with pytest.raises(ScandlError) as caught:
        model_frame(read_formula(text), data)
    assert str(caught.value) == message


def test_a_curved_truth_is_recovered() -> None:
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 6, 1500)
    truth = 5.3 + 0.3 * np.sin(x)
    data = pd.DataFrame({"ms": np.exp(truth + rng.normal(0, 0.3, 1500)), "x": x})
    found = fit("ms ~ ns(x, 5)", data, engine="laplace", draws=200, chains=2)
    grid = pd.DataFrame({"x": np.linspace(0.5, 5.5, 11)})
    columns = np.column_stack(list(found.words.columns_for(grid).values()))
    slopes = np.array([found.fit.flat(name) for name in found.effects])
    curve = found.fit.flat("Intercept") + columns @ slopes
    low, high = np.quantile(curve, [0.001, 0.999], axis=1)
    assert ((low < 5.3 + 0.3 * np.sin(grid["x"])) & (5.3 + 0.3 * np.sin(grid["x"]) < high)).all()
    assert (high - low).max() < 0.2
