"""How often verdicts on effects are wrong, and how often they are given, on words made with known effects.

``equal``: two models have exactly the effects of people. One has as many words, a half, a quarter or a ninth.
How often is one called further away than the other? ``margin``: a model has 0 to 2 times the effect of length
that people have. How often is it called equivalent, too weak, too strong or undecided?

``curves``: the same from normal estimates, by the error of the difference.

``python benchmarks/intervals/verdict_errors.py equal 100`` and ``… margin 60``: quick looks, some seconds a
data set; ``… curves 1000``: seconds in all.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl_analysis.effects.designs import source_glm
from scandl_analysis.effects.verdicts import VERDICTS, Cell, Margins, Scale, further, judged
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.marginal import marginal_effects
from scandl_analysis.glm.spec import Family, Fit, Glm, Sampling, Slope

PREDICTORS = ("word_length", "frequency", "surprisal")
GROUPS = ("reader_id", "sentence_id", "word_token")
SHARES = (1.0, 1 / 2, 1 / 4, 1 / 9)
RATIOS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
ERRORS = (0.05, 0.1, 0.2, 0.4)
SIZES = {"12 readers": 12, "48 readers": 48}
N_WORDS = 9


@dataclass(frozen=True)
class Truth:
    """What the words of one measure are made with."""

    family: Family
    intercept: float
    slopes: tuple[float, ...]
    reader: float
    reader_slope: float
    token: float
    sentence: float = 0.1

    def marginal(self, x: pd.DataFrame) -> dict[str, float]:
        """Return the true average marginal effects on these words."""
        slopes = tuple(Slope(name, "reader_id") for name in PREDICTORS)
        glm = Glm("y", self.family, PREDICTORS, GROUPS, slopes=slopes)
        deviations = {"1|reader_id": self.reader, "1|sentence_id": self.sentence, "1|word_token": self.token}
        deviations |= {f"{name}|reader_id": self.reader_slope for name in PREDICTORS}
        values = {"Intercept": self.intercept} | dict(zip(PREDICTORS, self.slopes, strict=True))
        values |= {f"{name}_sigma": deviation for name, deviation in deviations.items()}
        draws = {name: np.full((1, 1), value) for name, value in values.items()}
        found = marginal_effects(Fit(glm, "truth", "none", {}, len(x), draws), x)
        return {name: each.item() for name, each in found.items()}

    def times(self, ratio: float, x: pd.DataFrame) -> Truth:
        """Return the truth of a model whose marginal effect of length is ``ratio`` times as large."""
        aim = ratio * self.marginal(x)["word_length"]

        def miss(slope: float) -> float:
            return replace(self, slopes=(slope, *self.slopes[1:])).marginal(x)["word_length"] - aim

        return replace(self, slopes=(brentq(miss, -4.0, 4.0), *self.slopes[1:]))


TRUTHS = {
    "sr": Truth("bernoulli", -0.6, (-0.9, 0.3, 0.0), 0.4, 0.15, 0.5),
    "tfc": Truth("poisson", -0.2, (0.25, -0.2, 0.0), 0.2, 0.06, 0.2),
}


@dataclass(frozen=True)
class Items:
    """The words of all sentences, with what is common to everybody who reads them."""

    x: Floats  # (word, 3)
    sentence: Floats  # (word,) standard normal
    token: Floats

    @classmethod
    def drawn(cls, rng: np.random.Generator, n_sentences: int) -> Items:
        """Return the words of so many sentences."""
        root = np.linalg.cholesky([[1, -0.6, 0.4], [-0.6, 1, -0.6], [0.4, -0.6, 1]])
        n = n_sentences * N_WORDS
        own = np.repeat(rng.normal(size=n_sentences), N_WORDS)
        return cls(rng.normal(size=(n, 3)) @ root.T, own, rng.normal(size=n))

    @property
    def frame(self) -> pd.DataFrame:
        """The predictors of the words."""
        return pd.DataFrame(self.x, columns=list(PREDICTORS))

    def read(
        self, truth: Truth, n_readers: int, rng: np.random.Generator, share: float = 1.0
    ) -> pd.DataFrame:
        """Return what new readers do with the first ``share`` of the sentences."""
        n = round(len(self.x) * share / N_WORDS) * N_WORDS
        x = self.x[:n]
        common = truth.intercept + x @ truth.slopes + truth.sentence * self.sentence[:n]
        own = rng.normal(0, truth.reader, n_readers)[:, None]
        own = own + rng.normal(0, truth.reader_slope, (n_readers, 3)) @ x.T
        eta = common + truth.token * self.token[:n] + own
        y = (
            rng.binomial(1, 1 / (1 + np.exp(-eta)))
            if truth.family == "bernoulli"
            else rng.poisson(np.exp(eta))
        )
        word = np.tile(np.arange(n), n_readers)
        return pd.DataFrame(np.tile(x, (n_readers, 1)), columns=list(PREDICTORS)).assign(
            y=y.reshape(-1),
            reader_id=np.repeat(np.arange(n_readers), n).astype(str),
            sentence_id=(word // N_WORDS).astype(str),
            word_token=word.astype(str),
        )


def effects(words: pd.DataFrame, truth: Truth, grid: pd.DataFrame, seed: int) -> dict[str, Floats]:
    """Return draws of the marginal effects that a quick look finds."""
    glm = source_glm("crossed", "y", "human", words, predictors=PREDICTORS, family=truth.family)
    found = fit(words, glm, engine="laplace", sampling=Sampling(seed=seed, draws=500))
    return marginal_effects(found, grid)


def equal(n: int, first: int = 0) -> None:
    """Print how often one of two models that are equal to people is called further away."""
    wrong: Counter[float] = Counter()
    for k in range(first, first + n):
        rng = stream(k, "equal")
        items = Items.drawn(rng, 36)
        sources: dict[float, dict[Cell, Floats]] = {share: {} for share in (-1.0, 0.0, *SHARES)}
        for measure, truth in TRUTHS.items():
            for j, (share, profile) in enumerate(sources.items()):
                words = items.read(truth, 24, rng, share if share > 0 else 1.0)
                for name, draws in effects(words, truth, items.frame, 100 * k + j).items():
                    profile[measure, name] = draws
        people, like = sources.pop(-1.0), sources.pop(0.0)
        scale = Scale.of(people)
        for share, profile in sources.items():
            gap = further(people, profile, like, scale)
            assert gap is not None
            wrong[share] += gap.low > 0 or gap.high < 0
        done = k + 1 - first
        if done % 10 == 0 or done == n:
            said = ", ".join(f"{share:.2f} of the words: {wrong[share] / done:.3f}" for share in SHARES)
            print(f"{done} data sets, called further away or nearer: {said}", flush=True)


def margin(n: int) -> None:
    """Print the verdicts on a model whose effect of length is so many times that of people."""
    counts: Counter[tuple[str, str, float, str]] = Counter()
    for k in range(n):
        rng = stream(k, "margin")
        items = Items.drawn(rng, 36)
        for measure, truth in TRUTHS.items():
            people = effects(items.read(truth, 48, rng), truth, items.frame, k)["word_length"]
            for ratio in RATIOS:
                model = truth.times(ratio, items.frame)
                for size, n_readers in SIZES.items():
                    seed = 1000 * k + round(100 * ratio) + n_readers
                    drawn = effects(items.read(model, n_readers, rng), model, items.frame, seed)
                    verdict = judged(people, drawn["word_length"], Margins(), measure).verdict
                    counts[measure, size, ratio, verdict] += 1
        if (k + 1) % 10 == 0 or k + 1 == n:
            print(f"{k + 1} data sets", flush=True)
    for measure in TRUTHS:
        for size in SIZES:
            for ratio in RATIOS:
                shares = " | ".join(f"{counts[measure, size, ratio, each] / n:.2f}" for each in VERDICTS)
                print(f"| {measure} | {size} | {ratio:g} | {shares} |")


def curves(n: int) -> None:
    """Print the verdicts by the error of the difference, where estimates are normal and errors known."""
    rng = stream(1, "curves")
    for error in ERRORS:
        own, other = error / 2, error * np.sqrt(0.75)  # people are known better than the model
        for ratio in RATIOS:
            counts: Counter[str] = Counter()
            for human, model in zip(rng.normal(1, own, n), rng.normal(ratio, other, n), strict=True):
                draws = rng.normal(human, own, 1000), rng.normal(model, other, 1000)
                counts[judged(*draws, Margins(), "sr").verdict] += 1
            shares = " | ".join(f"{counts[each] / n:.2f}" for each in VERDICTS)
            print(f"| {error:g} | {ratio:g} | {shares} |", flush=True)


if __name__ == "__main__":
    {"equal": equal, "margin": margin, "curves": curves}[sys.argv[1]](*map(int, sys.argv[2:]))
