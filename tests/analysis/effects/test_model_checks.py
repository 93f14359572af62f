from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import read_corpus
from scandl_analysis.effects.fitting import FitJob, run_job
from scandl_analysis.effects.model_checks import (
    LENGTH_CLASS,
    N_REPLICATES,
    Classes,
    collinearity,
    count_table,
    dispersion,
    dispersions,
    mean_by_class,
    measured,
    predictive_checks,
    prior_means,
    replicates,
    rootogram,
)
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Fit, Glm, Sampling
from scandl_analysis.words.analysed_run import human_readings
from scandl_analysis.words.word_table import word_rows

Made = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("corpus", "variant", "measure", "expected"),
    [
        ("schilling", "paper", "tfc", 0.681),
        ("schilling", "paper", "ffc", 0.516),
        ("schilling", "firstpass", "ffc", 0.629),
        ("mertzen", "paper", "tfc", 1.404),
        ("mertzen", "paper", "ffc", 0.419),
        ("mertzen", "firstpass", "ffc", 0.594),
    ],
)
def test_dispersion_of_real_readers(
    shared: Callable[[str], Path], corpus: str, variant: str, measure: str, expected: float
) -> None:
    frame = word_rows(human_readings(read_corpus(shared(corpus))), variant=variant)
    assert dispersion(frame[measure].to_numpy(float)) == pytest.approx(expected, abs=5.1e-4)


def test_inflation_is_one_over_what_others_leave_unexplained(made_words: Made) -> None:
    frame = made_words()
    frame["surprisal"] += frame["frequency"]
    rows = {row["predictor"]: row for row in collinearity(frame, ("word_length", "frequency", "surprisal"))}
    x = np.column_stack([np.ones(len(frame)), frame["word_length"], frame["frequency"]])
    residual = frame["surprisal"] - x @ np.linalg.lstsq(x, frame["surprisal"], rcond=None)[0]
    assert rows["surprisal"]["vif"] == pytest.approx(
        frame["surprisal"].var() * (len(frame) - 1) / (residual**2).sum()
    )
    assert rows["surprisal"]["r(frequency)"] == pytest.approx(frame["surprisal"].corr(frame["frequency"]))
    frame["surprisal"] = -frame["frequency"]
    assert np.isnan(collinearity(frame, ("frequency", "surprisal"))[0]["vif"])


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "negativebinomial", "conwaymaxwell"])
def test_a_true_model_predicts_its_own_data(made_words: Made, family: str) -> None:
    frame = made_words(family, n_readers=20, slopes=(0.3,))
    glm = Glm("y", family, ("word_length",), ("reader_id",))  # type: ignore[arg-type]
    found = fit(frame, glm, engine="laplace", sampling=Sampling(draws=300))
    drawn = np.concatenate(list(replicates(found, frame, seed=1, n=100)))
    observed = frame["y"].to_numpy(float)
    classes = Classes.of(pd.Series(np.where(frame["word_length"] > 0, "long", "short")))
    rows = mean_by_class(observed, classes.means(drawn), classes)
    assert {row["class"] for row in rows} == {"long", "short"}
    assert all(row["ci_low"] <= row["observed"] <= row["ci_high"] for row in rows)
    # By reader as well: the replicates must use each row's own reader.
    by_reader = pd.Series(observed).groupby(frame["reader_id"].to_numpy()).mean()
    replicated = pd.Series(drawn.mean(axis=0)).groupby(frame["reader_id"].to_numpy()).mean()
    assert by_reader.corr(replicated) > 0.8


def test_rootogram_counts_everything_once() -> None:
    observed = np.array([0.0, 0.0, 1.0, 12.0])
    rows = rootogram(observed, count_table(np.stack([observed, observed]), largest=3))
    assert [row["observed"] for row in rows] == [2, 1, 0, 1]
    assert [row["expected"] for row in rows] == [2, 1, 0, 1]


