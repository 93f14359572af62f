from __future__ import annotations

import warnings

import numpy as np
import pytest

from scandl_analysis.glm.diagnostics import convergence, diagnose, summarise
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
    assert diagnose(fit).warnings == []
    row = diagnose(fit).row
    assert row["divergences"] == 0
    assert row["rhat"] == pytest.approx(1, abs=0.01)
    assert row["ess_bulk"] == pytest.approx(4000, rel=0.2)  # as many as are independent
    assert row["saturated"] is None  # this sampler has no trees
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
    lines = "\n".join(diagnose(made_fit(apart, **stats)).warnings)
    for fault in (
        "R-hat",
        "effective sample size",
        "4 divergent",
        "E-BFMI",
        "400 trajectories reached the depth limit",
    ):
        assert fault in lines


@pytest.mark.parametrize("shape", [(1, 1000), (4, 3), (1, 1)])
def test_what_cannot_be_known_is_a_fault(
    shape: tuple[int, int], capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    draws = np.random.default_rng(1).normal(size=shape)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = diagnose(made_fit(draws, diverging=np.zeros(shape), energy=draws))
    assert "word_length: R-hat not known (one chain or too few draws)" in found.warnings
    few = "word_length: effective sample size not known (too few draws)"
    assert (few in found.warnings) == (shape[1] < 4)
    assert found.row["rhat"] is None
    assert (found.row["ess_bulk"] is None) == (shape[1] < 4)
    assert (capfd.readouterr().err, caplog.text) == ("", "")


def test_every_reader_is_looked_at() -> None:
    """One bad level of 69, wherever it is."""
    good = np.random.default_rng(1).normal(size=(4, 100, 69))
    for bad in (1, 33, 67):
        levels = good.copy()
        levels[..., bad] += np.arange(4)[:, None]
        draws = {"1|reader_id_sigma": good[..., 0], "1|reader_id": levels}
        fit = Fit(Glm("sr", "bernoulli", (), ("reader_id",)), "nuts", "brms", {}, 10, draws)
        row = diagnose(fit).row
        assert row["n_parameters"] == 70
        assert row["rhat"] == pytest.approx(convergence(levels[..., bad])[0])


def test_a_group_counts_with_its_worst_level() -> None:
    rng = np.random.default_rng(1)
    levels = rng.normal(size=(4, 200, 3))
    levels[..., 1] += np.arange(4)[:, None]
    fit = Fit(Glm("sr", "bernoulli", (), ("reader_id",)), "nuts", "brms", {}, 10, {"1|reader_id": levels})
    diagnosis = diagnose(fit)
    assert diagnosis.row["rhat"] == diagnosis.parameters["1|reader_id"][0] > 1.5
    assert [line.split(":")[0] for line in diagnosis.warnings] == ["1|reader_id"] * 2
