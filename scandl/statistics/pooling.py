"""Estimates of several imputations become one, by Rubin's rules (Rubin, 1987; Barnard & Rubin, 1999)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit


@dataclass(frozen=True, slots=True)
class Pooled:
    """One estimate from several imputations."""

    mean: float
    sd: float  # of the estimate: within and between imputations
    df: float
    missing_information: float  # the share of what is not known that is due to what was lost

    def interval(self, coverage: float = 0.95) -> tuple[float, float]:
        """Return the central interval of Student's t.

        >>> [round(end, 2) for end in Pooled(1.0, 0.5, 1e9, 0.0).interval()]
        [0.02, 1.98]
        """
        half = float(stdtrit(self.df, 0.5 + coverage / 2)) * self.sd
        return self.mean - half, self.mean + half


def pool(means: Sequence[float], sds: Sequence[float]) -> Pooled:
    """Pool an estimate over imputations.

    Parameters
    ----------
    means
        The estimate from each imputation.
    sds
        Its standard error, or posterior standard deviation, in each.

    Returns
    -------
    Pooled
        The total variance is the mean of the variances plus (1 + 1/m) times the variance of the means.

    Examples
    --------
    >>> found = pool([1.0, 1.2, 1.4], [0.3, 0.3, 0.3])
    >>> round(found.mean, 2), round(found.sd, 3), round(found.missing_information, 2)
    (1.2, 0.379, 0.44)
    """
    m, values = len(means), np.asarray(means, dtype=float)
    within = float(np.mean(np.square(sds)))
    between = float(values.var(ddof=1)) * (1 + 1 / m)
    total = within + between
    if between == 0.0:
        return Pooled(float(values.mean()), total**0.5, 1e9, 0.0)
    df = (m - 1) * (total / between) ** 2
    ratio = between / within if within else np.inf
    missing = (ratio + 2 / (df + 3)) / (ratio + 1) if np.isfinite(ratio) else 1.0
    return Pooled(float(values.mean()), total**0.5, df, float(missing))
