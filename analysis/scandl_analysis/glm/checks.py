"""Whether the model can be believed: dispersion, collinearity, posterior predictive checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scandl.seeds import stream
from scandl_analysis.glm.fit import Fit
from scandl_analysis.glm.kernels import Floats

if TYPE_CHECKING:
    import pandas as pd

N_REPLICATES = 200


def dispersion(counts: Floats) -> float:
    """Return variance over mean: 1 for Poisson counts, more is over-, less is under-dispersion.

    >>> dispersion(np.array([0, 2, 0, 2]))
    1.3333333333333333
    """
    return float(counts.var(ddof=1) / counts.mean())


def collinearity(frame: pd.DataFrame, predictors: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return correlations and variance inflation of the predictors, one row each.

    The inflation is missing where predictors determine each other.
    """
    x = frame[list(predictors)].dropna().to_numpy(dtype=float)
    correlations = np.corrcoef(x, rowvar=False)
    determined = np.linalg.matrix_rank(correlations) < len(predictors)
    inflation = np.full(len(predictors), np.nan) if determined else np.diag(np.linalg.inv(correlations))
    return [
        {"predictor": name, "vif": float(inflation[k])}
        | {f"r({other})": float(correlations[k, j]) for j, other in enumerate(predictors)}
        for k, name in enumerate(predictors)
    ]


def replicates(fit: Fit, frame: pd.DataFrame, *, seed: int, n: int = N_REPLICATES) -> Floats:
    """Return outcomes drawn from the posterior predictive distribution of the same words, (n, rows)."""
    rng = stream(seed, "replicates", fit.glm.measure)
    chosen = rng.integers(0, fit.flat("Intercept").size, size=n)
    eta = np.repeat(fit.flat("Intercept")[chosen][:, None], len(frame), axis=1)
    for name in fit.glm.predictors:
        eta += fit.flat(name)[chosen][:, None] * frame[name].to_numpy(dtype=float)
    for group in fit.glm.groups:
        if f"1|{group}" in fit.draws:
            draws = fit.draws[f"1|{group}"]
            level = {name: k for k, name in enumerate(fit.levels[f"1|{group}"])}
            index = frame[group].astype(str).map(level).to_numpy()
            eta += draws.reshape(-1, draws.shape[-1])[chosen][:, index]
    if fit.glm.family == "bernoulli":
        return rng.binomial(1, 1 / (1 + np.exp(-eta))).astype(float)
    mean = np.exp(eta)
    if fit.glm.family == "negativebinomial":
        shape = fit.flat("alpha")[chosen][:, None]
        mean = rng.gamma(shape, mean / shape)
    return rng.poisson(mean).astype(float)


def rootogram(observed: Floats, replicated: Floats, largest: int = 8) -> list[dict[str, float]]:
    """Return how many words have each count, observed and expected with a 95 % interval.

    The last row holds all counts from ``largest`` on.
    """
    edges = np.append(np.arange(largest + 1) - 0.5, np.inf)
    counts = np.stack([np.histogram(row, edges)[0] for row in replicated])
    seen = np.histogram(observed, edges)[0]
    low, high = np.quantile(counts, [0.025, 0.975], axis=0)
    return [
        {"count": k, "observed": float(seen[k]), "expected": float(counts[:, k].mean()),
         "ci_low": float(low[k]), "ci_high": float(high[k])}
        for k in range(largest + 1)
    ]  # fmt: skip


def mean_by_class(
    observed: Floats, replicated: Floats, classes: pd.Series[Any]
) -> list[dict[str, float | str]]:
    """Return the mean outcome of each class of words, observed and expected with a 95 % interval."""
    rows: list[dict[str, float | str]] = []
    labels = classes.astype(str).to_numpy()
    for label in dict.fromkeys(labels.tolist()):
        here = labels == label
        means = replicated[:, here].mean(axis=1)
        low, high = np.quantile(means, [0.025, 0.975])
        rows.append({
            "class": label, "n_words": int(here.sum()), "observed": float(observed[here].mean()),
            "expected": float(means.mean()), "ci_low": float(low), "ci_high": float(high),
        })  # fmt: skip
    return rows
