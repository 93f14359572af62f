"""From a language model's probability of a word to the cloze probability of readers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from scandl.errors import ScandlError

_LEAST = 1e-9  # a logit must be finite; readers never give so improbable a word
_FEWEST = 10  # words below which two coefficients mean nothing


@dataclass(frozen=True, slots=True)
class Calibration:
    """From a language model's probability p to cloze: c = logistic(intercept + slope · logit p).

    >>> Calibration()(0.5)
    0.5
    >>> Calibration(intercept=1.0)(0.0), Calibration(intercept=-1.0)(1.0)
    (0.0, 1.0)
    """

    intercept: float = 0.0
    slope: float = 1.0

    def __call__(self, probability: float) -> float:
        """Return the cloze probability that belongs to a model probability."""
        if probability <= 0.0 or probability >= 1.0:
            return min(1.0, max(0.0, probability))
        return _logistic(self.intercept + self.slope * _logit(probability))

    @classmethod
    def fitted(cls, probabilities: Sequence[float], cloze: Sequence[float]) -> Self:
        """Return the calibration under which the cloze values are most likely.

        A cloze value is a share of answers, so this is a logistic regression on shares: words that
        nobody guessed, four in ten in the usual norms, take part as they are.

        >>> fitted = Calibration.fitted([i / 20 for i in range(1, 20)], [i / 20 for i in range(1, 20)])
        >>> round(fitted.intercept, 6) + 0, round(fitted.slope, 6)
        (0.0, 1.0)
        """
        if len(cloze) < _FEWEST or len({*cloze}) == 1 or len({*probabilities}) == 1:
            raise ScandlError(
                f"a calibration needs {_FEWEST} words or more that differ in cloze and in probability;"
                f" found {len(cloze)}"
            )
        logits = [_logit(min(1 - _LEAST, max(_LEAST, p))) for p in probabilities]
        a, b = 0.0, 0.0
        for _ in range(100):
            step_a, step_b = _newton_step(a, b, logits, cloze)
            a, b = a + step_a, b + step_b
            if abs(step_a) + abs(step_b) < 1e-10:
                return cls(a, b)
        raise ScandlError(
            "the calibration does not converge: probability separates the words that were guessed"
        )

    def log_loss(self, probabilities: Sequence[float], cloze: Sequence[float]) -> float:
        """Return the mean cross-entropy between cloze and what is predicted of it, in nats."""
        predicted = [min(1 - _LEAST, max(_LEAST, self(p))) for p in probabilities]
        return -math.fsum(
            c * math.log(p) + (1 - c) * math.log1p(-p) for p, c in zip(predicted, cloze, strict=True)
        ) / len(cloze)


def _newton_step(a: float, b: float, logits: Sequence[float], cloze: Sequence[float]) -> tuple[float, float]:
    """Return the step of Newton's method for the two coefficients of the regression."""
    found = [_logistic(a + b * x) for x in logits]
    weights = [p * (1 - p) for p in found]
    left = [c - p for p, c in zip(found, cloze, strict=True)]
    g_a, g_b = math.fsum(left), math.fsum(r * x for r, x in zip(left, logits, strict=True))
    h_aa = math.fsum(weights)
    h_ab = math.fsum(w * x for w, x in zip(weights, logits, strict=True))
    h_bb = math.fsum(w * x * x for w, x in zip(weights, logits, strict=True))
    determinant = h_aa * h_bb - h_ab * h_ab
    if determinant <= 0.0:
        return math.inf, math.inf
    return (h_bb * g_a - h_ab * g_b) / determinant, (h_aa * g_b - h_ab * g_a) / determinant


def _logit(p: float) -> float:
    return math.log(p) - math.log1p(-p)


def _logistic(x: float) -> float:
    """Return 1/(1 + e^−x) without overflow.

    >>> _logistic(0.0), _logistic(-1e6)
    (0.5, 0.0)
    """
    return 1.0 / (1.0 + math.exp(-x)) if x >= 0 else math.exp(x) / (1.0 + math.exp(x))