@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_prior_means_are_those_of_words_made_one_by_one(made_words: Made, family: str) -> None:
    """Quartiles of the mean outcome, against a loop over readers and words that draws every parameter anew."""
    frame = made_words(family, n_readers=3, n_words=4, slopes=(0.3,))
    glm = Glm("y", family, ("word_length",), ("reader_id",))  # type: ignore[arg-type]
    design = build_design(frame, glm)
    means = prior_means(glm, design, resolve("weak", glm, design), seed=1, n=4000)
    rng, slow = np.random.default_rng(2), []
    centred = frame["word_length"] - frame["word_length"].mean()
    for _ in range(2000):
        intercept, slope, spread = rng.normal(0, 1.5), rng.normal(), abs(rng.normal())
        reader = {name: rng.normal(0, spread) for name in frame["reader_id"].unique()}
        eta = intercept + slope * centred + frame["reader_id"].map(reader)
        slow.append(float((1 / (1 + np.exp(-eta)) if family == "bernoulli" else np.exp(eta)).mean()))
    quartiles = np.quantile(slow, [0.25, 0.5, 0.75])
    np.testing.assert_allclose(np.quantile(means, [0.25, 0.5, 0.75]), quartiles, rtol=0.12)


def test_flat_priors_predict_nothing(made_words: Made) -> None:
    glm = Glm("y", "bernoulli", groups=("reader_id",))
    design = build_design(made_words(), glm)
    proper = {name: resolve(name, glm, design).are_proper for name in ("brms", "bambi", "weak")}
    assert proper == {"brms": False, "bambi": True, "weak": True}


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "negativebinomial", "conwaymaxwell"])
def test_how_many_replicates_come_at_once_changes_no_number(made_words: Made, family: str) -> None:
    """Statistics of replicates that come one by one, against pandas on all of them at once."""
    frame = made_words(family, n_readers=5, slopes=(0.3,))
    glm = Glm("y", family, ("word_length",), ("reader_id",))  # type: ignore[arg-type]
    found = fit(frame, glm, engine="laplace", sampling=Sampling(draws=50))
    readers = Classes.of(frame["reader_id"])
    drawn = measured(
        replicates(found, frame, seed=1, n=7, cells=0),
        {"means": readers.means, "counts": lambda y: count_table(y, 3), "spread": dispersions},
    )
    (whole,) = replicates(found, frame, seed=1, n=7)
    table = pd.DataFrame(whole.T)
    means = table.groupby(frame["reader_id"].to_numpy(), sort=False).mean()
    assert readers.labels == tuple(means.index)
    np.testing.assert_allclose(drawn["means"], means.to_numpy().T)
    slow = [[(y == k).sum() for k in range(3)] + [(y >= 3).sum()] for y in whole]
    np.testing.assert_array_equal(drawn["counts"], slow)
    np.testing.assert_allclose(drawn["spread"], (table.var() / table.mean()).fillna(1))


def test_prior_means_do_not_depend_on_how_many_come_at_once(made_words: Made) -> None:
    glm = Glm("y", "poisson", groups=("reader_id",))
    design = build_design(made_words("poisson"), glm)
    priors = resolve("weak", glm, design)
    one, all_at_once = (prior_means(glm, design, priors, seed=1, n=9, cells=cells) for cells in (0, 10**6))
    np.testing.assert_allclose(one, all_at_once)


