"""Mixed models with crossed, uncorrelated effects: restricted maximum likelihood by average information.

Henderson's equations give estimates and predictions, the average of observed and expected information
(Gilmour, Thompson & Cullis 1995) the step to better variances. A variance that wants to be negative is
set to 0 and its term leaves the model, unless the likelihood asks for it again: what is fitted is the
largest model that the data support. Degrees of freedom are Satterthwaite's, from the same information.

Shares and counts are fitted by penalised quasi-likelihood (Breslow & Clayton 1993): each round replaces the
outcome by a working response and weights, for which the mixed model is Gaussian. It is an approximation: with
few observations per level it pulls effects of binary outcomes towards 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_solve, lapack
from scipy.special import expit

from scandl.errors import ScandlError
from scandl.statistics.bootstrap import Floats

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]
Kind = Literal["gaussian", "bernoulli", "poisson"]
ROUNDS = 25
_LARGEST = 12.0  # of a linear predictor: beyond it a share is 0 or 1
ITERATIONS = 60
_SMALL = 1e-7  # of the residual variance: as good as none
_TOLERANCE = 1e-6  # of the restricted log-likelihood, and relative of variances


@dataclass(frozen=True, slots=True)
class GroupTerms:
    """The effects that differ between the levels of one factor: which columns of the design, which levels."""

    levels: Indices  # of each row, from 0
    columns: tuple[int, ...]  # of the design; 0 is the intercept

    @property
    def n_levels(self) -> int:
        """The number of levels."""
        return int(self.levels.max()) + 1


@dataclass(frozen=True, slots=True)
class CrossedRows:
    """Outcomes, the design of the effects common to all, and the effects of groups, all uncorrelated."""

    y: Floats  # (n,)
    x: Floats  # (n, p), the first column is 1
    groups: tuple[GroupTerms, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The levels of each variance component."""
        return tuple(group.n_levels for group in self.groups for _ in group.columns)

    def cells(self) -> tuple[Indices, Floats]:
        """Return for each row the columns of (X, Z) that are not 0, and their values, (n, r) each."""
        n, p = self.x.shape
        places = [np.broadcast_to(np.arange(p), (n, p))]
        values = [self.x]
        start = p
        for group in self.groups:
            for column in group.columns:
                places.append((start + group.levels)[:, None])
                values.append(self.x[:, [column]])
                start += group.n_levels
        return np.concatenate(places, axis=1), np.concatenate(values, axis=1)


@dataclass(frozen=True, slots=True)
class CrossProducts:
    """What a Gaussian mixed model needs to know of its data, M = (X, Z) and W the weights."""

    mm: Floats  # M'WM, (m, m)
    my: Floats  # M'Wy, (m,)
    yy: float  # y'Wy
    n_rows: int
    n_effects: int  # columns of X
    sizes: tuple[int, ...]  # levels of each variance component, in the order of Z


def cross_products(
    rows: CrossedRows, cells: tuple[Indices, Floats], y: Floats, weights: Floats | None = None
) -> CrossProducts:
    """Sum the products over rows; each row touches a few columns, so this is no matrix product.

    >>> readers = GroupTerms(np.array([0, 1]), (0,))
    >>> one = CrossedRows(np.array([2.0, 3.0]), np.ones((2, 1)), (readers,))
    >>> cross_products(one, one.cells(), one.y).mm
    array([[2., 1., 1.],
           [1., 1., 0.],
           [1., 0., 1.]])
    """
    places, values = cells
    m = rows.x.shape[1] + sum(rows.sizes)
    if m >= 20_000:
        raise ScandlError(f"a mixed model of {m:,} effects is too large for this engine; take fewer readers")
    weighted = values if weights is None else values * weights[:, None]
    pairs = places[:, :, None] * m + places[:, None, :]
    products = weighted[:, :, None] * values[:, None, :]
    mm: Floats = np.bincount(pairs.ravel(), products.ravel(), minlength=m * m).reshape(m, m).astype(float)
    my: Floats = np.bincount(places.ravel(), (weighted * y[:, None]).ravel(), minlength=m).astype(float)
    yy = float(y @ y if weights is None else (weights * y) @ y)
    return CrossProducts(mm, my, yy, len(y), rows.x.shape[1], rows.sizes)


@dataclass(frozen=True, slots=True)
class Reml:
    """A fitted mixed model."""

    effects: Floats  # (p,)
    covariance: Floats  # of the effects, (p, p)
    freedom: Floats  # Satterthwaite's degrees of freedom, (p,)
    variances: Floats  # one per component, 0 where its term left the model
    residual: float
    log_likelihood: float
    solution: Floats  # effects and predictions of group effects, (m,); 0 for terms that left
    converged: bool

    @property
    def errors(self) -> Floats:
        """The standard errors of the effects."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True, slots=True)
class _State:
    """Henderson's equations solved at some variances; terms whose variance is 0 have no equations."""

    theta: Floats  # one variance per component, the residual one last
    columns: Indices  # of (X, Z), those that have equations
    parts: list[tuple[int, slice]]  # components in the model, each with its place among these columns
    inverse: Floats  # of M'WM + diag(0, residual / variances)
    solution: Floats
    log_likelihood: float


