from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.formulas.regression import fit
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import fit as fit_glm
from scandl_analysis.glm.spec import Glm, Sampling

Made = Callable[..., pd.DataFrame]

pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")


def with_condition(frame: pd.DataFrame, effect: float) -> pd.DataFrame:
    """Return times to which a condition of sentences adds."""
    hard = frame["sentence_id"].str[-1].astype(int) % 2 == 1
    return frame.assign(cond=np.where(hard, "hard", "easy"), y=frame["y"] * np.exp(effect * hard))


def test_is_the_regression_of_the_same_columns(made_words: Made) -> None:
    frame = made_words()
    ours = fit("y ~ word_length + surprisal + (1 | reader_id)", frame, draws=100)
    glm = Glm("y", "bernoulli", ("word_length", "surprisal"), ("reader_id",))
    theirs = fit_glm(frame, glm, sampling=Sampling(draws=100))
    for name, draws in theirs.draws.items():
        assert np.array_equal(ours.fit.draws[name], draws), name


def test_a_condition_and_its_time(made_words: Made) -> None:
    made = made_words("lognormal", n_readers=16, n_shared=10, n_own=0, intercept=5.4, shape=0.3, sd=0.1)
    frame = with_condition(made, 0.2)
    found = fit("y ~ cond + word_length + (1 + cond || reader_id)", frame, contrast="sdif", draws=200)
    row = found.summary().loc["cond[hard-easy]"]
    assert row.ci_low < 0.2 < row.ci_high
    # At the mean of all predictors, half of the sentences being hard, the condition adds about
    # exp(5.5) · (e^0.2 − 1) = 54 ms.
    centre = np.log(frame["y"]).mean()
    assert row.ms == pytest.approx(np.exp(centre) * np.expm1(row["mean"]), rel=0.1)
    assert found.notes[:2] == ("lognormal, 1,280 rows, engine hmc, priors brms", "cond: sdif contrasts")
    assert (
        found.fit.glm.formula == "log(y) ~ cond[hard-easy] + word_length + (1 + cond[hard-easy]||reader_id)"
    )


def test_contrasts_agree_about_the_difference(made_words: Made) -> None:
    frame = with_condition(made_words("lognormal"), 0.3)
    means = [
        fit("y ~ cond", frame, contrast=name, draws=400).summary()["mean"].iloc[1] * factor
        for name, factor in (("treatment", 1), ("sum", -2), ("sdif", 1))
    ]
    assert np.ptp(means) < 0.05


def test_draws_go_where_they_are_needed(made_words: Made) -> None:
    found = fit("y ~ word_length + (1 + word_length || reader_id)", made_words(), draws=50)
    frame = found.to_frame()
    assert frame.shape == (200, 2 + 4)
    np.testing.assert_array_equal(frame["word_length"], found.fit.flat("word_length"))
    data = found.to_inference_data()
    assert data.posterior["word_length|reader_id"].dims == ("chain", "draw", "word_length|reader_id_level")
    assert list(data.posterior["1|reader_id_level"].values) == [f"r{k}" for k in range(8)]
    axes = found.plot_forest()
    assert axes.get_xlabel() == "effect on y (logit)"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["word_length"]
    difference = found.contrast({"Intercept": 1.0, "word_length": -1.0})
    assert difference.mean == pytest.approx((frame["Intercept"] - frame["word_length"]).mean())
    shown = repr(found)
    assert shown.startswith(
        "<Regression y ~ 1 + word_length + (1 + word_length || reader_id); 384 rows; word"
    )
    assert "<p>bernoulli, 384 rows, engine hmc, priors brms</p>" in found._repr_html_()


def test_separation_is_said(made_words: Made) -> None:
    frame = made_words().assign(cond=lambda f: np.where(f["y"] == 1, "skipped", "read"))
    with pytest.raises(NotEstimableError, match="not estimable: the predictors separate the outcomes"):
        fit("y ~ cond + (1 | reader_id)", frame)


def test_correlated_effects_are_not_sampled_fast(made_words: Made) -> None:
    with pytest.raises(ScandlError) as caught:
        fit("y ~ word_length + (word_length | reader_id)", made_words(), engine="hmc")
    assert str(caught.value) == (
        "y ~ word_length + (1 + word_length|reader_id): engine hmc has no correlated group effects;"
        " take || or engine nutpie"
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_correlations_are_found(made_words: Made) -> None:
    """Readers who skip more have larger effects of length, by construction."""
    rng = np.random.default_rng(3)
    frame = made_words("poisson", n_readers=40, n_shared=6, n_own=0, sd=0.0)
    number = frame["reader_id"].str[1:].astype(int)
    u = rng.multivariate_normal([0, 0], [[0.25, 0.12], [0.12, 0.09]], 40)[number]
    frame["y"] = rng.poisson(np.exp(0.5 + u[:, 0] + (0.3 + u[:, 1]) * frame["word_length"]))
    found = fit("y ~ word_length + (word_length | reader_id)", frame, draws=500)
    table = found.summary()
    assert found.fit.engine == "nutpie"
    correlation = table.loc["cor(1, word_length|reader_id)"]
    assert correlation.ci_low < 0.8 < correlation.ci_high
    assert correlation.ci_low > 0.2
    assert table.loc["1|reader_id_sigma", "mean"] == pytest.approx(0.5, abs=0.2)
    uncorrelated = fit("y ~ word_length + (word_length || reader_id)", frame, draws=500).summary()
    assert uncorrelated.loc["word_length", "mean"] == pytest.approx(
        table.loc["word_length", "mean"], abs=0.05
    )
