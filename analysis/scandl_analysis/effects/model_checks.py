"""Whether a regression can be believed: dispersion, collinearity, prior and posterior predictive checks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from scipy.sparse import csr_array

from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import Design, Indices, build_design, by_levels, common_columns
from scandl_analysis.glm.marginal import averaged, drawn
from scandl_analysis.glm.priors import Priors, resolve
from scandl_analysis.glm.spec import COUNTS, TIMES, Fit, Glm
from scandl_analysis.words.analysed_run import HUMAN

if TYPE_CHECKING:
    import pandas as pd

N_REPLICATES = 400
LARGEST_COUNT = 8
CELLS = 1_000_000
"""Replicated words held in memory at once."""

K = TypeVar("K")
Statistic = Callable[[Floats], Floats]
"""A function of outcomes (replicate, word) with one value or row for each replicate."""

LENGTH_CLASS = "length_class"
READER = "reader_id"
_CELLS = CELLS
"""Replicated words held in memory at once."""


def dispersion(counts: Floats) -> float:
    """Return variance over mean: 1 for Poisson counts, more is over-, less is under-dispersion.

    >>> dispersion(np.array([0, 2, 0, 2]))
    1.3333333333333333
    """
    return float(dispersions(counts[None])[0])


def dispersions(outcomes: Floats) -> Floats:
    """Return the dispersion of each row; 1 where all counts are 0, which any Poisson mean near 0 makes."""
    means = outcomes.mean(axis=-1)
    return np.divide(outcomes.var(axis=-1, ddof=1), means, out=np.ones(len(outcomes)), where=means > 0)


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


def replicates(
    fit: Fit, frame: pd.DataFrame, *, seed: int, n: int = N_REPLICATES, cells: int = CELLS
) -> Iterator[Floats]:
    """Yield outcomes drawn from the posterior predictive distribution of the same words, (some of n, rows).

    How many come at once, about ``cells`` over rows, changes no number.
    """
    rng = stream(seed, "replicates", fit.glm.measure)
    rng_rates = stream(seed, "replicates, rates", fit.glm.measure)
    chosen = rng.integers(0, fit.flat("Intercept").size, size=n)
    terms, columns, _ = common_columns(frame, fit.glm)
    x = np.column_stack([np.ones(len(frame)), columns])
    effects = np.stack([fit.flat(name)[chosen] for name in ("Intercept", *terms)], axis=1)
    groups = _all_group_draws(fit, frame)
    for some in _blocks(n, len(frame), cells):
        eta = effects[some] @ x.T
        for draws, index, values in groups:
            eta += draws[chosen[some]][:, index] * values
        shape = None if fit.shape is None else fit.shape[chosen[some]]
        yield drawn(fit.glm.family, eta, shape, rng, rng_rates)


def measured(blocks: Iterable[Floats], statistics: Mapping[K, Statistic]) -> dict[K, Floats]:
    """Return each statistic of every replicate; the replicates themselves are not kept."""
    parts: dict[K, list[Floats]] = {name: [] for name in statistics}
    for outcomes in blocks:
        for name, statistic in statistics.items():
            parts[name].append(statistic(outcomes))
    return {name: np.concatenate(found) for name, found in parts.items()}


def prior_means(
    glm: Glm, design: Design, priors: Priors, *, seed: int, n: int = N_REPLICATES, cells: int = CELLS
) -> Floats:
    """Return what the mean outcome of the words may be before it is seen: one value for each draw."""
    rng = stream(seed, "prior predictive", glm.measure)
    slopes = np.reshape([prior.draw(rng, n) for prior in priors.slopes], (len(priors.slopes), n))
    intercept = priors.intercept.draw(rng, n)
    groups = [
        (deviation.draw(rng, n)[:, None] * rng.normal(size=(n, len(group.levels))), group)
        for group, deviation in zip(design.groups, priors.deviations, strict=True)
    ]
    shapes = None if priors.shape is None else priors.shape.draw(rng, n)
    means = []
    for some in _blocks(n, len(design.x), cells):
        eta = intercept[some][:, None] + slopes[:, some].T @ design.x.T
        for own, group in groups:
            of_rows = own[some][:, group.index]
            eta += of_rows if group.values is None else of_rows * group.values
        of_some = None if shapes is None else shapes[some]
        mean = eta if glm.family in TIMES else averaged(glm.family, eta, np.zeros_like(eta), of_some)[0]
        means.append(np.average(mean, axis=1, weights=design.trials))
    return np.concatenate(means)


def count_table(outcomes: Floats, largest: int = LARGEST_COUNT) -> Floats:
    """Return how many words of each replicate have each count; the last column holds all from ``largest`` on.

    >>> count_table(np.array([[0.0, 0.0, 1.0, 12.0]]), largest=3)
    array([[2., 1., 0., 1.]])
    """
    n, width = len(outcomes), largest + 1
    cell = np.minimum(outcomes, largest).astype(np.int64) + width * np.arange(n)[:, None]
    return np.bincount(cell.reshape(-1), minlength=n * width).reshape(n, width).astype(float)


def rootogram(observed: Floats, counts: Floats) -> list[dict[str, float]]:
    """Return how many words have each count, observed and expected with a 95 % interval.

    ``counts`` is the ``count_table`` of replicates; the last row holds all larger counts too.
    """
    largest = counts.shape[1] - 1
    seen = count_table(observed[None], largest)[0]
    low, high = np.quantile(counts, [0.025, 0.975], axis=0)
    return [
        {
            "count": k,
            "observed": float(seen[k]),
            "expected": float(counts[:, k].mean()),
            "ci_low": float(low[k]),
            "ci_high": float(high[k]),
        }
        for k in range(largest + 1)
    ]


@dataclass(frozen=True)
class Classes:
    """Which class each word belongs to, in order of appearance."""

    labels: tuple[str, ...]
    index: Indices

    @classmethod
    def of(cls, classes: pd.Series[Any]) -> Classes:
        """Return the classes of a column of labels."""
        codes, labels = classes.astype(str).factorize()
        return cls(tuple(labels), codes.astype(np.int64))

    @cached_property
    def sizes(self) -> Floats:
        """The number of words of each class."""
        return np.bincount(self.index).astype(float)

    def means(self, outcomes: Floats) -> Floats:
        """Return the mean outcome of each class (column) in each replicate (row)."""
        return np.asarray((self._members @ outcomes.T).T / self.sizes)

    @cached_property
    def _members(self) -> csr_array:
        n = len(self.index)
        return csr_array((np.ones(n), (self.index, np.arange(n))), shape=(len(self.labels), n))


def mean_by_class(observed: Floats, means: Floats, classes: Classes) -> list[dict[str, float | str]]:
    """Return the mean outcome of each class of words, observed and expected with a 95 % interval.

    ``means`` are those of the replicates, (replicate, class).
    """
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    seen, expected = classes.means(observed[None])[0], means.mean(axis=0)
    return [
        {
            "class": label,
            "n_words": int(classes.sizes[k]),
            "observed": float(seen[k]),
            "expected": float(expected[k]),
            "ci_low": float(low[k]),
            "ci_high": float(high[k]),
        }
        for k, label in enumerate(classes.labels)
    ]


def _all_group_draws(fit: Fit, frame: pd.DataFrame) -> list[tuple[Floats, Indices, Floats | float]]:
    """Return the draws of each group's effects, (draw, level), the level of each word and its multiplier."""
    found: list[tuple[Floats, Indices, Floats | float]] = []
    for factor in fit.glm.factors:
        terms = {"1": 1.0} | {name: frame[name].to_numpy(dtype=float) for name in fit.glm.slopes_of(factor)}
        for term, values in terms.items():
            name = f"{term}|{factor}"
            if name not in fit.draws:  # a quick look without group terms
                continue
            level = {label: k for k, label in enumerate(fit.levels[name])}
            index = frame[factor].astype(str).map(level).to_numpy().astype(np.int64)
            draws = np.asarray(fit.draws[name])
            found.append((draws.reshape(-1, draws.shape[-1]), index, values))
    return found


