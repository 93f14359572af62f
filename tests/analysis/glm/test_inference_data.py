"""What we take from ArviZ, against definitions written slowly and against the installed generation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scandl_analysis.glm.inference_data import (
    bfmi,
    effective_sample_size,
    inference_data,
    pareto_k,
    rhat,
    write_netcdf,
)

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


@pytest.mark.parametrize("k", [0.2, 0.5, 0.8])
def test_k_hat_is_the_shape_of_the_right_tail(k: float) -> None:
    """Ratios drawn from a Pareto distribution: not their inverses, whose tail is short."""
    log_ratios = np.log(1 + np.random.default_rng(1).pareto(1 / k, size=40_000))
    assert pareto_k(log_ratios) == pytest.approx(k, abs=0.12)
    assert pareto_k(-log_ratios) < 0
    assert pareto_k(np.array([0.0, np.nan])) == np.inf


def posterior():
    xarray = pytest.importorskip("xarray")
    values = np.random.default_rng(1).normal(size=(2, 5, 3))
    coords = {"chain": range(2), "draw": range(5), "model": ["human", "swift", "é"]}
    return xarray.Dataset({"b": (("chain", "draw", "model"), values)}, coords, {"setting": "nrns"})


def test_the_installed_arviz_takes_the_draws() -> None:
    made = inference_data(posterior())
    assert made.posterior["b"].equals(posterior()["b"])
    assert made.posterior.attrs["setting"] == "nrns"
    summary = arviz.summary(made)
    assert len(summary) == 3


def test_the_installed_arviz_reads_the_file(tmp_path: Path) -> None:
    write_netcdf(posterior(), tmp_path / "draws.nc")
    read = arviz.from_netcdf(str(tmp_path / "draws.nc")).posterior
    assert (read["b"].values == posterior()["b"].values).all()
    assert list(read["model"].values) == ["human", "swift", "é"]
    assert read.attrs["setting"] == "nrns"
