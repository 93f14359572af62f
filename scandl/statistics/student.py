"""Student's t distribution without scipy, whose import would double the start-up time of a plain score."""

from __future__ import annotations

import math

TINY = 1e-300
ROUNDS = 500


def two_sided(t: float, df: float) -> float:
    """Return the probability of a value at least as far from 0 as ``t``.

    >>> round(two_sided(2.228139, 10), 6)
    0.05
    """
    square = t * t
    rest = 1.0 / (df / square + 1.0) if square else 0.0  # 1 − x, which for a small t is lost in x
    return _incomplete_beta(0.5 * df, 0.5, df / (df + square), rest)


def quantile(probability: float, df: float) -> float:
    """Return the value below which a share ``probability`` of the distribution lies.

    >>> round(quantile(0.975, 10), 4), round(quantile(0.975, 1e9), 4)
    (2.2281, 1.96)
    """
    if probability < 0.5:
        return -quantile(1.0 - probability, df)
    low, high = 0.0, 2.0
    while two_sided(high, df) > 2.0 * (1.0 - probability):
        high *= 2.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        if two_sided(middle, df) > 2.0 * (1.0 - probability):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction; rest is 1 − x."""
    if x <= 0.0 or rest <= 0.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # where the fraction of the mirror image converges faster
        return 1.0 - _incomplete_beta(b, a, rest, x)
    powers = a * (math.log(x) if x < 0.5 else math.log1p(-rest))
    powers += b * (math.log(rest) if rest < 0.5 else math.log1p(-x))
    logs = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + powers
    return math.exp(logs) * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """Evaluate the continued fraction of the incomplete beta function by Lentz's method."""
    numerator, denominator = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = denominator
    for m in range(1, ROUNDS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0)),
        ):
            denominator = 1.0 / _away_from_zero(1.0 + term * denominator)
            numerator = _away_from_zero(1.0 + term / numerator)
            step = numerator * denominator
            value *= step
        if abs(step - 1.0) < 1e-15:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY
