from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.glm.diagnostics import summarise, warnings_of
from scandl_analysis.glm.fit import Fit
from scandl_analysis.glm.spec import Glm

pytest.importorskip("arviz", reason="scandl[analysis] is not installed")


def made_fit(draws: np.ndarray, **stats: np.ndarray) -> Fit:
    return Fit(
        Glm("sr", "bernoulli", ("word_length",)), "nuts", "brms", {}, 10, {"word_length": draws}, stats=stats
    )


def test_good_draws_need_no_warning() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(2.0, 0.5, size=(4, 1000))
    fit = made_fit(draws, diverging=np.zeros((4, 1000)), energy=rng.normal(size=(4, 1000)))
    assert warnings_of(fit) == []
    found = summarise(fit)["word_length"]
    assert (found.ci_low, found.ci_high) == pytest.approx((2 - 1.96 * 0.5, 2 + 1.96 * 0.5), abs=0.05)


def test_every_fault_is_said() -> None:
    rng = np.random.default_rng(1)
    apart = rng.normal(size=(4, 100)) + np.arange(4)[:, None]
    stats = {
        "diverging": np.eye(4, 100),
        "energy": np.cumsum(rng.normal(size=(4, 100)), axis=1),  # a random walk explores energy slowly
        "tree_depth": np.full((4, 100), 10),
    }
    lines = "\n".join(warnings_of(made_fit(apart, **stats)))
    for fault in (
        "R-hat",
        "effective sample size",
        "4 divergent",
        "E-BFMI",
        "400 trajectories reached the depth limit",
    ):
        assert fault in lines