def test_large_data_get_as_many_replicates(made_words: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals of few replicates are too narrow: the number must not fall with the number of words."""
    monkeypatch.setattr("scandl_analysis.effects.model_checks._CELLS", 1)
    n_drawn: list[int] = []

    def counted(observed: Any, means: Any, classes: Any) -> Any:
        n_drawn.append(len(means))
        return mean_by_class(observed, means, classes)

    monkeypatch.setattr("scandl_analysis.effects.model_checks.mean_by_class", counted)
    frame = made_words("poisson", n_readers=3)
    run_job(FitJob("human", Glm("y", "poisson", groups=("reader_id",)), frame, "laplace"))
    assert n_drawn == [N_REPLICATES]
    assert N_REPLICATES >= 200


def test_replicates_of_a_joint_design_follow_each_source() -> None:
    """Against the definition: the source shifts the intercept and the slope."""
    x = [-1.0, 0.5, -1.0, 0.5]
    frame = pd.DataFrame(
        {"word_length": x, "y": [0, 1, 0, 1], "source": ["human", "human", "swift", "swift"]}
    )
    draws = {"Intercept": 0.3, "source[swift]": 1.1, "word_length": -0.4, "source[swift]:word_length": 0.9}
    glm = Glm("y", "poisson", ("word_length",), by="source")
    kept = {name: np.full((1, 4), value) for name, value in draws.items()}
    (drawn,) = replicates(Fit(glm, "hmc", "brms", {}, 4, kept), frame, seed=1, n=20_000)
    expected = np.exp([0.3 + 0.4, 0.3 - 0.2, 1.4 - 0.5, 1.4 + 0.25])
    errors = np.sqrt(expected / 20_000)
    assert (np.abs(drawn.mean(axis=0) - expected) < 4 * errors).all()


def test_a_joint_design_is_checked_source_by_source(made_words: Made) -> None:
    swift = made_words("poisson", intercept=1.5, slopes=(0.5, 0.0, 0.0), seed=5).assign(source="swift")
    swift["reader_id"] = "m" + swift["reader_id"]
    frame = pd.concat([made_words("poisson"), swift], ignore_index=True)
    frame["length_class"] = np.where(frame["word_length"] > 0, "long", "short")
    glm = Glm("y", "poisson", groups=("reader_id", "sentence_id"), by="source")
    checks = run_job(FitJob("human", glm, frame, "laplace")).checks
    by_length = pd.DataFrame(checks["mean by word length"]).set_index(["model", "class"])
    seen = frame.groupby(["source", "length_class"])["y"].agg(["mean", "size"])
    for place in by_length.index:
        assert by_length.loc[place, "observed"] == pytest.approx(seen.loc[place, "mean"])
        assert by_length.loc[place, "n_words"] == seen.loc[place, "size"]
        assert by_length.loc[place, "expected"] == pytest.approx(seen.loc[place, "mean"], rel=0.2)
    assert len(by_length) == len(seen) == 4
    assert seen["mean"].max() > 3 * seen["mean"].min()  # a mixture of the sources would not pass
    counts = pd.DataFrame(checks["rootogram"]).groupby("model")["observed"].sum()
    assert counts.to_dict() == frame["source"].value_counts().to_dict()
    assert {row["model"] for row in checks["mean by reader"]} == {"human"}
    assert "prior predictive mean" not in checks


@pytest.mark.filterwarnings("error")
def test_all_zero_counts_have_a_dispersion() -> None:
    np.testing.assert_allclose(
        dispersions(np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 2.0]])), [1, 4 / 3]
    )
    assert dispersion(np.zeros(3)) == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("family", ["bernoulli", "poisson", "negativebinomial", "conwaymaxwell"])
def test_absurd_effects_can_be_replicated(family: str) -> None:
    frame = pd.DataFrame({"word_length": [-1.0, 1.0], "y": [0, 1]})
    draws = {
        "Intercept": np.zeros((1, 4)),
        "word_length": np.full((1, 4), 3e4),
        "alpha": np.full((1, 4), 1e-3),
        "nu": np.full((1, 4), 1e-3),
    }
    found = Fit(Glm("y", family, ("word_length",)), "laplace", "brms", {}, 2, draws)  # type: ignore[arg-type]
    drawn = np.concatenate(list(replicates(found, frame, seed=1)))
    assert np.isfinite(drawn).all()
    assert not drawn[:, 0].any()


@pytest.fixture
def words(made_words: Made) -> pd.DataFrame:
    frame = made_words("poisson", n_readers=6)
    return frame.assign(**{LENGTH_CLASS: np.where(frame["word_length"] > 0, "long", "short")})


def test_observed_values_are_those_of_the_words(words: pd.DataFrame) -> None:
    glm = Glm("y", "poisson", groups=("reader_id",))
    found = fit(words, glm, engine="laplace", sampling=Sampling(draws=100))
    checks = predictive_checks(found, words, model="human", priors="weak", seed=1)
    assert list(checks) == [
        "mean by word length",
        "mean by reader",
        "rootogram",
        "dispersion",
        "prior predictive mean",
    ]
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
    glm = Glm("y", "poisson", ("frequency",))
    found = fit(words, glm, engine="laplace", sampling=Sampling(draws=200))
    checks = predictive_checks(found, words, model="m", priors="brms", seed=1)
    rows = checks["mean by word length"]
    assert any(not row["ci_low"] <= row["observed"] <= row["ci_high"] for row in rows)
    assert {row["model"] for row in rows} == {"m"}
    assert "mean by reader" not in checks  # it has no readers
    assert "prior predictive mean" not in checks  # and flat priors


def test_sources_of_a_joint_design_are_checked_one_by_one(words: pd.DataFrame) -> None:
    both = pd.concat([words.assign(source="human"), words.assign(source="m", y=words["y"] * 2)])
    found = fit(both, Glm("y", "poisson", by="source"), engine="laplace", sampling=Sampling(draws=50))
    rows = predictive_checks(found, both, model="all", priors="weak", seed=1)["dispersion"]
    assert [row["model"] for row in rows] == ["human", "m"]
