from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.separation import separates
from scandl_analysis.glm.spec import Family, Glm

Made = Callable[..., pd.DataFrame]
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


@pytest.mark.parametrize("engine", ["mle", "laplace", "nuts", "imh", "pymc"])
@pytest.mark.parametrize("case", ["complete", "quasi", "counts", "one word"])
def test_separated_outcomes_have_no_estimate(case: str, engine: str) -> None:
    frame, family = made(case)
    with pytest.raises(NotEstimableError) as caught:
        fit(frame, Glm("y", family, ("word_length",)), engine=engine)
    assert str(caught.value) == TEXT


def test_overlapping_outcomes_have_one() -> None:
    frame, family = made("overlap")
    found = fit(frame, Glm("y", family, ("word_length",)), engine="mle").gaussian["word_length"]
    p = frame.groupby("word_length")["y"].mean()
    assert found[0] == pytest.approx(np.log(p[9] / (1 - p[9])) - np.log(p[8] / (1 - p[8])), rel=0.02)
    assert found[1] < found[0]


@pytest.mark.parametrize("priors", ["weak", "bambi"])
def test_proper_priors_bound_the_slopes(priors: str) -> None:
    frame, family = made("quasi")
    frame["word_length"] = (frame["word_length"] - 5) / 2.6
    glm = Glm("y", family, ("word_length",))
    found = fit(frame, glm, engine="laplace", priors=priors, sampling=Sampling(draws=50))
    assert 1 < found.draws["word_length"].mean() < 10
    with pytest.raises(NotEstimableError):  # maximum likelihood does not use them
        fit(frame, glm, engine="mle", priors=priors)


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
