"""Functions of a column in a formula: fitted to the rows of a regression, then applied to any rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from scandl.errors import ScandlError
from scandl.extras import Registry
from scandl.statistics.bootstrap import Floats

Transform = Callable[[Floats], Floats]
"""From values to one column (n,), or to several (n, k)."""
FUNCTIONS: Registry[Callable[..., Transform]] = Registry("function")
"""Each is given the values of the rows analysed, and the numbers that stand behind them."""


@FUNCTIONS.register("log")
def log(x: Floats) -> Transform:
    """Take the natural logarithm."""
    return np.log


@FUNCTIONS.register("sqrt")
def sqrt(x: Floats) -> Transform:
    """Take the square root."""
    return np.sqrt


@FUNCTIONS.register("exp")
def exp(x: Floats) -> Transform:
    """Raise e to the values."""
    return np.exp


@FUNCTIONS.register("scale")
def scale(x: Floats) -> Transform:
    """Standardise as R does: mean 0, standard deviation with n − 1."""
    mean, sd = x.mean(), x.std(ddof=1)
    return lambda z: np.asarray((z - mean) / sd)


@FUNCTIONS.register("center")
def center(x: Floats) -> Transform:
    """Subtract the mean."""
    mean = x.mean()
    return lambda z: np.asarray(z - mean)


@FUNCTIONS.register("poly")
def poly(x: Floats, degree: float = 2) -> Transform:
    """Make orthogonal polynomials of length 1, as R's ``poly`` does.

    >>> x = np.array([1.0, 2.0, 3.0])
    >>> poly(x, 2)(x).round(3).tolist()
    [[-0.707, 0.408], [0.0, -0.816], [0.707, 0.408]]
    """
    k = _whole("poly", degree, 1)
    mean = x.mean()
    r = np.linalg.qr(np.vander(x - mean, k + 1, increasing=True))[1]
    if np.abs(np.diag(r)).min() < 1e-10 * np.abs(np.diag(r)).max():
        raise ScandlError(f"poly(…, {k}): expected more than {k} different values")
    back = np.linalg.inv(r)[:, 1:] * np.sign(np.diag(r))[1:]  # columns grow with the highest power
    return lambda z: np.asarray(np.vander(z - mean, k + 1, increasing=True) @ back)


@FUNCTIONS.register("bs")
def bs(x: Floats, df: float = 4) -> Transform:
    """Make cubic B-splines with ``df`` columns, knots at quantiles, as R's ``bs`` does."""
    inner = _whole("bs", df, 3) - 3
    knots = _knots(x, inner)
    return lambda z: _basis(z, knots)[:, 1:]


@FUNCTIONS.register("ns")
def ns(x: Floats, df: float = 3) -> Transform:
    """Make natural cubic splines with ``df`` columns, as R's ``ns`` does: straight beyond the data."""
    knots = _knots(x, _whole("ns", df, 1) - 1)
    ends = knots[[0, -1]]
    bent = _basis(ends, knots, derivative=2)[:, 1:]  # (2, k): what has to be 0
    q, _ = np.linalg.qr(bent.T, mode="complete")
    return partial(_natural, knots=knots, q=q[:, 2:])


def _natural(z: Floats, knots: Floats, q: Floats) -> Floats:
    first, last = knots[[0, -1]]
    inside = np.clip(z, first, last)
    slope = _basis(inside, knots, derivative=1)[:, 1:]
    return np.asarray((_basis(inside, knots)[:, 1:] + slope * (z - inside)[:, None]) @ q)


def _knots(x: Floats, inner: int) -> Floats:
    """Return the knots of cubic splines, those at both ends four times."""
    places = np.quantile(x, np.linspace(0, 1, inner + 2))
    if not (np.diff(places) > 0).all():
        raise ScandlError(f"a spline with {inner} inner knots: expected that many different quantiles")
    return np.concatenate([[places[0]] * 3, places, [places[-1]] * 3])


def _basis(z: Floats, knots: Floats, derivative: int = 0) -> Floats:
    from scipy.interpolate import BSpline

    basis = BSpline(knots, np.eye(len(knots) - 4), 3)
    return np.asarray(basis(z, nu=derivative))


def _whole(name: str, number: float, least: int) -> int:
    if number != int(number) or number < least:
        raise ScandlError(f"{name}(…, {number:g}): expected a whole number from {least}")
    return int(number)