def _blocks(n: int, width: int, cells: int) -> Iterator[slice]:
    """Yield parts of range(n) that have at most ``cells`` cells of rows of ``width``, at least one row."""
    size = max(1, cells // width)
    for start in range(0, n, size):
        yield slice(start, start + size)


@dataclass(frozen=True)
class _SourceRows:
    """The words of one source in a fit; all of them, unless the design is joint."""

    model: str
    rows: Indices
    observed: Floats
    classes: dict[str, Classes]
    statistics: dict[str, Statistic]


def predictive_checks(
    found: Fit, words: pd.DataFrame, *, model: str, priors: str, seed: int
) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a fit by their names, one row for each class of words of each source."""
    glm = found.glm
    frame = words.dropna(subset=list(glm.columns))
    parts = _parts(glm, frame, model)
    drawn = measured(
        replicates(found, frame, seed=seed, cells=_CELLS),
        {
            (part.model, name): partial(_of_rows, statistic, part.rows)
            for part in parts
            for name, statistic in part.statistics.items()
        },
    )
    checks: dict[str, list[dict[str, Any]]] = {}
    for part in parts:
        for name, table in _tables(part, {name: drawn[part.model, name] for name in part.statistics}).items():
            checks.setdefault(name, []).extend({"model": part.model, **row} for row in table)
    design = build_design(frame, glm)
    resolved = resolve(priors, glm, design)
    if resolved.are_proper and glm.by is None:  # those of a joint design are of no single source
        means = prior_means(glm, design, resolved, seed=seed, cells=_CELLS)
        observed = float(design.outcome.mean())  # of log-normal times the mean logarithm, as expected
        checks["prior predictive mean"] = [{"observed": observed, **_spread(means, np.median)}]
    return checks


def _parts(glm: Glm, frame: pd.DataFrame, model: str) -> list[_SourceRows]:
    sources: dict[str, Indices] = {model: np.arange(len(frame))}
    if glm.by is not None:
        named = frame[glm.by].astype(str).to_numpy()
        sources = {name: np.flatnonzero(named == name) for name in by_levels(frame, glm.by)}
    parts = []
    for source, rows in sources.items():
        theirs = frame.iloc[rows]
        classes: dict[str, Classes] = {}
        if LENGTH_CLASS in frame:
            classes["mean by word length"] = Classes.of(theirs[LENGTH_CLASS])
        if READER in glm.groups and (glm.by is None or source == HUMAN):
            classes["mean by reader"] = Classes.of(theirs[READER])
        statistics: dict[str, Statistic] = {name: each.means for name, each in classes.items()}
        if glm.family in COUNTS:
            statistics |= {"rootogram": count_table, "dispersion": dispersions}
        observed = theirs[glm.measure].to_numpy(dtype=float)
        parts.append(_SourceRows(source, rows, observed, classes, statistics))
    return parts


def _of_rows(statistic: Statistic, rows: Indices, outcomes: Floats) -> Floats:
    return statistic(outcomes if len(rows) == outcomes.shape[1] else outcomes[:, rows])


def _tables(part: _SourceRows, drawn: Mapping[str, Floats]) -> dict[str, list[dict[str, Any]]]:
    """Return observed and replicated values of one source, a table for each check."""
    tables: dict[str, list[dict[str, Any]]] = {
        name: [dict(row) for row in mean_by_class(part.observed, drawn[name], each)]
        for name, each in part.classes.items()
    }
    if "rootogram" in drawn:
        tables["rootogram"] = [dict(row) for row in rootogram(part.observed, drawn["rootogram"])]
        spread = _spread(drawn["dispersion"], np.mean)
        tables["dispersion"] = [{"observed": dispersion(part.observed), **spread}]
    return tables


def _spread(values: Floats, centre: Callable[[Floats], Any]) -> dict[str, float]:
    low, high = np.quantile(values, [0.025, 0.975])
    return {"expected": float(centre(values)), "ci_low": float(low), "ci_high": float(high)}
