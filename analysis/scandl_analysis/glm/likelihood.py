"""Log-likelihoods with their gradients over the effects of a model, on exactly reduced data.

The effects stand in one vector: intercept, slopes, then the intercepts of each group. For the
canonical links the outcomes enter only through their sums per column, which are taken once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from scandl_analysis.glm.design import Design, Indices
from scandl_analysis.glm.kernels import Floats, bernoulli_pass, poisson_pass, sum_by
from scandl_analysis.glm.spec import Glm


class Likelihood(Protocol):
    """What the posterior needs of a likelihood; ``log_shape`` matters to the negative binomial only."""

    def value_and_gradient(self, effects: Floats, log_shape: float) -> tuple[float, Floats, float]:
        """Return the value and its derivatives by the effects and by the log shape."""
        ...

    def weights(self, effects: Floats, log_shape: float) -> Floats:
        """Return minus the second derivative by the linear predictor, for each row of the design."""
        ...


class Columns:
    """The design as a linear map from effects to linear predictors, and back."""

    def __init__(self, x: Floats, groups: tuple[tuple[Indices, int, int], ...], n_effects: int) -> None:
        self.x = np.ascontiguousarray(x)
        self.groups = groups  # (level of each row, place of the first level in the effects, levels)
        self.n_effects = n_effects

    @classmethod
    def of(cls, design: Design) -> Columns:
        """Return the map that belongs to a design."""
        groups, place = [], 1 + len(design.terms)
        for group in design.groups:
            groups.append((group.index, place, len(group.levels)))
            place += len(group.levels)
        return cls(design.x, tuple(groups), place)

    def predict(self, effects: Floats) -> Floats:
        """Return the linear predictor of each row."""
        p = self.x.shape[1]
        eta = self.x @ effects[1 : 1 + p]
        eta += effects[0]
        for index, place, n in self.groups:
            eta += effects[place : place + n][index]
        return np.asarray(eta)

    def collect(self, row_values: Floats) -> Floats:
        """Return the transpose of ``predict`` applied to one value per row."""
        out = np.zeros(self.n_effects)
        out[0] = row_values.sum()
        out[1 : 1 + self.x.shape[1]] = row_values @ self.x
        for index, place, n in self.groups:
            sum_by(index, row_values, out[place : place + n])
        return out


class Bernoulli:
    """Successes out of trials with a logit link."""

    def __init__(self, design: Design) -> None:
        columns = Columns.of(design)
        self._columns, self._trials = columns, design.trials
        self._sums = columns.collect(design.total)
        # Rows of one reader and weight stand together, so that the kernel meets a reader's effect once.
        own, rest = np.full(len(design.trials), -1), columns.groups
        if rest:
            (index, place, _), *others = rest
            own, rest = place + index, tuple(others)
        order = np.lexsort((own, design.trials))
        self._x, self._groups, self._places = _stacked(Columns(columns.x, rest, columns.n_effects), order)
        runs, starts = np.unique(np.stack([design.trials[order], own[order]]), axis=1, return_index=True)
        self._run_weights, self._own = runs[0], runs[1].astype(np.int64)
        self._bounds = np.append(starts, len(order)).astype(np.int64)

    def value_and_gradient(self, effects: Floats, log_shape: float = 0.0) -> tuple[float, Floats, float]:
        """Return Σ y η − Σ n log(1 + e^η) and its gradient."""
        gradient = self._sums.copy()
        total = bernoulli_pass(
            effects, self._x, self._groups, self._places, self._bounds, self._own, self._run_weights, gradient
        )
        return float(self._sums @ effects) - total, gradient, 0.0

    def weights(self, effects: Floats, log_shape: float = 0.0) -> Floats:
        """Return n p (1 − p)."""
        eta = self._columns.predict(effects)
        half = 0.5 / np.cosh(0.5 * np.clip(eta, -700, 700))
        return np.asarray(self._trials * half**2)


class Poisson:
    """Counts with a log link, factorised over the word tokens.

    Readers of one sentence meet the same tokens, so Σ exp(xβ + u) over rows is, for each set of
    tokens with the same readers, the product of a sum over tokens and a sum over readers.
    """

    def __init__(self, design: Design) -> None:
        columns = Columns.of(design)
        self._all = columns
        self._trials = design.trials
        self._sums = columns.collect(design.total)
        self._factor: slice | None = None
        if not columns.groups:
            self._exposure, self._block = np.unique(design.trials, return_inverse=True)
            self._x, self._groups, self._places = _stacked(columns, slice(None))
            return
        (index, place, n), *rest = columns.groups
        token, representative = _tokens(design.x, [level for level, _, _ in rest])
        self._block, self._readers = _blocks(token, index, design.trials, n)
        self._by_reader = self._readers.T
        self._factor = slice(place, place + n)
        self._x, self._groups, self._places = _stacked(
            Columns(design.x, tuple(rest), columns.n_effects), representative
        )

    def value_and_gradient(self, effects: Floats, log_shape: float = 0.0) -> tuple[float, Floats, float]:
        """Return Σ y η − Σ n e^η and its gradient."""
        gradient = self._sums.copy()
        if self._factor is None:
            exposure = self._exposure
        else:
            rates = np.exp(np.minimum(effects[self._factor], 700))
            exposure = self._readers @ rates
        by_block = np.empty(len(exposure))
        total = poisson_pass(
            effects, self._x, self._groups, self._places, self._block, exposure, by_block, gradient
        )
        if self._factor is not None:
            gradient[self._factor] -= rates * (self._by_reader @ by_block)
        return float(self._sums @ effects) - total, gradient, 0.0

    def weights(self, effects: Floats, log_shape: float = 0.0) -> Floats:
        """Return n e^η."""
        return np.asarray(self._trials * np.exp(np.minimum(self._all.predict(effects), 700)))


class NegativeBinomial:
    """Over-dispersed counts with a log link: variance μ + μ²/φ, φ the shape."""

    def __init__(self, design: Design) -> None:
        self._columns = Columns.of(design)
        self._trials = design.trials
        self._y = design.total / design.trials
        # log Γ(y + φ) − log Γ(φ) = Σ log(φ + j) over j < y; this many rows have a term j:
        below = np.arange(self._y.max())
        self._j, self._n_above = below, np.array([design.trials[self._y > j].sum() for j in below])

    def value_and_gradient(self, effects: Floats, log_shape: float) -> tuple[float, Floats, float]:
        """Return the log-likelihood and its derivatives by effects and log φ."""
        eta, shape = self._columns.predict(effects), float(np.exp(log_shape))
        share, log_sum = self._mixture(eta, log_shape)
        n, y = self._trials, self._y
        log_ratio = np.logaddexp(0.0, eta - log_shape)  # log(1 + μ/φ)
        value = self._n_above @ np.log(shape + self._j) + n @ (y * (eta - log_sum) - shape * log_ratio)
        slope = n * (y - (y + shape) * share)
        by_shape = self._n_above @ (1 / (shape + self._j))
        by_shape += n @ (share - y * (1 - share) / shape - log_ratio)
        return float(value), self._columns.collect(slope), float(shape * by_shape)

    def weights(self, effects: Floats, log_shape: float) -> Floats:
        """Return n (y + φ) s (1 − s) with s = μ / (μ + φ)."""
        share, _ = self._mixture(self._columns.predict(effects), log_shape)
        return np.asarray(self._trials * (self._y + np.exp(log_shape)) * share * (1 - share))

    @staticmethod
    def _mixture(eta: Floats, log_shape: float) -> tuple[Floats, Floats]:
        """Return μ / (μ + φ) and log(μ + φ)."""
        log_sum = np.logaddexp(eta, log_shape)
        return np.exp(eta - log_sum), log_sum


def likelihood(glm: Glm, design: Design) -> Likelihood:
    """Return the likelihood of a model on its design."""
    kinds: dict[str, Callable[[Design], Likelihood]] = {
        "bernoulli": Bernoulli,
        "poisson": Poisson,
        "negativebinomial": NegativeBinomial,
    }
    return kinds[glm.family](design)


def _stacked(columns: Columns, rows: Indices | slice) -> tuple[Floats, Indices, Indices]:
    """Return predictors (p, n), levels (q, n) and places (q,) of some rows, as the kernels read them."""
    x = np.ascontiguousarray(columns.x[rows].T)
    levels = [index[rows] for index, _, _ in columns.groups]
    groups = np.array(levels, dtype=np.int64).reshape(len(levels), x.shape[1])
    return x, groups, np.array([place for _, place, _ in columns.groups], dtype=np.int64)


def _tokens(x: Floats, groups: list[Indices]) -> tuple[Indices, Indices]:
    """Return the token of each row (rows that differ by reader only) and one row of each token."""
    key = np.column_stack([x, *groups]) if groups else x
    _, representative, token = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return token.reshape(-1), representative


def _blocks(
    token: Indices, reader: Indices, trials: Floats, n_readers: int
) -> tuple[Indices, csr_array | Floats]:
    """Return the block of each token, and how often each reader met the tokens of each block.

    Tokens met by the same readers equally often form a block.
    """
    met = csr_array((trials, (token, reader)), shape=(int(token.max()) + 1, n_readers))
    met.sum_duplicates()
    met.sort_indices()
    known: dict[bytes, int] = {}
    block = np.empty(met.shape[0], dtype=np.int64)
    for t, (start, end) in enumerate(zip(met.indptr[:-1], met.indptr[1:], strict=True)):
        key = met.indices[start:end].tobytes() + met.data[start:end].tobytes()
        block[t] = known.setdefault(key, len(known))
    _, representative = np.unique(block, return_index=True)
    readers = csr_array(met[representative])
    small = readers.shape[0] * n_readers < 100_000  # a dense product beats a sparse one's overhead
    return block, readers.toarray() if small else readers
