"""Log densities by SciPy, LOO and WAIC of ArviZ on them, fits compared, outcomes drawn anew."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import gammaln, logsumexp

from scandl.errors import ScandlError
from scandl_analysis.formulas.predictive import common_rows, compare, log_likelihood, new_outcomes
from scandl_analysis.formulas.regression import fit

Design = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    "family", ["bernoulli", "poisson", "negativebinomial", "conwaymaxwell", "gaussian", "lognormal"]
)
def test_log_densities_are_scipys(family: str, design: Design) -> None:
    data = design()
    outcomes = {
        "bernoulli": (data["FPRT"] > 240).astype(int),
        "poisson": np.random.default_rng(1).poisson(data["FPRT"] / 100),
        "negativebinomial": np.random.default_rng(1).poisson(data["FPRT"] / 100),
        "conwaymaxwell": np.random.default_rng(1).binomial(5, data["FPRT"] / 600),
    }
    counts = np.arange(100)
    data["y"] = outcomes.get(family, data["FPRT"])
    found = fit("y ~ a + (1 + a || reader)", data, family=family, engine="laplace", draws=3, chains=2)
    ours = log_likelihood(found)
    chain, draw, row = 1, 2, 7
    d = {name: each[chain, draw] for name, each in found.fit.draws.items()}
    who = found.fit.levels["1|reader"].index(data["reader"][row])
    mismatch = float(data["a"][row] == "mismatch")
    eta = d["Intercept"] + d["1|reader"][who] + mismatch * (d["a[mismatch]"] + d["a[mismatch]|reader"][who])
    y = data["y"][row]
    expected = {
        "bernoulli": lambda: stats.bernoulli.logpmf(y, 1 / (1 + np.exp(-eta))),
        "poisson": lambda: stats.poisson.logpmf(y, np.exp(eta)),
        "negativebinomial": lambda: stats.nbinom.logpmf(
            y, d["alpha"], d["alpha"] / (d["alpha"] + np.exp(eta))
        ),
        "conwaymaxwell": lambda: (
            y * eta - d["nu"] * gammaln(y + 1) - logsumexp(counts * eta - d["nu"] * gammaln(counts + 1))
        ),
        "gaussian": lambda: stats.norm.logpdf(y, eta, d["sigma"]),
        "lognormal": lambda: stats.lognorm.logpdf(y, d["sigma"], scale=np.exp(eta)),
    }[family]()
    assert ours[chain, draw, row] == pytest.approx(expected)
    drawn = new_outcomes(found, n=6)
    assert drawn.shape == (6, len(data))
    assert drawn.mean() == pytest.approx(data["y"].mean(), rel=0.2)


@pytest.mark.filterwarnings("ignore")  # of ArviZ, about pandas and about rows that weigh much
def test_loo_and_waic_are_arvizs_on_the_same_draws(design: Design) -> None:
    arviz = pytest.importorskip("arviz", reason="scandl[analysis] is not installed")
    found = fit("FPRT ~ a * b + (1 | reader)", design(), draws=500, chains=2)
    data = arviz.from_dict(
        posterior={"x": found.fit.draws["Intercept"]}, log_likelihood={"y": log_likelihood(found)}
    )
    assert found.loo().elpd_loo == arviz.loo(data).elpd_loo
    assert found.waic().elpd_waic == arviz.waic(data).elpd_waic
    by_hand = np.log(np.mean(np.exp(log_likelihood(found)), axis=(0, 1))).sum()
    assert by_hand > found.loo().elpd_loo > by_hand - 60  # leaving rows out costs about a unit per parameter


@pytest.mark.filterwarnings("ignore")
def test_the_true_formula_predicts_best_on_the_same_rows(design: Design) -> None:
    data = design(n_words=2)
    data.loc[:5, "b"] = np.nan
    formulas = ["FPRT ~ a * b + (1 | reader)", "fprt ~ a + (1 | subject)"]
    rows = common_rows(formulas, data)
    assert len(rows) == len(data) - 6
    fits = {text: fit(text, rows, draws=500, chains=2) for text in formulas}
    table = compare(fits)
    assert table.index[0] == formulas[0]
    assert table["elpd_diff"].iloc[1] > 0
    with pytest.raises(ScandlError, match="has other rows or another outcome than"):
        compare({**fits, "other": fit("FPRT ~ a", data, engine="laplace", draws=20, chains=2)})
