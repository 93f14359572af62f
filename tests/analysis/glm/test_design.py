from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from scandl.errors import ScandlError
from scandl_analysis.glm.design import NotEstimableError, build_design, separates
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.spec import Family, Glm, Sampling

Made = Callable[..., pd.DataFrame]


def test_merging_keeps_every_sum(made_words: Made) -> None:
    frame = pd.concat([made_words(), made_words()])  # each row twice, outcomes too
    glm = Glm("y", "bernoulli", groups=("reader_id",))
    whole, merged = (build_design(frame, glm, aggregate=on) for on in (False, True))
    assert len(merged.x) == len(frame) / 2
    assert set(merged.trials) == {2.0}
    assert merged.n_rows == whole.n_rows == len(frame)
    np.testing.assert_allclose(merged.total @ merged.x, whole.total @ whole.x)
    index = (merged.groups[0].index, whole.groups[0].index)
    np.testing.assert_allclose(np.bincount(index[0], merged.total), np.bincount(index[1], whole.total))


def test_negative_binomial_merges_equal_outcomes_only(made_words: Made) -> None:
    frame = made_words("negativebinomial", slopes=(0.3,))
    other = frame.assign(y=frame["y"] + 1)
    glm = Glm("y", "negativebinomial", ("word_length",))
    assert len(build_design(pd.concat([frame, other]), glm).x) > len(
        build_design(pd.concat([frame, frame]), glm).x
    )


def test_columns_are_centred_and_missing_rows_counted(made_words: Made) -> None:
    frame = made_words()
    frame.loc[3, "surprisal"] = np.nan
    design = build_design(frame, Glm("y", "bernoulli"))
    assert design.n_dropped == 1
    np.testing.assert_allclose(design.trials @ design.x, 0, atol=1e-9)


def test_sources_become_indicators_and_interactions(made_words: Made) -> None:
    frame = pd.concat([made_words(slopes=(0.5,)), made_words(slopes=(0.1,), seed=1).assign(source="swift")])
    design = build_design(frame, Glm("y", "bernoulli", ("word_length",), by="source"), aggregate=False)
    assert design.terms == ("source[swift]", "word_length", "source[swift]:word_length")
    swift = (frame["source"] == "swift").to_numpy(float)
    expected = np.column_stack([swift, frame["word_length"], swift * frame["word_length"]])
    np.testing.assert_allclose(design.x + design.x_mean, expected)
    assert design.is_indicator.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": 0}, "not estimable: y is 0 in all 384 words"),
        ({"y": 1}, "not estimable: y is 1 in all 384 words"),
        ({"frequency": 2.0}, "not estimable: frequency is the same in all 384 words"),
        ({"y": np.nan}, "not estimable: no word has y and all predictors"),
    ],
)
def test_says_why_nothing_can_be_estimated(made_words: Made, change: dict[str, object], message: str) -> None:
    with pytest.raises(NotEstimableError) as caught:
        build_design(made_words().assign(**change), Glm("y", "bernoulli"))
    assert str(caught.value) == message


@pytest.mark.parametrize("family", ["poisson", "negativebinomial"])
def test_a_count_that_never_varies_is_said(made_words: Made, family: str) -> None:
    with pytest.raises(NotEstimableError) as caught:
        build_design(made_words().assign(y=2), Glm("y", family))  # type: ignore[arg-type]
    assert str(caught.value) == "not estimable: y is 2 in all 384 words"


def test_says_that_predictors_determine_each_other(made_words: Made) -> None:
    frame = made_words()
    frame["surprisal"] = 1 - 2 * frame["frequency"]
    with pytest.raises(NotEstimableError, match="word_length, frequency, surprisal determine each other"):
        build_design(frame, Glm("y", "bernoulli"))


def test_refuses_what_is_no_outcome(made_words: Made) -> None:
    with pytest.raises(ScandlError, match="y must be 0 or 1"):
        build_design(made_words().assign(y=2), Glm("y", "bernoulli"))
    with pytest.raises(ScandlError, match="has no column 'cloze'"):
        build_design(made_words(), Glm("y", "bernoulli", ("cloze",)))


N = 300
TEXT = "not estimable: the predictors separate the outcomes completely or nearly"


def made(case: str) -> tuple[pd.DataFrame, Family]:
    """Return words of which only some ever have an outcome above 0, and the family of the outcome."""
    rng = np.random.default_rng(0)
    length = rng.integers(1, 10, N).astype(float)
    some = {
        "complete": length > 4,
        "quasi": (length == 9) & (rng.random(N) < 0.5),
        "counts": (length == 9) * rng.poisson(1.0, N),
        "one word": (length == 9) & (np.arange(N) == np.flatnonzero(length == 9)[0]),
        "overlap": (length >= 9) | (np.arange(N) == np.flatnonzero(length == 8)[0]),
    }[case]
    frame = pd.DataFrame({"word_length": length, "y": np.asarray(some, dtype=int)})
    if case == "overlap":  # one word of each kind on the other's side: steep, and estimable
        frame.loc[np.flatnonzero(length == 9)[0], "y"] = 0
    return frame, "poisson" if case == "counts" else "bernoulli"


@pytest.mark.parametrize("engine", ["hmc", "laplace", "nutpie", "pymc"])
@pytest.mark.parametrize("case", ["complete", "quasi", "counts", "one word"])
def test_separated_outcomes_have_no_estimate(case: str, engine: str) -> None:
    frame, family = made(case)
    with pytest.raises(NotEstimableError) as caught:
        fit(frame, Glm("y", family, ("word_length",)), engine=engine)
    assert str(caught.value) == TEXT


def test_overlapping_outcomes_have_one() -> None:
    frame, family = made("overlap")
    slope = fit(frame, Glm("y", family, ("word_length",)), engine="laplace").draws["word_length"]
    p = frame.groupby("word_length")["y"].mean()
    expected = np.log(p[9] / (1 - p[9])) - np.log(p[8] / (1 - p[8]))
    assert abs(slope.mean() - expected) < slope.std()  # the prior of the intercept pulls a little
    assert slope.std() < slope.mean()


@pytest.mark.parametrize("priors", ["weak", "bambi"])
def test_proper_priors_bound_the_slopes(priors: str) -> None:
    frame, family = made("quasi")
    frame["word_length"] = (frame["word_length"] - 5) / 2.6
    glm = Glm("y", family, ("word_length",))
    found = fit(frame, glm, engine="laplace", priors=priors, sampling=Sampling(draws=50))
    assert 1 < found.draws["word_length"].mean() < 10


def test_few_rows_decide_as_all_of_them_do() -> None:
    """Against one linear programme over all rows, on data that separate in about half of the cases."""
    rng = np.random.default_rng(1)
    answers = []
    for _ in range(60):
        n, p = int(rng.integers(5, 1500)), int(rng.integers(1, 5))
        rows = np.column_stack([np.ones(n), rng.integers(-2, 3, size=(n, p))]) * rng.choice([-1, 1], (n, 1))
        if rng.random() < 0.6:
            rows *= np.where(rows @ rng.integers(-1, 2, p + 1) < 0, -1, 1)[:, None]
        slow = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(n), bounds=(-1, 1))
        answers.append((separates(rows), bool((rows @ slow.x).max() > 1e-6)))
    assert all(fast == slow for fast, slow in answers)
    assert 10 < sum(slow for _, slow in answers) < 50
