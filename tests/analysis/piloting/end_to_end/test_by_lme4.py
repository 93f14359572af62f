"""The planned regression by lme4, where R has it (Debian and Ubuntu: ``r-cran-lme4``)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

from scandl_analysis.piloting.mixed_model import CrossedRows, GroupTerms, fit_mixed

LMER = """
suppressMessages(library(lme4))
for (file in commandArgs(trailingOnly = TRUE)) {
  d <- read.csv(file)
  m <- suppressMessages(suppressWarnings(FIT))
  cat(fixef(m)[2], sqrt(diag(as.matrix(vcov(m))))[2], as.data.frame(VarCorr(m))$sdcor, "\\n")
}
"""
GAUSSIAN = "lmer(y ~ c + (c || reader) + (c || item), d)"
BINARY = "glmer(y ~ c + (1 | reader) + (1 | item), d, family = binomial)"


@pytest.fixture(scope="module", autouse=True)
def lme4() -> None:
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    if subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True, check=False).returncode:
        pytest.skip("R has no lme4")


def rows(seed: int, kind: str) -> CrossedRows:
    rng = np.random.default_rng(seed)
    r, i = (axis.ravel() for axis in np.meshgrid(np.arange(24), np.arange(20), indexing="ij"))
    c = (r + i) % 2 - 0.5
    u, v = rng.normal(size=(2, 24)), rng.normal(size=(2, 20))
    slope = 0.1 * (seed % 3)
    eta = 0.1 * c + 0.3 * u[0][r] + slope * u[1][r] * c + 0.2 * v[0][i] + slope * v[1][i] * c
    if kind == "gaussian":
        y = 5.5 + eta + 0.4 * rng.normal(size=len(r))
    else:
        y = (rng.random(len(r)) < expit(eta - 0.5)).astype(float)
    keep = rng.random(len(r)) > 0.2
    terms = (0, 1) if kind == "gaussian" else (0,)
    x = np.column_stack([np.ones(len(r)), c])[keep]
    return CrossedRows(y[keep], x, (GroupTerms(r[keep], terms), GroupTerms(i[keep], terms)))


def by_lme4(data: list[CrossedRows], fit: str, folder: Path) -> np.ndarray:
    files = []
    for n, one in enumerate(data):
        table = np.column_stack([one.y, one.x[:, 1], one.groups[0].levels, one.groups[1].levels])
        files.append(folder / f"{n}.csv")
        np.savetxt(files[-1], table, delimiter=",", header="y,c,reader,item", comments="")
    script = folder / "fit.R"
    script.write_text(LMER.replace("FIT", fit))
    done = subprocess.run(["Rscript", str(script), *map(str, files)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return np.array([[float(cell) for cell in line.split()] for line in done.stdout.splitlines()])


@pytest.mark.slow
def test_times_have_lme4s_estimates_errors_and_deviations(tmp_path):
    data = [rows(seed, "gaussian") for seed in range(30)]
    found = [fit_mixed(one) for one in data]
    ours = np.array([[f.effects[1], f.errors[1], *np.sqrt(f.variances), np.sqrt(f.residual)] for f in found])
    theirs = by_lme4(data, GAUSSIAN, tmp_path)
    np.testing.assert_allclose(ours[:, :2], theirs[:, :2], atol=2e-4)
    np.testing.assert_allclose(ours[:, 2:], theirs[:, 2:], atol=5e-3)


@pytest.mark.slow
def test_shares_are_near_lme4s_laplace_approximation(tmp_path):
    data = [rows(seed, "bernoulli") for seed in range(20)]
    found = [fit_mixed(one, "bernoulli") for one in data]
    theirs = by_lme4(data, BINARY, tmp_path)
    ours = np.array([[f.effects[1], f.errors[1]] for f in found])
    np.testing.assert_allclose(ours[:, 0] / ours[:, 1], theirs[:, 0] / theirs[:, 1], atol=0.1)
