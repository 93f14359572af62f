"""Mixed models with uncorrelated effects: restricted maximum likelihood by average information.

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

from scandl.statistics.bootstrap import Floats
from scandl_analysis.piloting.crossed_rows import CrossedRows, CrossProducts, Indices, cross_products

Flags = NDArray[np.bool_]
Kind = Literal["gaussian", "bernoulli", "poisson"]
ROUNDS = 25
_LARGEST = 12.0  # of a linear predictor: beyond it a share is 0 or 1
ITERATIONS = 60
_SMALL = 1e-7  # of the residual variance: as good as none
_TOLERANCE = 1e-6  # of the restricted log-likelihood, and relative of variances


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
    """Henderson's equations solved at some variances."""

    inverse: Floats  # of M'WM + diag(0, residual / variances), active columns only
    solution: Floats
    log_likelihood: float
    residual: float


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
    """The iteration; ``active`` are the components that are still in the model."""

    def __init__(self, data: CrossProducts, known: float | None) -> None:
        self.data = data
        self.known = known
        p = data.n_effects
        ends = p + np.cumsum([0, *data.sizes])
        self.spans = [slice(int(a), int(b)) for a, b in pairwise(ends)]
        self.m = int(ends[-1])

    def run(self, start: Floats | None) -> Reml:
        theta = self._start(start)
        active = theta[:-1] > _SMALL * theta[-1]
        again = 3  # how often terms may come back
        converged = False
        state = self._solve(theta, active)
        for _ in range(ITERATIONS):
            score, information = self._derivatives(theta, active, state)
            step = self._step(score, information, active)
            theta, active, state, change = self._moved(theta, active, state, step)
            if change < _TOLERANCE:
                back = self._wanted(theta, active, state)
                if again == 0 or not back.any():
                    converged = True
                    break
                again -= 1
                active = active | back
                theta = np.append(np.where(back, 1e-3 * theta[-1], theta[:-1]), theta[-1])
                state = self._solve(theta, active)
        return self._result(theta, active, state, converged)

    def _start(self, start: Floats | None) -> Floats:
        if start is not None:
            floor = 1e-2 * start[-1]
            return np.append(np.maximum(start[:-1], floor), start[-1])
        d = self.data
        p = d.n_effects
        beta = np.linalg.lstsq(d.mm[:p, :p], d.my[:p], rcond=None)[0]
        total = max((d.yy - float(d.my[:p] @ beta)) / max(d.n_rows - p, 1), 1e-12)
        residual = self.known if self.known is not None else 0.6 * total
        return np.array([*([0.1 * (total if self.known is None else 1.0)] * len(d.sizes)), residual])

    def _columns(self, active: Flags) -> Indices:
        keep = np.zeros(self.m, bool)
        keep[: self.data.n_effects] = True
        for span, on in zip(self.spans, active, strict=True):
            keep[span] = on
        return np.flatnonzero(keep)

    def _solve(self, theta: Floats, active: Flags) -> _State:
        """Solve Henderson's equations; the residual variance scales them out."""
        d, residual = self.data, theta[-1]
        columns = self._columns(active)
        c = d.mm[np.ix_(columns, columns)].copy()
        diagonal = np.zeros(self.m)
        for span, variance, on in zip(self.spans, theta[:-1], active, strict=True):
            if on:
                diagonal[span] = residual / variance
        c[np.diag_indices_from(c)] += diagonal[columns]
        factor, failed = lapack.dpotrf(c, lower=1, clean=0)
        if failed:
            raise np.linalg.LinAlgError("the design has columns that say the same")
        log_det = 2.0 * float(np.log(np.diag(factor)).sum())
        inverse, _ = lapack.dpotri(factor, lower=1)
        inverse = np.tril(inverse) + np.tril(inverse, -1).T
        my = d.my[columns]
        solution = cho_solve((factor, True), my, check_finite=False)
        quadratic = max(d.yy - float(my @ solution), 1e-300)
        free = d.n_rows - d.n_effects
        log_det += sum(
            size * np.log(variance / residual)
            for size, variance, on in zip(d.sizes, theta[:-1], active, strict=True)
            if on
        )
        log_likelihood = -0.5 * (free * np.log(residual) + log_det + quadratic / residual)
        return _State(inverse, solution, float(log_likelihood), float(residual))

    def _parts(self, active: Flags) -> list[tuple[int, slice]]:
        """Return the active components, each with its place among the active columns."""
        place, found = self.data.n_effects, []
        for k, (size, on) in enumerate(zip(self.data.sizes, active, strict=True)):
            if on:
                found.append((k, slice(place, place + size)))
                place += size
        return found

    def _derivatives(self, theta: Floats, active: Flags, state: _State) -> tuple[Floats, Floats]:
        """Return score and average information of the active variances, the residual one last."""
        d, residual = self.data, theta[-1]
        columns = self._columns(active)
        mm, s = d.mm[np.ix_(columns, columns)], state.solution
        rest = d.my[columns] - mm @ s  # M'W(y − Ms)
        parts = self._parts(active)
        score = np.zeros(len(parts) + 1)
        loads = np.zeros((len(columns), len(parts) + 1))  # M'W of the working variates
        own = np.zeros((len(columns), len(parts)))
        freedom = d.n_rows - d.n_effects
        for j, (k, part) in enumerate(parts):
            variance, u = theta[k], s[part]
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
        information = 0.5 * (gram - loads.T @ state.inverse @ loads) / residual
        return score, information

    def _step(self, score: Floats, information: Floats, active: Flags) -> Floats:
        """Return the change of all variances; 0 for those that left and for a residual that is known."""
        free = len(score) - (self.known is not None)
        solved = np.linalg.lstsq(information[:free, :free], score[:free], rcond=None)[0]
        step = np.zeros(len(active) + 1)
        step[:-1][active] = solved[: int(active.sum())]
        if self.known is None:
            step[-1] = solved[-1]
        return step

    def _moved(
        self, theta: Floats, active: Flags, state: _State, step: Floats
    ) -> tuple[Floats, Flags, _State, float]:
        """Take the step, or a shorter one that does not lose likelihood; variances below 0 leave."""
        for halving in range(12):
            new = theta + step * 0.5**halving
            if new[-1] <= 0:
                continue
            on = active & (new[:-1] > _SMALL * new[-1])
            new[:-1] = np.where(on, new[:-1], 0.0)
            found = self._solve(new, on)
            gain = found.log_likelihood - state.log_likelihood
            if gain > -1e-9:
                moved = np.abs(new - theta).max() / new[-1]
                return new, on, found, max(gain, moved if moved > 1e-4 else 0.0)
        return theta, active, state, 0.0

    def _wanted(self, theta: Floats, active: Flags, state: _State) -> Flags:
        """Return which terms that left would raise the likelihood if they came back."""
        d, residual = self.data, theta[-1]
        columns = self._columns(active)
        wanted = np.zeros(len(d.sizes), bool)
        for k, span in enumerate(self.spans):
            if not active[k]:
                across = d.mm[span][:, columns]
                seen = np.einsum("ij,jk,ik->", across, state.inverse, across, optimize=True)
                trace = (float(np.trace(d.mm[span, span])) - float(seen)) / residual
                left = (d.my[span] - across @ state.solution) / residual
                wanted[k] = float(left @ left) - trace > 1e-6 * abs(trace)
        return wanted

    def _result(self, theta: Floats, active: Flags, state: _State, converged: bool) -> Reml:
        p, residual = self.data.n_effects, theta[-1]
        covariance = residual * state.inverse[:p, :p]
        _, information = self._derivatives(theta, active, state)
        free = len(information) - (self.known is not None)
        solution = np.zeros(self.m)
        solution[self._columns(active)] = state.solution
        return Reml(
            state.solution[:p].copy(),
            covariance,
            self._freedom(theta, active, state, np.asarray(np.linalg.pinv(information[:free, :free]), float)),
            np.where(active, theta[:-1], 0.0),
            float(residual),
            state.log_likelihood,
            solution,
            converged,
        )

    def _freedom(self, theta: Floats, active: Flags, state: _State, spread: Floats) -> Floats:
        """Return Satterthwaite's degrees of freedom: 2 V² / var(V), V the variance of an effect."""
        p, residual = self.data.n_effects, theta[-1]
        variance = residual * np.diag(state.inverse)[:p]
        parts = self._parts(active)
        slopes = np.zeros((p, len(parts) + 1))
        for j, (k, part) in enumerate(parts):
            slopes[:, j] = ((residual * state.inverse[:p, part] / theta[k]) ** 2).sum(axis=1)
        # V is homogeneous of degree 1 in all variances, which gives the slope in the last one.
        weights = np.array([theta[k] for k, _ in parts])
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
