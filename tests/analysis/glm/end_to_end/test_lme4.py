"""Crossed designs on real corpora by lme4, where R has it (Debian and Ubuntu: ``r-cran-lme4``).

``pytest -s -m slow`` on this file prints the comparison as a table.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import read_corpus
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import summarise
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.marginal import marginal_effects
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import FAMILIES, Family, Fit, Glm, Sampling, Slope
from scandl_analysis.predictors.word_predictors import compute_predictors
from scandl_analysis.words.analysed_run import human_readings
from scandl_analysis.words.word_table import complete_rows, scale, with_token, without_edges, word_rows

SCRIPT = Path(__file__).with_name("fit_with_lme4.R")
PREDICTORS = ("word_length", "frequency", "surprisal")
GROUPS = ("reader_id", "sentence_id", "word_token")
SLOPES = tuple(Slope(name, "reader_id") for name in PREDICTORS)


@dataclass(frozen=True)
class Lme4:
    """What lme4 found: estimates with errors, deviations and intercepts of groups, by our names."""

    common: dict[str, tuple[float, float]]
    deviations: dict[str, float]  # by "word_length|reader_id"
    intercepts: dict[str, dict[str, float]]  # by "1|reader_id", then by level
    seconds: tuple[float, float]  # wall, CPU


def by_lme4(words: pd.DataFrame, glm: Glm, folder: Path) -> Lme4:
    """Fit by lme4 with the integral over the group effects that our coordinates start from too."""
    words[list(glm.columns)].to_csv(folder / "words.csv", index=False)
    arguments = [SCRIPT, folder / "words.csv", glm.formula, glm.family, 1, folder / "found.csv"]
    done = subprocess.run(["Rscript", *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    rows = {
        row.name: (row.value, row.error) for row in pd.read_csv(folder / "found.csv").itertuples(index=False)
    }
    common, deviations, intercepts = {}, {}, {}
    for name, (value, error) in rows.items():
        match name.split(" ", 2):
            case ["sd", group, column]:
                deviations[f"{column.replace('(Intercept)', '1')}|{group}"] = value
            case ["of", group, level]:
                intercepts.setdefault(f"1|{group}", {})[level] = value
            case _:
                common[name.replace("(Intercept)", "Intercept")] = value, error
    seconds = common.pop("seconds")[0], common.pop("cpu_seconds")[0]
    return Lme4(common, deviations, intercepts, seconds)


@pytest.fixture(scope="module")
def lme4() -> None:
    """Skip where R or lme4 is missing."""
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    if subprocess.run(["Rscript", "-e", "library(lme4)"], capture_output=True, check=False).returncode:
        pytest.skip("R has no package lme4")


def crossed_words(folder: Path, measure: str) -> pd.DataFrame:
    """Return the words inside the sentences of a corpus with standardised predictors."""
    corpus = read_corpus(folder)
    readings = human_readings(corpus)
    predictors = compute_predictors(
        [reading.text for reading in readings], provider="trigram", language=corpus.card.language
    )
    times = () if measure in FAMILIES else (measure,)
    every = word_rows(readings, predictors, times=times)
    words, _ = complete_rows(without_edges(every, ("first", "last")))
    return with_token(scale(words.dropna(subset=[measure]))[0])


class Conditional:
    """The slopes of a model whose deviations are given: their mode, and errors from the curvature there."""

    def __init__(self, words: pd.DataFrame, glm: Glm) -> None:
        design = build_design(words, glm)
        self.posterior = Posterior(glm, design, resolve("brms", glm, design))
        self.names = [group.name for group in design.groups]
        self.units = np.eye(self.posterior.n_effects)[1 : 1 + len(PREDICTORS)]

    def slopes(self, deviations: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
        """Return the slopes and their errors by Newton's method."""
        hyper = np.log(np.maximum([deviations[name] for name in self.names], 1e-3))
        effects, step = np.zeros(self.posterior.n_effects), np.ones(1)
        while np.abs(step).max() > 1e-8:
            curvature = self.posterior.curvature(hyper, effects)
            step = curvature.solve(self.posterior.value_and_gradient(hyper, effects)[2])
            effects = effects + step
        variances = [curvature.solve(unit) @ unit for unit in self.units]
        return effects[1 : 1 + len(PREDICTORS)], np.sqrt(variances)


