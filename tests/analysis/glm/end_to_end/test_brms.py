"""The four human models, and gaze durations, on a real corpus by brms, where R has it: the published method.

Debian and Ubuntu have it as ``r-cran-brms``; their BH package lacks the headers that Stan compiles
against, which ``ln -s /usr/include/boost /usr/lib/R/site-library/BH/include/boost`` puts right.
``pytest -s -m slow`` on this file prints the table.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import read_corpus
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import Summary, summarise, summarise_draws
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import FAMILIES, Family, Glm, Sampling, paper_glm
from scandl_analysis.words.analysed_run import human_readings

SCRIPT = Path(__file__).with_name("fit_with_brms.R")
COLUMNS = ("frequency_per_million", "cloze")
NAMES = {  # brms's name of each parameter: ours
    "b_Intercept": "Intercept",
    "b_length": "length",
    "b_frequency_per_million": "frequency_per_million",
    "b_cloze": "cloze",
    "sd_reader_id__Intercept": "1|reader_id_sigma",
    "sigma": "sigma",
}
CHAINS, OUR_DRAWS = 4, 5000


@dataclass(frozen=True)
class Call:
    """How brms samples, and how many Monte Carlo errors its means may be off beyond 0.02."""

    draws: int  # a chain
    metric: str
    errors: float


# The paper's 12,000 draws are worth 900 to 12,000 independent ones: its own means are known to 0.01 to
# 0.03 posterior standard deviations only. Long chains with a dense metric, which changes how brms moves
# and not where, leave nothing to Monte Carlo.
CALLS = {"paper": Call(3000, "diag_e", errors=3.0), "long": Call(8000, "dense_e", errors=0.0)}


@dataclass(frozen=True)
class Difference:
    """How far two summaries of one parameter are apart, in units of the posterior (ours − theirs)."""

    mean: float  # in posterior standard deviations
    error: float  # Monte Carlo standard error of that, from both sides
    low: float  # ends of the 95 % interval, in widths of the interval
    high: float

    @classmethod
    def of(cls, ours: Summary, theirs: Summary) -> Difference:
        """Compare two summaries."""
        width = theirs.ci_high - theirs.ci_low
        return cls(
            (ours.mean - theirs.mean) / theirs.sd,
            float(np.hypot(ours.ess_bulk**-0.5, theirs.ess_bulk**-0.5)),
            (ours.ci_low - theirs.ci_low) / width,
            (ours.ci_high - theirs.ci_high) / width,
        )


def by_brms(words: pd.DataFrame, formula: str, family: str, call: Call, folder: Path) -> dict[str, Summary]:
    """Fit by brms and return the summaries of its draws, by our names."""
    words.to_csv(folder / "words.csv", index=False)
    run_r(SCRIPT, folder / "words.csv", formula, family, call.draws, call.metric, folder / "draws.csv")
    return read_brms(folder / "draws.csv")


def run_r(*arguments: object) -> str:
    """Run Rscript and return what it printed."""
    done = subprocess.run(["Rscript", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def read_brms(path: Path) -> dict[str, Summary]:
    """Return the summaries of written draws, which stand one chain after the other."""
    draws = pd.read_csv(path)
    return {
        name: summarise_draws(draws[theirs].to_numpy().reshape(CHAINS, -1))
        for theirs, name in NAMES.items()
        if theirs in draws
    }


def table(measure: str, ours: dict[str, Summary], theirs: dict[str, Summary]) -> str:
    """Return rows of a table: parameter, brms, ours, means apart, ends apart."""
    rows = []
    for name, brms in theirs.items():
        found = Difference.of(ours[name], brms)
        cells = [f"{s.mean:.4f} [{s.ci_low:.4f}, {s.ci_high:.4f}]" for s in (brms, ours[name])]
        apart = f"{found.mean:+.3f} ± {found.error:.3f} | {found.low:+.1%}, {found.high:+.1%}"
        rows.append(f"| {measure} | {name.replace('|', chr(92) + '|')} | {cells[0]} | {cells[1]} | {apart} |")
    return "\n".join(rows)


@pytest.fixture(scope="module")
def brms() -> None:
    """Skip where R or brms is missing."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    if subprocess.run(["Rscript", "-e", "library(brms)"], capture_output=True, check=False).returncode:
        pytest.skip("R has no package brms")


@pytest.mark.slow
@pytest.mark.usefixtures("brms")
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("measure", [*FAMILIES, "FPRT"])
def test_means_and_intervals_are_those_of_brms(
    shared: Callable[[str], Path],
    standardised: Callable[..., pd.DataFrame],
    tmp_path: Path,
    measure: str,
    call: str,
) -> None:
    corpus = read_corpus(shared("schilling"))
    times = () if measure in FAMILIES else (measure,)
    words = standardised(corpus, human_readings(corpus), "paper", COLUMNS, times).dropna(subset=[measure])
    glm = paper_glm(measure, "human", predictors=("length", *COLUMNS))
    formula = glm.formula.replace(f"log({measure})", measure)  # brms takes the logarithm in its family
    theirs = by_brms(words[list(glm.columns)], formula, glm.family, CALLS[call], tmp_path)
    ours = summarise(fit(words, glm, sampling=Sampling(draws=OUR_DRAWS)))
    print("\n" + table(measure, ours, theirs))
    for name in theirs:
        found = Difference.of(ours[name], theirs[name])
        assert abs(found.mean) < 0.02 + CALLS[call].errors * found.error, name
        assert max(abs(found.low), abs(found.high)) < 0.05, name


@pytest.mark.slow
@pytest.mark.usefixtures("brms")
@pytest.mark.parametrize("family", ["lognormal", "gaussian"])
def test_priors_of_times_are_those_of_brms(
    made_words: Callable[..., pd.DataFrame], tmp_path: Path, family: Family
) -> None:
    words = made_words(family, intercept=5.3, sd=1.4, shape=2.9)
    words.to_csv(tmp_path / "words.csv", index=False)
    code = (
        f"library(brms); words <- read.csv('{tmp_path / 'words.csv'}');"
        f"prior <- get_prior(y ~ word_length + (1 | reader_id), words, brmsfamily('{family}'));"
        "for (one in c('Intercept', 'sd', 'sigma')) cat(prior$prior[prior$class == one][1], '\\n')"
    )
    glm = Glm("y", family, ("word_length",), ("reader_id",))
    ours = resolve("brms", glm, build_design(words, glm))
    assert ours.shape is not None
    every = [prior.values for prior in (ours.intercept, *ours.deviations, ours.shape)]
    expected = [f"student_t(3, {one.get('mu', 0):g}, {one['sigma']:g})" for one in every]
    assert [line.strip() for line in run_r("-e", code).splitlines()] == expected
    assert every[0]["sigma"] > 2.5  # the least that brms takes, which would show little
