"""A classifier two-sample test: whether human and generated scanpaths can be told apart.

After Lopez-Paz & Oquab (2017). A ridge logistic regression sees only how a path moves (``features``),
is trained on some sentences and readers and tested on others. An AUC of 0.5 means that it cannot
tell; values below are noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.measures.distribution.features import FEATURES, codes, matched, path_features
from scandl.records import Scanpath
from scandl.seeds import stream
from scandl.statistics.bootstrap import RESAMPLES, interval, weights

Array = NDArray[np.float64]
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
RIDGE = 1.0


@dataclass(frozen=True, slots=True)
class Distinguishable:
    """How well generated paths are told from human ones."""

    auc: float  # probability that a generated path looks more generated than a human one
    ci95: tuple[float, float] | None  # readers and sentences of the tested paths resampled
    n_human: int
    n_model: int
    weights: dict[str, float]  # mean standardised weight of each feature; positive: more in generated paths


def classifier_test(
    human: Sequence[Scanpath],
    model: Sequence[Scanpath],
    n_words: Mapping[str, int],
    *,
    folds: int = 5,
    ridge: float = RIDGE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Distinguishable:
    """Train and test on blocks of sentences × readers: no tested path shares either with the training.

    Parameters
    ----------
    human, model
        Only sentences that both have count; a generated path belongs to the reader it stands for.
    n_words
        The number of words of each sentence.
    """
    items = matched(human, model).items
    human, model = [p for item in items for p in item.human], [p for item in items for p in item.model]
    paths = [*human, *model]
    if len(items) < 2:
        raise ScandlError("classifier test: fewer than two sentences with human and generated scanpaths")
    X = np.array(
        [path_features(path.positions, n_words[path.sentence_id]) for path in paths]
    )  # (n, features)
    generated = np.repeat([False, True], [len(human), len(model)])
    sentences, readers = codes([path.sentence_id for path in paths]), codes(_readers(human, model))
    rng = stream(seed, "classifier", "folds")
    scores, betas = _held_out(X, generated, _fold(sentences, folds, rng), _fold(readers, folds, rng), ridge)
    known = ~np.isnan(scores)
    if not generated[known].any() or generated[known].all():
        raise ScandlError("classifier test: too few sentences and readers to hold some out on both sides")
    rng = stream(seed, "classifier", "bootstrap")
    draws = [
        _weighted_auc(scores[known], generated[known], block[:, known])
        for block in weights(sentences, readers, rng=rng, resamples=resamples)
    ]
    return Distinguishable(
        auc(scores[known], generated[known]),
        interval(np.concatenate([np.zeros(0), *draws])),
        int((~generated[known]).sum()),
        int(generated[known].sum()),
        dict(zip(FEATURES, betas.mean(axis=0).tolist(), strict=True)),
    )


def auc(scores: Array, positive: Flags) -> float:
    """Return the share of (positive, negative) pairs in which the positive scores higher; ties count half.

    >>> auc(np.array([0.1, 0.4, 0.4, 0.9]), np.array([False, False, True, True]))
    0.875
    """
    return float(_weighted_auc(scores, positive, np.ones((1, len(scores))))[0])


def logistic(X: Array, y: Flags, ridge: float = RIDGE) -> tuple[Array, float]:
    """Fit a logistic regression with an unpenalised intercept by Newton's method: weights, intercept.

    Both classes count the same however many members they have, so that the intercept does not
    carry how often each occurs in the training folds.
    """
    n, k = X.shape
    weight = np.where(y, n / (2.0 * y.sum()), n / (2.0 * (~y).sum()))
    Z = np.column_stack([X, np.ones(n)])
    penalty = np.append(np.full(k, ridge), 0.0)
    beta = np.zeros(k + 1)

    def loss(candidate: Array) -> float:
        eta = Z @ candidate
        return float(weight @ (np.logaddexp(0.0, eta) - y * eta) + 0.5 * penalty @ candidate**2)

    for _ in range(100):
        p = 0.5 * (1.0 + np.tanh(0.5 * (Z @ beta)))
        gradient = Z.T @ (weight * (p - y)) + penalty * beta
        hessian = (Z.T * (weight * p * (1.0 - p))) @ Z + np.diag(penalty + 1e-10)
        step, now = np.linalg.solve(hessian, gradient), loss(beta)
        while loss(beta - step) > now + 1e-12 * abs(now):
            step *= 0.5  # a full step can overshoot where the classes separate
        beta = beta - step
        if np.abs(step).max() < 1e-9:
            break
    return beta[:k], float(beta[k])


def _readers(human: Sequence[Scanpath], model: Sequence[Scanpath]) -> list[str]:
    """Return the reader each path is grouped by; a generated path of nobody stands for itself."""
    known = {path.reader_id for path in human}
    alone = [p.reader_id if p.reader_id in known else f"{p.reader_id}\x1f{k}" for k, p in enumerate(model)]
    return [*(path.reader_id for path in human), *alone]


def _fold(clusters: Codes, folds: int, rng: np.random.Generator) -> Codes:
    """Return the fold of each path; all paths of a cluster share it."""
    n = int(clusters.max()) + 1
    return rng.permutation(np.arange(n) % min(folds, n))[clusters]


def _held_out(
    X: Array,
    generated: Flags,
    sentence: Codes,
    reader: Codes,
    ridge: float,
) -> tuple[Array, Array]:
    """Return each path's score by a classifier that saw neither its sentence nor its reader.

    Where all readers are one, because they are unknown, only the sentences are held apart. The second
    result has the weights of each classifier in a row.
    """
    scores, betas = np.full(len(X), np.nan), np.zeros((0, X.shape[1]))
    one_reader = int(reader.max()) == 0
    for s, r in np.ndindex(int(sentence.max()) + 1, int(reader.max()) + 1):
        test, train = (sentence == s) & (reader == r), (sentence != s) & ((reader != r) | one_reader)
        if not test.any() or not generated[train].any() or generated[train].all():
            continue
        centre, scale = X[train].mean(axis=0), X[train].std(axis=0)
        scale[scale == 0.0] = 1.0
        beta, intercept = logistic((X[train] - centre) / scale, generated[train], ridge)
        scores[test] = (X[test] - centre) / scale @ beta + intercept
        betas = np.vstack([betas, beta])
    return scores, betas


def _weighted_auc(scores: Array, positive: Flags, weights: Array) -> Array:
    """Return the AUC under each row of weights (B, n); NaN where a class has no weight."""
    above, below = np.flatnonzero(positive), np.flatnonzero(~positive)
    below = below[np.argsort(scores[below], kind="stable")]
    passed = np.zeros((len(weights), len(below) + 1))  # what the first negatives weigh, (B, negatives + 1)
    np.cumsum(weights[:, below], axis=1, out=passed[:, 1:])
    least, most = (np.searchsorted(scores[below], scores[above], side) for side in ("left", "right"))
    w = weights[:, above]
    won = 0.5 * (
        np.einsum("bi,bi->b", w, passed.take(least, 1)) + np.einsum("bi,bi->b", w, passed.take(most, 1))
    )
    pairs = w.sum(axis=1) * passed[:, -1]
    return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), np.nan)