def long_predictions(theirs: Lme4, words: pd.DataFrame, family: Family) -> dict[str, float]:
    """Return marginal effects by numerical differentiation: lme4's predictions for many made-up readers.

    Readers come in pairs whose effects have opposite signs: what is left of chance is far below 2 %.
    """
    x = words[list(PREDICTORS)].to_numpy()
    rng = np.random.default_rng(1)
    beta = np.array([theirs.common[name][0] for name in PREDICTORS])
    reader = [theirs.deviations[f"{name}|reader_id"] for name in PREDICTORS]
    own = rng.normal(size=(3, 1000)) * np.array(reader)[:, None]
    intercepts = np.hypot.reduce([theirs.deviations.get(f"1|{group}", 0.0) for group in GROUPS])
    rest = intercepts * rng.normal(size=1000)
    own, rest = np.hstack([own, -own]), np.hstack([rest, -rest])

    def mean(shift: np.ndarray) -> float:
        eta = theirs.common["Intercept"][0] + (x + shift) @ (beta[:, None] + own) + rest
        return float((1 / (1 + np.exp(-eta)) if family == "bernoulli" else np.exp(eta)).mean())

    steps = 0.01 * np.eye(3)
    return {name: (mean(h) - mean(-h)) / 0.02 for name, h in zip(PREDICTORS, steps, strict=True)}


def with_their_numbers(theirs: Lme4, glm: Glm) -> Fit:
    """Return a fit of one draw, which is what lme4 estimated."""
    values = {name: value for name, (value, _) in theirs.common.items()}
    values |= {f"{name}_sigma": value for name, value in theirs.deviations.items()}
    draws = {name: np.full((1, 1), value) for name, value in values.items()}
    return Fit(glm, "lme4", "none", {}, 0, draws)


