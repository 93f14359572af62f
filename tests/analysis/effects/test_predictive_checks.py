from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl_analysis.effects.predictive_checks import LENGTH_CLASS, predictive_checks
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]


@pytest.fixture
def words(made_words: Made) -> pd.DataFrame:
    frame = made_words("poisson", n_readers=6)
    return frame.assign(**{LENGTH_CLASS: np.where(frame["word_length"] > 0, "long", "short")})


def test_observed_values_are_those_of_the_words(words: pd.DataFrame) -> None:
    glm = Glm("y", "poisson", groups=("reader_id",))
    found = fit(words, glm, engine="laplace", sampling=Sampling(draws=100))
    checks = predictive_checks(found, words, model="human", priors="weak", seed=1)
    assert list(checks) == [
        "mean by word length", "mean by reader", "rootogram", "dispersion", "prior predictive mean",
    ]  # fmt: skip
    for check, by in (("mean by word length", LENGTH_CLASS), ("mean by reader", "reader_id")):
        observed = {row["class"]: row["observed"] for row in checks[check]}
        assert observed == pytest.approx(words.groupby(by)["y"].mean().to_dict())
        assert all(row["ci_low"] <= row["expected"] <= row["ci_high"] for row in checks[check])
    (spread,) = checks["dispersion"]
    assert spread["observed"] == pytest.approx(words["y"].var(ddof=1) / words["y"].mean(), rel=0.02)
    assert sum(row["observed"] for row in checks["rootogram"]) == pytest.approx(len(words))
    (prior,) = checks["prior predictive mean"]
    assert prior["observed"] == pytest.approx(words["y"].mean())


def test_a_model_without_what_matters_is_found_out(words: pd.DataFrame) -> None:
    """Fitted without word length, it expects as many fixations of long words as of short ones."""
    found = fit(words, Glm("y", "poisson", ()), engine="mle", sampling=Sampling(draws=200))
    checks = predictive_checks(found, words, model="m", priors="brms", seed=1)
    rows = checks["mean by word length"]
    assert any(not row["ci_low"] <= row["observed"] <= row["ci_high"] for row in rows)
    assert {row["model"] for row in rows} == {"m"}
    assert "mean by reader" not in checks  # it has no readers
    assert "prior predictive mean" not in checks  # and no priors


def test_sources_of_a_joint_design_are_checked_one_by_one(words: pd.DataFrame) -> None:
    both = pd.concat([words.assign(source="human"), words.assign(source="m", y=words["y"] * 2)])
    found = fit(both, Glm("y", "poisson", by="source"), engine="laplace", sampling=Sampling(draws=50))
    rows = predictive_checks(found, both, model="all", priors="weak", seed=1)["dispersion"]
    assert [row["model"] for row in rows] == ["human", "m"]