def fit_reml(data: CrossProducts, *, start: Floats | None = None, residual: float | None = None) -> Reml:
    """Fit the variances, then the effects.

    Parameters
    ----------
    data
        Cross products of the rows.
    start
        Variances to begin with, one per component and the residual one last.
    residual
        The residual variance where it is known; without it, it is estimated.
    """
    return _RemlSearch(data, residual).run(start)


class _RemlSearch:
    """The iteration over variances."""

    def __init__(self, data: CrossProducts, known: float | None) -> None:
        self.data = data
        self.known = known
        ends = data.n_effects + np.cumsum([0, *data.sizes])
        self.spans = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.m = int(ends[-1])

    def run(self, start: Floats | None) -> Reml:
        state = self._solve(self._start(start))
        again = 3  # how often terms may come back
        for _ in range(ITERATIONS):
            state, change = self._moved(state, self._step(state))
            if change < _TOLERANCE:
                back = self._wanted(state)
                if again == 0 or not back.any():
                    return self._result(state, converged=True)
                again -= 1
                theta = state.theta
                state = self._solve(np.append(np.where(back, 1e-3 * theta[-1], theta[:-1]), theta[-1]))
        return self._result(state, converged=False)

    def _start(self, start: Floats | None) -> Floats:
        if start is not None:
            return np.append(np.maximum(start[:-1], 1e-2 * start[-1]), start[-1])
        d = self.data
        p = d.n_effects
        beta = np.linalg.lstsq(d.mm[:p, :p], d.my[:p], rcond=None)[0]
        total = max((d.yy - float(d.my[:p] @ beta)) / max(d.n_rows - p, 1), 1e-12)
        residual = self.known if self.known is not None else 0.6 * total
        return np.array([*([0.1 * (total if self.known is None else 1.0)] * len(d.sizes)), residual])

    def _solve(self, theta: Floats) -> _State:
        """Solve Henderson's equations; the residual variance scales them out."""
        d, residual = self.data, theta[-1]
        columns, diagonal, parts = [np.arange(d.n_effects)], [np.zeros(d.n_effects)], []
        place, log_det = d.n_effects, 0.0
        for k, (span, size, variance) in enumerate(zip(self.spans, d.sizes, theta[:-1], strict=True)):
            if variance > 0:
                columns.append(np.arange(span.start, span.stop))
                diagonal.append(np.full(size, residual / variance))
                parts.append((k, slice(place, place + size)))
                place += size
                log_det += size * np.log(variance / residual)
        on = np.concatenate(columns)
        c = d.mm[np.ix_(on, on)].copy()
        c[np.diag_indices_from(c)] += np.concatenate(diagonal)
        factor, failed = lapack.dpotrf(c, lower=1, clean=0)
        if failed:
            raise np.linalg.LinAlgError("the design has columns that say the same")
        log_det = 2.0 * float(np.log(np.diag(factor)).sum()) + log_det
        inverse, _ = lapack.dpotri(factor, lower=1)
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        solution = cho_solve((factor, True), d.my[on], check_finite=False)
        quadratic = max(d.yy - float(d.my[on] @ solution), 1e-300)
        free = d.n_rows - d.n_effects
        log_likelihood = -0.5 * (free * np.log(residual) + log_det + quadratic / residual)
        return _State(theta, on, parts, inverse, solution, float(log_likelihood))

    def _derivatives(self, state: _State) -> tuple[Floats, Floats]:
        """Return score and average information of the variances in the model, the residual one last."""
        d, columns, parts, s = self.data, state.columns, state.parts, state.solution
        residual = state.theta[-1]
        mm = d.mm[np.ix_(columns, columns)]
        rest = d.my[columns] - mm @ s  # M'W(y − Ms)
        score = np.zeros(len(parts) + 1)
        loads = np.zeros((len(columns), len(parts) + 1))  # M'W of the working variates
        own = np.zeros((len(columns), len(parts)))
        freedom = d.n_rows - d.n_effects
        for j, (k, part) in enumerate(parts):
            variance, u = state.theta[k], s[part]
            trace = residual * float(np.trace(state.inverse[part, part])) / variance
            size = part.stop - part.start
            score[j] = -0.5 * ((size - trace) / variance - float(u @ u) / variance**2)
            freedom -= size - trace
            own[part, j] = u / variance
            loads[:, j] = mm[:, part] @ own[part, j]
        left = d.yy - 2 * float(s @ d.my[columns]) + float(s @ mm @ s)  # e'We
        score[-1] = -0.5 * (freedom / residual - left / residual**2)
        loads[:, -1] = rest / residual
        gram = np.empty((len(parts) + 1, len(parts) + 1))
        gram[:-1, :-1] = own.T @ loads[:, :-1]
        gram[:-1, -1] = gram[-1, :-1] = own.T @ loads[:, -1]
        gram[-1, -1] = left / residual**2
        return score, 0.5 * (gram - loads.T @ state.inverse @ loads) / residual

    def _step(self, state: _State) -> Floats:
        """Return the change of all variances; 0 for those that left and for a residual that is known."""
        score, information = self._derivatives(state)
        free = len(score) - (self.known is not None)
        solved = np.linalg.lstsq(information[:free, :free], score[:free], rcond=None)[0]
        step = np.zeros(len(state.theta))
        places = [*(k for k, _ in state.parts), len(step) - 1]
        step[places[:free]] = solved
        return step

    def _moved(self, state: _State, step: Floats) -> tuple[_State, float]:
        """Take the step, or a shorter one that does not lose likelihood; variances below 0 leave."""
        theta = state.theta
        for halving in range(12):
            new = theta + step * 0.5**halving
            if new[-1] <= 0:
                continue
            new[:-1] = np.where((theta[:-1] > 0) & (new[:-1] > _SMALL * new[-1]), new[:-1], 0.0)
            found = self._solve(new)
            gain = found.log_likelihood - state.log_likelihood
            if gain > -1e-9:
                moved = np.abs(new - theta).max() / new[-1]
                return found, max(gain, moved if moved > 1e-4 else 0.0)
        return state, 0.0

    def _wanted(self, state: _State) -> Flags:
        """Return which terms that left would raise the likelihood if they came back."""
        d, columns, residual = self.data, state.columns, state.theta[-1]
        wanted = np.zeros(len(d.sizes), bool)
        for k in np.flatnonzero(state.theta[:-1] == 0):
            span = self.spans[k]
            across = d.mm[span][:, columns]
            seen = np.einsum("ij,jk,ik->", across, state.inverse, across, optimize=True)
            trace = (float(np.trace(d.mm[span, span])) - float(seen)) / residual
            left = (d.my[span] - across @ state.solution) / residual
            wanted[k] = float(left @ left) - trace > 1e-6 * abs(trace)
        return wanted

    def _result(self, state: _State, *, converged: bool) -> Reml:
        p, residual = self.data.n_effects, state.theta[-1]
        _, information = self._derivatives(state)
        free = len(information) - (self.known is not None)
        spread = np.asarray(np.linalg.pinv(information[:free, :free]), float)
        solution = np.zeros(self.m)
        solution[state.columns] = state.solution
        return Reml(
            state.solution[:p].copy(),
            residual * state.inverse[:p, :p],
            self._freedom(state, spread),
            state.theta[:-1],
            float(residual),
            state.log_likelihood,
            solution,
            converged,
        )

    def _freedom(self, state: _State, spread: Floats) -> Floats:
        """Return Satterthwaite's degrees of freedom: 2 V² / var(V), V the variance of an effect."""
        p, theta, residual = self.data.n_effects, state.theta, state.theta[-1]
        variance = residual * np.diag(state.inverse)[:p]
        slopes = np.zeros((p, len(state.parts) + 1))
        for j, (k, part) in enumerate(state.parts):
            slopes[:, j] = ((residual * state.inverse[:p, part] / theta[k]) ** 2).sum(axis=1)
        # V is homogeneous of degree 1 in all variances, which gives the slope in the last one.
        weights = np.array([theta[k] for k, _ in state.parts])
        slopes[:, -1] = (variance - slopes[:, :-1] @ weights) / residual
        slopes = slopes[:, : len(spread)]
        uncertain = np.einsum("jk,kl,jl->j", slopes, spread, slopes)
        with np.errstate(divide="ignore"):
            return np.clip(np.where(uncertain > 0, 2 * variance**2 / uncertain, np.inf), 1.0, 1e6)


