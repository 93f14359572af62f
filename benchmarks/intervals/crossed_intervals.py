"""How often 95 % intervals cover the true effect: the crossed design beside the published one.

Words are made with known deviations of word tokens and of readers' slopes, again and again; each time both
designs are fitted and their intervals looked at, and those of the crossed design that take its deviations for
known, as maximum likelihood does.

``python benchmarks/intervals/crossed_intervals.py [DATA SETS] [ENGINE]``: 200 and ``hmc``,
seconds a data set.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd

from scandl.seeds import stream
from scandl_analysis.effects.designs import source_glm
from scandl_analysis.glm.design import build_design
from scandl_analysis.glm.diagnostics import summarise
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.laplace import approximate
from scandl_analysis.glm.posterior import Posterior
from scandl_analysis.glm.priors import resolve
from scandl_analysis.glm.spec import Family, Glm, Sampling

PREDICTORS = ("word_length", "frequency", "surprisal")
DESIGNS = ("crossed", "paper")
KNOWN = "crossed, deviations taken for known"


@dataclass(frozen=True)
class Truth:
    """What the words are made with."""

    intercept: float
    slopes: tuple[float, float, float]
    reader: float = 0.4
    reader_slope: float = 0.15
    sentence: float = 0.1
    token: float = 0.5


TRUTHS: dict[str, tuple[Family, Truth]] = {
    "sr": ("bernoulli", Truth(-0.6, (-0.9, 0.2, 0.0))),
    "tfc": ("poisson", Truth(-0.2, (0.25, -0.2, 0.0), reader=0.2, reader_slope=0.06, token=0.2)),
}


def made_words(
    family: Family,
    truth: Truth,
    rng: np.random.Generator,
    *,
    n_readers: int = 30,
    n_sentences: int = 48,
    n_words: int = 9,
) -> pd.DataFrame:
    """Return the words of all sentences read by all readers."""
    n_tokens = n_sentences * n_words
    root = np.linalg.cholesky([[1, -0.6, 0.4], [-0.6, 1, -0.6], [0.4, -0.6, 1]])
    x = rng.normal(size=(n_tokens, 3)) @ root.T
    by_token = x @ truth.slopes + rng.normal(0, truth.token, n_tokens)
    by_token += np.repeat(rng.normal(0, truth.sentence, n_sentences), n_words)
    own = rng.normal(0, truth.reader_slope, (n_readers, 3))
    eta = truth.intercept + rng.normal(0, truth.reader, n_readers)[:, None] + by_token + own @ x.T
    y = rng.binomial(1, 1 / (1 + np.exp(-eta))) if family == "bernoulli" else rng.poisson(np.exp(eta))
    token = np.tile(np.arange(n_tokens), n_readers)
    frame = pd.DataFrame(np.tile(x, (n_readers, 1)), columns=list(PREDICTORS))
    return frame.assign(
        y=y.reshape(-1),
        reader_id=np.repeat(np.arange(n_readers), n_tokens).astype(str),
        sentence_id=(token // n_words).astype(str),
        word_token=token.astype(str),
    )


def wald_intervals(frame: pd.DataFrame, glm: Glm) -> list[tuple[float, float]]:
    """Return normal intervals of the slopes from the curvature at the most likely deviations."""
    design = build_design(frame, glm)
    found = approximate(Posterior(glm, design, resolve("brms", glm, design)))
    units = np.eye(len(found.effects))
    half = [1.96 * found.curvature.solve(units[k])[k] ** 0.5 for k in range(1, 1 + len(PREDICTORS))]
    return [(found.effects[k] - each, found.effects[k] + each) for k, each in enumerate(half, start=1)]


def covered(measure: str, seed: int, engine: str) -> dict[str, list[bool]]:
    """Return for each kind of interval whether that of each slope covers its truth."""
    family, truth = TRUTHS[measure]
    frame = made_words(family, truth, stream(seed, "coverage", measure))
    found = {}
    for design in DESIGNS:
        glm = source_glm(design, "y", "human", frame, predictors=PREDICTORS, family=family)
        known = summarise(fit(frame, glm, engine=engine, sampling=Sampling(seed=seed, draws=500, patience=1)))
        intervals = {design: [(known[name].ci_low, known[name].ci_high) for name in PREDICTORS]}
        if design == "crossed":
            intervals[KNOWN] = wald_intervals(frame, glm)
        for kind, each in intervals.items():
            pairs = zip(each, truth.slopes, strict=True)
            found[kind] = [low < value < high for (low, high), value in pairs]
    return found


def main() -> None:
    """Print the coverage after every tenth data set."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    engine = sys.argv[2] if len(sys.argv) > 2 else "hmc"
    hits: dict[tuple[str, str], list[bool]] = {(m, d): [] for m in TRUTHS for d in (*DESIGNS, KNOWN)}
    for seed in range(n):
        for measure in TRUTHS:
            for design, found in covered(measure, seed, engine).items():
                hits[measure, design] += found
        if (seed + 1) % 10 == 0 or seed + 1 == n:
            shares = ", ".join(f"{m} {d} {np.mean(each):.3f}" for (m, d), each in hits.items())
            print(f"{engine}, {seed + 1} data sets × 3 slopes: {shares}", flush=True)


if __name__ == "__main__":
    main()
