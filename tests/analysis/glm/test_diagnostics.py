"""What we take from ArviZ, against definitions written slowly and against the installed generation."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from scandl_analysis.glm.diagnostics import (
    bfmi,
    convergence,
    diagnose,
    effective_sample_size,
    rhat,
    summarise,
    write_netcdf,
)
from scandl_analysis.glm.spec import Fit, Glm

pytest.importorskip("arviz", reason="scandl[analysis] is not installed")


def made_fit(draws: np.ndarray, **stats: np.ndarray) -> Fit:
    return Fit(
        Glm("sr", "bernoulli", ("word_length",)), "hmc", "brms", {}, 10, {"word_length": draws}, stats=stats
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
        fit = Fit(Glm("sr", "bernoulli", (), ("reader_id",)), "hmc", "brms", {}, 10, draws)
        row = diagnose(fit).row
        assert row["n_parameters"] == 70
        assert row["rhat"] == pytest.approx(convergence(levels[..., bad])[0])


def test_a_group_counts_with_its_worst_level() -> None:
    rng = np.random.default_rng(1)
    levels = rng.normal(size=(4, 200, 3))
    levels[..., 1] += np.arange(4)[:, None]
    fit = Fit(Glm("sr", "bernoulli", (), ("reader_id",)), "hmc", "brms", {}, 10, {"1|reader_id": levels})
    diagnosis = diagnose(fit)
    assert diagnosis.row["rhat"] == diagnosis.parameters["1|reader_id"][0] > 1.5
    assert [line.split(":")[0] for line in diagnosis.warnings] == ["1|reader_id"] * 2


arviz = pytest.importorskip("arviz", reason="scandl[analysis] is not installed")


def normal_scores(values: np.ndarray) -> np.ndarray:
    from scipy.special import ndtri
    from scipy.stats import rankdata

    ranks = rankdata(values.ravel()).reshape(values.shape)
    return np.asarray(ndtri((ranks - 0.375) / (values.size + 0.25)))


def split_rhat(draws: np.ndarray) -> float:
    n = draws.shape[1] // 2
    halves = np.concatenate([draws[:, :n], draws[:, -n:]])
    within = halves.var(axis=1, ddof=1).mean()
    between = n * halves.mean(axis=1).var(ddof=1)
    return float(np.sqrt((between / within + n - 1) / n))


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_rhat_is_the_larger_of_location_and_scale(shift: float) -> None:
    """Vehtari et al. (2021), equations 3 and 4: of the normal scores, and of those of |x − median|."""
    draws = np.random.default_rng(1).normal(size=(4, 500)) + shift * np.arange(4)[:, None]
    folded = np.abs(draws - np.median(draws))
    expected = max(split_rhat(normal_scores(draws)), split_rhat(normal_scores(folded)))
    assert rhat(draws) == pytest.approx(expected, rel=1e-6)


def test_effective_sample_size_of_an_autoregression() -> None:
    """An AR(1) process with coefficient ρ counts as n (1 − ρ) / (1 + ρ) independent draws."""
    rng, rho = np.random.default_rng(1), 0.6
    draws = np.empty((4, 5000))
    draws[:, 0] = rng.normal(size=4)
    for t in range(1, draws.shape[1]):
        draws[:, t] = rho * draws[:, t - 1] + np.sqrt(1 - rho**2) * rng.normal(size=4)
    assert effective_sample_size(draws) == pytest.approx(20_000 * 0.4 / 1.6, rel=0.1)
    assert effective_sample_size(draws, "tail") < 20_000


def test_tails_are_those_of_the_outer_twentieths() -> None:
    draws = np.random.default_rng(1).normal(size=(4, 1000))
    low, high = np.quantile(draws, [0.05, 0.95])
    tails = [effective_sample_size((draws <= edge).astype(float)) for edge in (low, high)]
    # Indicators are ranked as well in the bulk, which changes nothing for two values.
    assert effective_sample_size(draws, "tail") == pytest.approx(min(tails), rel=1e-6)


def test_bfmi_is_of_the_worst_chain() -> None:
    energy = np.random.default_rng(1).normal(size=(4, 1000))
    energy[2] = energy[2].cumsum()
    slow = [np.square(np.diff(chain)).mean() / chain.var() for chain in energy]
    assert bfmi(energy) == pytest.approx(min(slow), rel=0.01)


def posterior():
    xarray = pytest.importorskip("xarray")
    values = np.random.default_rng(1).normal(size=(2, 5, 3))
    coords = {"chain": range(2), "draw": range(5), "model": ["human", "swift", "é"]}
    return xarray.Dataset({"b": (("chain", "draw", "model"), values)}, coords, {"setting": "nrns"})


def test_the_installed_arviz_reads_the_file(tmp_path: Path) -> None:
    write_netcdf(posterior(), tmp_path / "draws.nc")
    read = arviz.from_netcdf(str(tmp_path / "draws.nc")).posterior
    assert (read["b"].values == posterior()["b"].values).all()
    assert list(read["model"].values) == ["human", "swift", "é"]
    assert read.attrs["setting"] == "nrns"
