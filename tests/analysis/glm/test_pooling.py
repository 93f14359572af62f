"""Fits of completed versions are pooled: Rubin's rules of fits made apart, and levels that a version lacks."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl.statistics.pooling import pool
from scandl_analysis.formulas.regression import fit as fit_formula
from scandl_analysis.glm.diagnostics import summarise, summarise_draws
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.spec import Fit, Glm, Sampling

GLM = Glm("FFD", "lognormal", ("x",), ("reader_id",))
LITTLE = Sampling(draws=400, chains=2)


@pytest.fixture(scope="module")
def words() -> pd.DataFrame:
    """Three versions of the times of six readers, alike but for a fifth; the last lacks a reader."""
    rng = np.random.default_rng(1)
    x, reader = rng.normal(size=240), np.repeat(list("abcdef"), 40)
    known = 5.4 + 0.1 * x + rng.normal(0, 0.2, 240)
    parts = []
    for k in (1, 2, 3):
        filled = np.where(rng.random(240) < 0.2, rng.normal(5.4, 0.3, 240), known)
        parts.append(pd.DataFrame({"FFD": np.exp(filled), "x": x, "reader_id": reader, "version": k}))
    parts[2] = parts[2][parts[2]["reader_id"] != "f"]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def whole(words: pd.DataFrame) -> Fit:
    return fit(words, GLM, engine="laplace", sampling=LITTLE)


def test_a_pooled_fit_is_the_pool_of_fits_made_apart(words: pd.DataFrame, whole: Fit) -> None:
    parts = [words[words["version"] == k].drop(columns="version") for k in (1, 2, 3)]
    apart = [fit(part.reset_index(drop=True), GLM, engine="laplace", sampling=LITTLE) for part in parts]
    for name in ("Intercept", "x"):
        expected = pool(
            [each.flat(name).mean() for each in apart], [each.draws[name].std(ddof=1) for each in apart]
        )
        found = summarise(whole)[name]
        assert (found.mean, found.sd) == pytest.approx((expected.mean, expected.sd))
        assert (found.ci_low, found.ci_high) == pytest.approx(expected.interval())
        assert found.missing_information == pytest.approx(expected.missing_information)
        # The draws themselves have the total variance, so what is computed of them has it too.
        assert whole.draws[name].var() == pytest.approx(expected.sd**2, rel=0.01)
    assert whole.n_rows == round((240 + 240 + 200) / 3)
    assert all(whole.draws[name].min() > 0 for name in ("sigma", "1|reader_id_sigma"))


def test_a_reader_of_whom_a_version_has_nothing_is_one_of_the_group_there(whole: Fit) -> None:
    assert whole.levels["1|reader_id"] == tuple("abcdef")
    own = np.split(whole.draws["1|reader_id"][..., 5], 3)
    sigma = np.split(whole.draws["1|reader_id_sigma"], 3)[2]
    assert own[2].std() == pytest.approx(np.sqrt((sigma**2).mean()), rel=0.15)
    assert own[0].std() < own[2].std()


def test_sums_of_effects_are_pooled_as_sums(whole: Fit) -> None:
    """Rubin's rules of a sum are not the sum of Rubin's rules, but the draws know how effects go together."""
    parts = np.split(whole.draws["Intercept"] + 2 * whole.draws["x"], 3)
    means = np.array([part.mean() for part in parts])
    found = summarise_draws(whole.draws["Intercept"] + 2 * whole.draws["x"], whole)
    within = np.mean([part.var(ddof=1) for part in parts])
    # Deviations of three versions are drawn √(4/2) as far apart.
    assert found.sd**2 == pytest.approx(within + means.var(ddof=1) / 2 * 4 / 3)


def test_versions_that_are_alike_lose_no_information_and_equal_one_of_them(words: pd.DataFrame) -> None:
    one = words[words["version"] == 1]
    twice = pd.concat([one, one.assign(version=2)], ignore_index=True)
    found = fit_formula("FFD ~ x + (1 | reader_id)", twice, engine="laplace", draws=400, chains=2)
    alone = fit_formula(
        "FFD ~ x + (1 | reader_id)", one.drop(columns="version"), engine="laplace", draws=400, chains=2
    )
    assert found.summary()["missing_information"].tolist() == [0.0] * len(found.summary())
    assert found.summary()["mean"].tolist() == pytest.approx(alone.summary()["mean"].tolist())
    assert "2 versions of imputed readings, pooled" in found.notes
    assert "missing_information" not in alone.summary()
    with pytest.raises(
        ScandlError, match="LOO and WAIC: not defined for several versions of imputed readings, fit"
    ):
        found.loo()


def test_the_worst_version_decides_whether_chains_agree(words: pd.DataFrame) -> None:
    found = fit(words, GLM, engine="hmc", sampling=LITTLE)
    summary = summarise(found)["x"]
    assert summary.rhat < 1.05  # though the versions themselves are apart
    assert summary.ess_bulk > LITTLE.draws * LITTLE.chains
