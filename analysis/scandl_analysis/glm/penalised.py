"""Penalised regression for prediction: splines and reader intercepts, shrunk as far as the data say.

Every term is a set of columns with a ridge of its own: a spline is a straight line, which is not shrunk,
and the bends beside it, which are (Eilers & Marx, 1996, Statistical Science 11); intercepts of readers are
shrunk towards their mean. How far is found by the update of Wood & Fasiolo (2017, Biometrics 73), which
maximises the Laplace approximation of the marginal likelihood. Readings of one word go together, so that
many of them tell less than as many words would: ridges know it by the design effect (Kish, 1965). There are
no draws here: what is asked of such a fit is how likely it makes words that it has not seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BSpline
from scipy.special import gammaln

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.design import Indices
from scandl_analysis.glm.spec import Family

KNOTS = 8
"""Pieces of a spline: cubic ones, equally long."""
_FIRM = 1e-9
"""A ridge on every column, relative to its size, so that a predictor that repeats others does no harm."""
_LEAST, _MOST = 1e-4, 1e9
_ROUNDS = 60
_SETTLED = 0.01
"""Degrees of freedom: when no term changes by more, ridges are as good as found."""


@dataclass(frozen=True)
class SplineColumns:
    """The columns of some words: common ones, and the number of each word's reader.

    ``blocks`` says which common columns share a ridge; columns in none of them have none.
    """

    common: Floats  # (n, k), the first is 1
    reader: Indices  # (n,)
    n_readers: int  # 1: readers are not told apart
    blocks: tuple[tuple[int, int], ...] = ()

    def rows(self, chosen: Indices) -> SplineColumns:
        """Return the columns of some words."""
        return SplineColumns(self.common[chosen], self.reader[chosen], self.n_readers, self.blocks)


@dataclass(frozen=True)
class Start:
    """Where to begin: coefficients and ridges of a fit to nearly the same words."""

    coefficients: Floats
    ridges: Floats


@dataclass(frozen=True)
class Penalised:
    """A fit: coefficients of the common columns and of readers, the ridges, the error of times."""

    family: Family
    coefficients: Floats  # (k + readers,)
    ridges: Floats  # one per block, then that of readers
    scale: float = 1.0
    """Variance of the outcome around its mean, where the family has one."""

    def design_effect(self, columns: SplineColumns, outcome: Floats, word: Indices) -> float:
        """Return how many readings of a word tell as much as one of as many different words; at least 1."""
        eta = _linear(columns, self.coefficients)
        residual = outcome - eta
        if self.family in ("bernoulli", "poisson"):
            mean, weight = _mean_and_weight(self.family, eta)
            residual = (outcome - mean) / np.sqrt(weight)
        else:
            residual = residual / residual.std()
        together = np.bincount(word, residual)
        return max(1.0, float((together**2).sum()) / len(outcome))

    def log_likelihood(self, columns: SplineColumns, outcome: Floats) -> Floats:
        """Return the log likelihood of each word, natural; of log-normal times per unit of log time."""
        eta = _linear(columns, self.coefficients)
        if self.family == "bernoulli":
            return np.asarray(outcome * eta - np.logaddexp(0.0, eta))
        if self.family == "poisson":
            return np.asarray(outcome * eta - np.exp(eta) - gammaln(outcome + 1))
        deviance = (outcome - eta) ** 2 / self.scale
        return np.asarray(-0.5 * (math.log(2 * math.pi * self.scale) + deviance))


def line_and_bends(x: Floats) -> tuple[Floats, Floats]:
    """Return a predictor as a standardised line, and the bends that make a cubic spline of it.

    The bends are scaled so that one ridge on all of them is a penalty on second differences of the
    spline's coefficients.

    >>> line, bends = line_and_bends(np.linspace(0.0, 1.0, 50))
    >>> bends.shape, bool(abs(line.mean()) < 1e-9)
    ((50, 9), True)
    """
    low, high = float(x.min()), float(x.max())
    knots = low + (high - low) / KNOTS * np.arange(-3.0, KNOTS + 4)
    basis = BSpline.design_matrix(np.clip(x, low, high), _wide(knots), 3).toarray()
    difference = np.diff(np.eye(basis.shape[1]), 2, axis=0)
    values, vectors = np.linalg.eigh(difference.T @ difference)
    bends = basis @ (vectors[:, 2:] / np.sqrt(values[2:]))
    line = (x - x.mean()) / x.std()
    # Bends are told apart from constant and line, or shrinking would move those too.
    plane = np.column_stack([np.ones(len(x)), line])
    return line, bends - plane @ np.linalg.lstsq(plane, bends, rcond=None)[0]


def _wide(knots: NDArray[np.floating[Any]]) -> Floats:
    """Return knots with the last a little further right: a spline is not defined at its very end."""
    return np.concatenate([knots[:-4], knots[-4:] + 1e-9 * (knots[-1] - knots[0])])


def columns_of(
    base: Sequence[Floats], added: Sequence[Floats], reader: Indices, n_readers: int, *, spline: bool
) -> SplineColumns:
    """Return the columns of predictors, straight lines or splines, beside intercepts of readers.

    The lines of ``added`` predictors are shrunk too: one that says nothing then has no effect, where it
    would otherwise cost the price of a coefficient.
    """
    parts = [line_and_bends(x) for x in (*base, *added)]
    lines = [np.ones(len(reader)), *(line for line, _ in parts)]
    place, bends = len(lines), []
    blocks = [(place - k, place - k + 1) for k in range(len(added), 0, -1)]
    for _, each in parts if spline else ():
        bends.append(each)
        blocks.append((place, place + each.shape[1]))
        place += each.shape[1]
    return SplineColumns(np.column_stack([*lines, *bends]), reader, n_readers, tuple(blocks))


@dataclass
class Sums:
    """What a weighted least-squares step needs of the words: products of columns, and with the outcome."""

    products: Floats  # (p, p)
    with_outcome: Floats  # (p,)
    square: float
    n: int

    def __sub__(self, other: Sums) -> Sums:
        return Sums(
            self.products - other.products,
            self.with_outcome - other.with_outcome,
            self.square - other.square,
            self.n - other.n,
        )


def sums(columns: SplineColumns, outcome: Floats, weight: Floats | None = None) -> Sums:
    """Return the sums over words; readers have one column each, of which no matrix is made."""
    x, k = columns.common, columns.common.shape[1]
    heavy = x if weight is None else x * weight[:, None]
    n = columns.n_readers if columns.n_readers > 1 else 0
    products, with_outcome = np.zeros((k + n, k + n)), np.zeros(k + n)
    products[:k, :k] = heavy.T @ x
    with_outcome[:k] = heavy.T @ outcome
    weighted = outcome if weight is None else weight * outcome
    if n:
        counts = np.bincount(columns.reader, weight, minlength=n)
        across = np.stack([np.bincount(columns.reader, column, minlength=n) for column in heavy.T])
        products[:k, k:], products[k:, :k] = across, across.T
        products[k:, k:] = np.diag(counts)
        with_outcome[k:] = np.bincount(columns.reader, weighted, minlength=n)
    return Sums(products, with_outcome, float(weighted @ outcome), len(outcome))


@dataclass
class _Ridges:
    """The penalties, and how they follow the coefficients."""

    blocks: tuple[tuple[int, int], ...]
    values: Floats
    freedom: tuple[float, ...]

    def diagonal(self, size: int) -> Floats:
        found = np.zeros(size)
        for (first, last), ridge in zip(self.blocks, self.values, strict=True):
            found[first:last] = ridge
        return found

    def update(self, coefficients: Floats, inverse: Floats, scale: float) -> float:
        """Take the next ridges; return by how much their degrees of freedom changed at most."""
        before = self.freedom
        after = []
        for number, (first, last) in enumerate(self.blocks):
            known = (last - first) - self.values[number] * float(np.trace(inverse[first:last, first:last]))
            size = float(coefficients[first:last] @ coefficients[first:last])
            self.values[number] = min(max(scale * max(known, 1e-12) / max(size, 1e-300), _LEAST), _MOST)
            after.append(known)
        self.freedom = tuple(after)
        return max((abs(a - b) for a, b in zip(after, before, strict=True)), default=0.0)


def fit_times(total: Sums, columns: SplineColumns, design_effect: float = 1.0) -> Penalised:
    """Fit log times, or any outcome with a normal error, from the sums over words."""
    ridges = _ridges(columns, None)
    scale = total.square / total.n
    coefficients = np.zeros(len(total.with_outcome))
    for _ in range(_ROUNDS):
        coefficients, inverse = _solve(total, ridges)
        explained = 2 * float(coefficients @ total.with_outcome)
        rest = total.square - explained + float(coefficients @ total.products @ coefficients)
        freedom = float((inverse * total.products).sum())
        scale = max(rest, 1e-12) / max(total.n - freedom, 1.0)
        if ridges.update(coefficients, inverse, scale * design_effect) < _SETTLED:
            break
    return Penalised("lognormal", coefficients, ridges.values, scale)


def fit_counts(
    family: Family,
    columns: SplineColumns,
    outcome: Floats,
    design_effect: float = 1.0,
    start: Start | None = None,
) -> Penalised:
    """Fit skipping (bernoulli) or counts (poisson) by weighted least squares, again and again."""
    ridges = _ridges(columns, start)
    n = columns.common.shape[1] + (columns.n_readers if columns.n_readers > 1 else 0)
    coefficients = np.zeros(n) if start is None else start.coefficients
    if start is None:
        mean = outcome.mean()
        coefficients[0] = math.log(mean / (1 - mean)) if family == "bernoulli" else math.log(mean)
    for _ in range(_ROUNDS):
        eta = np.clip(_linear(columns, coefficients), -30.0, 30.0)
        mean, weight = _mean_and_weight(family, eta)
        step = sums(columns, eta + (outcome - mean) / weight, weight)
        new, inverse = _solve(step, ridges)
        moved = float(np.abs(new - coefficients).max())
        coefficients = new
        if ridges.update(coefficients, inverse, design_effect) < _SETTLED and moved < 1e-3:
            break
    return Penalised(family, coefficients, ridges.values)


def _mean_and_weight(family: Family, eta: Floats) -> tuple[Floats, Floats]:
    """Return the expected outcome, and its variance, which weights the word."""
    mean = 1 / (1 + np.exp(-eta)) if family == "bernoulli" else np.exp(eta)
    return np.asarray(mean), np.maximum(mean * (1 - mean) if family == "bernoulli" else mean, 1e-10)


def _solve(total: Sums, ridges: _Ridges) -> tuple[Floats, Floats]:
    """Return the coefficients and the inverse of the penalised products."""
    size = np.diag(total.products)
    whole = total.products + np.diag(ridges.diagonal(len(size)) + _FIRM * size + 1e-12)
    inverse: Floats = np.asarray(np.linalg.inv(whole), np.float64)
    return inverse @ total.with_outcome, inverse


def _ridges(columns: SplineColumns, start: Start | None) -> _Ridges:
    k = columns.common.shape[1]
    readers = ((k, k + columns.n_readers),) if columns.n_readers > 1 else ()
    blocks = (*columns.blocks, *readers)
    values = np.ones(len(blocks)) if start is None else start.ridges.copy()
    return _Ridges(blocks, values, (math.inf,) * len(blocks))


def _linear(columns: SplineColumns, coefficients: Floats) -> Floats:
    k = columns.common.shape[1]
    eta = columns.common @ coefficients[:k]
    return np.asarray(eta + coefficients[k:][columns.reader] if columns.n_readers > 1 else eta)