@pytest.mark.slow
@pytest.mark.usefixtures("lme4")
@pytest.mark.parametrize("corpus", ["schilling", "reading-brain-l1", "provo"])
@pytest.mark.parametrize(("measure", "family"), [("sr", "bernoulli"), ("tfc", "poisson")])
def test_crossed_effects_are_those_of_lme4(
    shared: Callable[[str], Path], tmp_path: Path, corpus: str, measure: str, family: Family
) -> None:
    words = crossed_words(shared(corpus), measure)
    glm = Glm(measure, family, PREDICTORS, GROUPS, slopes=SLOPES)
    theirs = by_lme4(words, glm, tmp_path)
    found = fit(words, glm, sampling=Sampling(seed=1))
    ours = summarise(found)
    print(
        f"\n{corpus} {measure}: {found.n_rows:,} words, lme4 {theirs.seconds[0]:.0f} s, {theirs.seconds[1]:.0f} CPU s"
    )
    for name, (estimate, error) in theirs.common.items():
        mine = ours[name]
        print(
            f"| {name} | {estimate:.4f} ± {error:.4f} | {mine.mean:.4f} ± {mine.sd:.4f} |"
            f" {(mine.mean - estimate) / error:+.3f} | {mine.sd / error - 1:+.1%} |"
        )
    given = dict(zip(PREDICTORS, Conditional(words, glm).slopes(theirs.deviations)[1], strict=True))
    quick = summarise(fit(words, glm, engine="laplace", sampling=Sampling(seed=1)))
    for name in PREDICTORS:
        estimate, error = theirs.common[name]
        print(
            f"by laplace, {name}: {quick[name].mean:.4f}, {quick[name].mean / estimate - 1:+.1%},"
            f" {(quick[name].mean - estimate) / error:+.3f} errors; error {quick[name].sd / error - 1:+.1%}"
        )
    print("given its deviations", {k: f"{given[k] / theirs.common[k][1] - 1:+.2%}" for k in PREDICTORS})
    for name in PREDICTORS:
        estimate, error = theirs.common[name]
        assert abs(ours[name].mean - estimate) < max(0.05 * abs(estimate), 0.1 * error), name
        # Maximum likelihood takes deviations for known. So taken, errors are the same; a posterior knows that
        # they are not known exactly: with 30 readers errors grow by a few per cent.
        assert given[name] == pytest.approx(error, rel=0.01), name
        assert ours[name].sd == pytest.approx(error, rel=0.1), name
        # The approximation that lme4 makes: slopes and errors within 5 % of its own.
        assert abs(quick[name].mean - estimate) < max(0.05 * abs(estimate), 0.1 * error), name
        assert quick[name].sd == pytest.approx(error, rel=0.05), name
    some = words.iloc[:: max(1, len(words) // 2000)]
    marginal, same = marginal_effects(found, some), marginal_effects(with_their_numbers(theirs, glm), some)
    for name, long in long_predictions(theirs, some, family).items():
        print(
            f"marginal effect of {name}: {long:.5f}, ours {marginal[name].mean():.5f} ± {marginal[name].std():.5f}; {same[name].item() / long - 1:+.2%}"
        )
        assert same[name].item() == pytest.approx(long, rel=0.02), name
        assert abs(marginal[name].mean() - long) < max(0.02 * abs(long), 0.1 * marginal[name].std()), name
    for name, deviation in theirs.deviations.items():
        low, high = np.quantile(found.flat(f"{name}_sigma"), [0.025, 0.975])
        print(f"deviation {name}: {deviation:.4f}, ours [{low:.4f}, {high:.4f}]")
        assert deviation < high, name
        assert low < deviation or deviation < 1e-3, name  # maximum likelihood may find none
    for name, intercepts in theirs.intercepts.items():
        low, high = np.quantile(found.draws[name], [0.025, 0.975], axis=(0, 1))
        predicted = np.array([intercepts[level] for level in found.levels[name]])
        print(
            f"intercepts {name}: {len(predicted)}, outside {np.sum((predicted < low) | (predicted > high))}"
        )
        assert ((low < predicted) & (predicted < high)).all(), name


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "family"), [("sr", "bernoulli"), ("tfc", "poisson")])
def test_errors_are_those_of_known_deviations_over_all_that_are_possible(
    shared: Callable[[str], Path], measure: str, family: Family
) -> None:
    """Why errors are larger than lme4's: var(b) = E var(b | σ) + var E(b | σ), σ from the posterior.

    The second truth is Newton's method at each σ; it shares no step with the sampler, but the Laplace integral.
    """
    words = crossed_words(shared("schilling"), measure)
    glm = Glm(measure, family, PREDICTORS, GROUPS, slopes=SLOPES)
    found, conditional = fit(words, glm, sampling=Sampling(seed=1, draws=5000)), Conditional(words, glm)
    drawn = [found.flat(f"{name}_sigma")[::100] for name in conditional.names]
    parts = [
        conditional.slopes(dict(zip(conditional.names, each, strict=True)))
        for each in zip(*drawn, strict=True)
    ]
    means, errors = np.array(parts).transpose(1, 0, 2)
    expected = np.sqrt((errors**2).mean(axis=0) + means.var(axis=0))
    ours = [summarise(found)[name].sd for name in PREDICTORS]
    print(f"\n{measure}: errors {np.round(ours, 5)}, from deviations {np.round(expected, 5)}")
    np.testing.assert_allclose(ours, expected, rtol=0.03)


@pytest.mark.slow
@pytest.mark.usefixtures("lme4")
@pytest.mark.parametrize("corpus", ["schilling", "reading-brain-l1", "provo"])
def test_log_times_are_those_of_lmer(shared: Callable[[str], Path], tmp_path: Path, corpus: str) -> None:
    """Flat slopes and thousands of words: posterior means within .05 standard deviations of lmer's."""
    words = crossed_words(shared(corpus), "FPRT")
    glm = Glm("FPRT", "lognormal", PREDICTORS, ("reader_id", "sentence_id"))
    theirs = by_lme4(words, glm, tmp_path)
    found = fit(words, glm, sampling=Sampling(seed=1, draws=4000))
    ours = summarise(found)
    print(
        f"\n{corpus} FPRT: {found.n_rows:,} words, lmer {theirs.seconds[0]:.0f} s, {theirs.seconds[1]:.0f} CPU s"
    )
    for name in PREDICTORS:
        estimate, error = theirs.common[name]
        mine = ours[name]
        print(
            f"| {name} | {estimate:.5f} ± {error:.5f} | {mine.mean:.5f} ± {mine.sd:.5f} |"
            f" {(mine.mean - estimate) / error:+.3f} | {mine.sd / error - 1:+.1%} |"
        )
        assert abs(mine.mean - estimate) < 0.05 * mine.sd, name
        assert mine.sd == pytest.approx(error, rel=0.05), name
