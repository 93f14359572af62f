"""Means in ms and percent: by hand, from lme4's coefficients, and covering the truth of simulations."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from scandl.errors import ConfigError
from scandl_analysis.formulas.marginal_means import Means
from scandl_analysis.formulas.regression import Regression, fit

Design = Callable[..., pd.DataFrame]
FORMULA = "FPRT ~ a * b + (1 + a || reader) + (1 | item)"


def means_of(found: Regression, *factors: str) -> Means:
    means = found.means(*factors)
    assert means is not None
    return means


def spread(found: Regression, name: str) -> np.ndarray:
    """Return by how much the levels at hand differ, one value per draw."""
    return np.array([[np.std(draw) for draw in chain] for chain in found.fit.draws[name]]).reshape(-1)


def test_a_cell_is_its_log_normal_mean_by_hand(design: Design) -> None:
    found = fit(FORMULA, design(), engine="laplace", draws=50, chains=2)
    flat = found.fit.flat
    variance = flat("sigma") ** 2 + spread(found, "1|reader") ** 2 + spread(found, "1|item") ** 2
    slope = spread(found, "a[mismatch]|reader") ** 2
    intercept, a, b, both = (flat(n) for n in ("Intercept", "a[mismatch]", "b[near]", "a[mismatch]:b[near]"))
    draws = means_of(found).draws
    np.testing.assert_allclose(draws["match", "far"], np.exp(intercept + variance / 2))
    np.testing.assert_allclose(draws["match", "near"], np.exp(intercept + b + variance / 2))
    mixed = np.exp(intercept + a + b + both + (variance + slope) / 2)
    np.testing.assert_allclose(draws["mismatch", "near"], mixed)
    one = means_of(found, "b").draws["near",]  # half of the rows are of either kind
    np.testing.assert_allclose(one, (draws["match", "near"] + draws["mismatch", "near"]) / 2)


def test_probabilities_are_averaged_over_readers(design: Design) -> None:
    data = design(n_words=4).assign(sr=lambda f: (f["FPRT"] > 240).astype(int))
    found = fit("sr ~ a + (1 | reader)", data, engine="laplace", draws=20, chains=2)
    means = means_of(found)
    z = norm.ppf((np.arange(4000) + 0.5) / 4000)
    for name, shift in (("match", 0.0), ("mismatch", found.fit.flat("a[mismatch]"))):
        eta = (found.fit.flat("Intercept") + shift)[:, None] + spread(found, "1|reader")[:, None] * z
        np.testing.assert_allclose(means.draws[name,], (1 / (1 + np.exp(-eta))).mean(axis=1), atol=1e-4)
    table = means.table()
    assert table["unit"].unique().tolist() == ["%"]
    observed = 100 * data.groupby("a")["sr"].mean()
    np.testing.assert_allclose(table["observed"], observed)
    np.testing.assert_allclose(table["mean"], observed, atol=3)


def test_contrasts_are_differences_of_means(design: Design) -> None:
    means = means_of(fit(FORMULA, design(), engine="laplace", draws=50, chains=2))
    m = means.draws
    table = means.contrasts(rope=10).set_index("contrast")
    assert list(table.index) == [
        "a: mismatch − match",
        "b: near − far",
        "a × b: (mismatch − match) at near − at far",
    ]
    both = m["mismatch", "near"] - m["match", "near"] - m["mismatch", "far"] + m["match", "far"]
    row = table.iloc[2]
    assert row["mean"] == pytest.approx(both.mean())
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(np.quantile(both, [0.025, 0.975])))
    assert row["p_in_rope"] == pytest.approx((np.abs(both) < 10).mean())
    asked = means.contrasts(["near-far"])
    assert asked["contrast"].tolist()[0] == "b: near − far"
    with pytest.raises(ConfigError, match="no contrast 'near-fra'; did you mean 'near-far'?"):
        means.contrasts(["near-fra"])


def test_the_datas_own_intervals_are_within_readers(design: Design) -> None:
    """Cousineau and Morey by their formulas, written out for one cell."""
    data = design()
    table = means_of(fit("FPRT ~ a + (1 | reader)", data, engine="laplace", draws=20, chains=2)).table()
    wide = data.pivot_table(index="reader", columns="a", values="FPRT")
    normalised = wide["match"] - wide.mean(axis=1) + wide.to_numpy().mean()
    half = 2.093 * normalised.std(ddof=1) * np.sqrt(2 / 1) / np.sqrt(20)
    row = table[table["a"] == "match"].iloc[0]
    assert row["observed_high"] - row["observed"] == pytest.approx(half, rel=1e-3)


def test_curves_are_in_the_unit_of_the_outcome(design: Design) -> None:
    data = design()
    data["x"] = np.random.default_rng(1).normal(size=len(data))
    data["FPRT"] *= np.exp(0.2 * data["x"])
    found = fit("FPRT ~ scale(x) + a + (1 | reader)", data, engine="laplace", draws=50, chains=2)
    curve = found.curves()["x"]
    step = curve["x"].iloc[1] - curve["x"].iloc[0]
    np.testing.assert_allclose(np.diff(np.log(curve["mean"])), 0.2 * step, rtol=0.2)
    assert ((curve["ci_low"] < curve["mean"]) & (curve["mean"] < curve["ci_high"])).all()


def test_without_a_factor_there_are_no_means(design: Design) -> None:
    data = design().assign(x=lambda f: np.arange(len(f)) / 10)
    found = fit("FPRT ~ x", data, engine="laplace", draws=20, chains=2)
    assert found.means() is None
    with pytest.raises(ConfigError, match="no factor 'x' in FPRT"):
        found.means("x")


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_means_agree_with_those_of_lme4s_coefficients(design: Design, tmp_path: Path) -> None:
    """The means of a log-normal outcome by hand from what lmer estimates, as emmeans adds them up."""
    data = design()
    data.to_csv(tmp_path / "d.csv", index=False)
    code = """
    suppressMessages(library(lme4)); d <- read.csv('d.csv'); d$slope <- as.numeric(d$a == 'mismatch')
    m <- lmer(log(FPRT) ~ a * b + (1 + slope || reader) + (1 | item), d); v <- as.data.frame(VarCorr(m))
    k <- fixef(m); s <- sum(v$vcov[is.na(v$var1) | v$var1 == '(Intercept)']); w <- sum(v$vcov[v$var1 %in% 'slope'])
    eta <- c(k[1], k[1] + k[3], k[1] + k[2], sum(k)); cat(exp(eta + (s + c(0, 0, w, w)) / 2))
    """
    done = subprocess.run(["Rscript", "-e", code], cwd=tmp_path, capture_output=True, text=True)
    if "lme4" in done.stderr and "no package" in done.stderr:
        pytest.skip("lme4 is not installed")
    theirs = np.array(done.stdout.split(), dtype=float)
    table = means_of(fit(FORMULA, data, draws=1000)).table()
    assert table["a"].tolist() == ["match", "match", "mismatch", "mismatch"]
    width = (table["ci_high"] - table["ci_low"]).to_numpy()
    assert (np.abs(table["mean"] - theirs) < 0.1 * width).all()


@pytest.mark.slow
def test_intervals_cover_the_truth(design: Design) -> None:
    """Of 100 data sets 95 in a hundred intervals of means and of the interaction hold the truth."""
    spread = (0.25**2 + 0.12**2 + 0.06**2 + 0.05**2 / 4) / 2
    logs = {
        ("match", "far"): 5.4,
        ("match", "near"): 5.45,
        ("mismatch", "far"): 5.5,
        ("mismatch", "near"): 5.4,
    }
    truth = {cell: np.exp(log + spread) for cell, log in logs.items()}
    both = (truth["mismatch", "near"] - truth["match", "near"]) - (
        truth["mismatch", "far"] - truth["match", "far"]
    )
    held: dict[str, list[bool]] = {"means": [], "interaction": []}
    for seed in range(100):
        means = means_of(fit(FORMULA, design(seed), contrast="sum", draws=250, chains=2))
        for cell, drawn in means.draws.items():
            low, high = np.quantile(drawn, [0.025, 0.975])
            held["means"].append(low <= truth[cell] <= high)
        row = means.contrasts().iloc[2]
        held["interaction"].append(row["ci_low"] <= both <= row["ci_high"])
    for name, each in held.items():
        assert 0.92 <= np.mean(each) <= 0.98, (name, np.mean(each))