def fit_mixed(rows: CrossedRows, kind: Kind = "gaussian") -> Reml:
    """Fit a mixed model; of counts the dispersion is estimated, of binary outcomes it is 1."""
    cells = rows.cells()
    if kind == "gaussian":
        return fit_reml(cross_products(rows, cells, rows.y))
    places, values = cells
    mean = _inside(float(rows.y.mean()), kind)
    eta = np.full(len(rows.y), np.log(mean / (1 - mean)) if kind == "bernoulli" else np.log(mean))
    fitted: Reml | None = None
    for _ in range(ROUNDS):
        mu, weights = _moments(eta, kind)
        working = eta + (rows.y - mu) / weights
        data = cross_products(rows, cells, working, weights)
        start = None if fitted is None else np.append(fitted.variances, fitted.residual)
        before = fitted
        fitted = fit_reml(data, start=start, residual=1.0 if kind == "bernoulli" else None)
        eta = np.clip((values * fitted.solution[places]).sum(axis=1), -_LARGEST, _LARGEST)
        if before is not None and np.abs(fitted.effects - before.effects).max() < 1e-4:
            return fitted
    assert fitted is not None
    return replace(fitted, converged=False)


def _inside(mean: float, kind: Kind) -> float:
    return min(max(mean, 1e-3), 1 - 1e-3) if kind == "bernoulli" else max(mean, 1e-3)


def _moments(eta: Floats, kind: Kind) -> tuple[Floats, Floats]:
    """Return mean and weight of each row, which is also the slope of the mean."""
    if kind == "poisson":
        mu = np.exp(eta)
        return mu, mu
    mu = expit(eta)
    return mu, mu * (1 - mu)
