"""Mean and covariance of a density that can be evaluated, by adaptive importance sampling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Bounds = tuple[Floats, Floats]

ROUNDS = 6
SIZE = 150
DEGREES_OF_FREEDOM = 5
SPREAD = 1.2


def mean_and_covariance(
    log_density: Callable[[Floats], float],
    guess: tuple[Floats, Floats],
    bounds: Bounds,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return mean and covariance of a density on a box, starting from a guess at both.

    In each round points are drawn from a heavy-tailed t distribution with the moments known so
    far, a little widened. All points of all rounds count, weighted by their density over that of
    the mixture of all proposals (Cornuet, Marin, Mira & Robert 2012, Scandinavian Journal of
    Statistics), so that one unlucky round cannot lead astray.

    >>> guess = np.array([1.0, -1.0]), np.eye(2)
    >>> box = np.full(2, -9.0), np.full(2, 9.0)
    >>> mean, covariance = mean_and_covariance(
    ...     lambda x: -0.5 * float((x**2 / [4.0, 1.0]).sum()), guess, box, np.random.default_rng(1)
    ... )
    >>> bool(abs(mean).max() < 0.2), bool(abs(covariance - np.diag([4.0, 1.0])).max() < 0.4)
    (True, True)
    """
    mean, covariance = guess
    points = np.empty((0, mean.size))
    log_densities: list[float] = []
    proposals: list[tuple[Floats, Floats]] = []
    for _ in range(ROUNDS):
        root = np.linalg.cholesky(SPREAD**2 * covariance)
        proposals.append((mean, np.asarray(root, dtype=np.float64)))
        drawn = _draw(proposals[-1], rng)
        inside = np.all((drawn >= bounds[0]) & (drawn <= bounds[1]), axis=1)
        log_densities += [log_density(x) if ok else -np.inf for x, ok in zip(drawn, inside, strict=True)]
        points = np.concatenate([points, drawn])
        mixture = np.logaddexp.reduce([_log_t(points, proposal) for proposal in proposals], axis=0)
        mean, covariance = _moments(points, np.array(log_densities) - mixture, covariance)
    return mean, covariance


def _draw(proposal: tuple[Floats, Floats], rng: np.random.Generator) -> Floats:
    mean, root = proposal
    normal = rng.standard_normal((SIZE, mean.size))
    scale = np.sqrt(rng.chisquare(DEGREES_OF_FREEDOM, (SIZE, 1)) / DEGREES_OF_FREEDOM)
    drawn: Floats = mean + normal / scale @ root.T
    return drawn


def _log_t(points: Floats, proposal: tuple[Floats, Floats]) -> Floats:
    """Return the log-density of a t distribution, but for a constant all proposals share."""
    mean, root = proposal
    distance = (np.linalg.solve(root, (points - mean).T) ** 2).sum(axis=0)
    power = 0.5 * (DEGREES_OF_FREEDOM + mean.size)
    logs: Floats = -power * np.log1p(distance / DEGREES_OF_FREEDOM) - np.log(np.diag(root)).sum()
    return logs


def _moments(points: Floats, log_weights: Floats, before: Floats) -> tuple[Floats, Floats]:
    """Return weighted moments; the fewer points carry the weight, the more of ``before`` is kept."""
    weights = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    mean = weights @ points
    away = points - mean
    effective = 1.0 / (weights**2).sum()
    trust = effective / (effective + points.shape[1])
    return mean, trust * (weights[:, None] * away).T @ away + (1.0 - trust) * before
