"""Features of paths, and a classifier two-sample test: whether people and models can be told apart.

After Lopez-Paz & Oquab (2017). A ridge logistic regression sees only how a path moves (``features``),
is trained on some sentences and readers and tested on others. An AUC of 0.5 means that it cannot
tell; values below are noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ScandlError
from scandl.records import Positions, Scanpath, Visits, visits
from scandl.seeds import stream
from scandl.statistics.bootstrap import RESAMPLES, interval, weights

visits_of = lru_cache(maxsize=2**16)(visits)
"""The facts of every word of a path, which several quantities of every model ask for."""
LONGEST_STEP = 3  # longer saccades share the class of this length

FEATURES = (
    "fixations per word",
    "skip rate",
    "regression rate",
    "refixation rate",
    "forward saccade mean",
    "forward saccade SD",
    "backward saccade mean",
    "backward saccade SD",
    "first word",
    "last word",
    "words fixated",
    *(f"steps {step:+d}" for step in range(-LONGEST_STEP, LONGEST_STEP + 1)),
)


@lru_cache(maxsize=2**16)  # people's stand beside those of every model
def path_features(path: Positions, n_words: int) -> tuple[float, ...]:
    """Return one number per name in ``FEATURES``; places are relative to the sentence, steps shares.

    A path without fixations or without saccades has 0 where nothing can be counted.

    >>> found = dict(zip(FEATURES, path_features((0, 2, 1, 1), n_words=4)))
    >>> found["fixations per word"], found["skip rate"], found["last word"]
    (1.0, 0.5, 0.25)
    >>> found["steps -1"], found["steps +0"], found["steps +2"]
    (0.3333333333333333, 0.3333333333333333, 0.3333333333333333)
    """
    words = visits_of(path, n_words)
    taken = steps(path)
    forward, backward = [step for step in taken if step > 0], [-step for step in taken if step < 0]
    classes = [step_class(step) for step in taken]
    n_steps = max(len(taken), 1)
    return (
        len(path) / n_words,
        skip_rate(words),
        regression_rate(words),
        taken.count(0) / n_steps,
        *mean_and_sd(forward),
        *mean_and_sd(backward),
        path[0] / n_words if path else 0.0,
        path[-1] / n_words if path else 0.0,
        len(set(path)) / n_words,
        *(classes.count(step) / n_steps for step in range(-LONGEST_STEP, LONGEST_STEP + 1)),
    )


def mean_and_sd(lengths: Sequence[int]) -> tuple[float, float]:
    """Return the mean and the standard deviation of whole numbers, both 0 of none.

    >>> mean_and_sd([1, 3]), mean_and_sd([])
    ((2.0, 1.0), (0.0, 0.0))
    """
    n, total = max(len(lengths), 1), sum(lengths)
    squares = sum(length * length for length in lengths)
    return total / n, sqrt((n * squares - total * total) / (n * n))


def steps(path: Sequence[int]) -> list[int]:
    """Return the signed saccade lengths in words.

    >>> steps([0, 2, 1, 1])
    [2, -1, 0]
    """
    return [after - before for before, after in pairwise(path)]


def step_class(step: int) -> int:
    """Return the step, cut to −3..3.

    >>> step_class(-7), step_class(2)
    (-3, 2)
    """
    return max(-LONGEST_STEP, min(LONGEST_STEP, step))


def runs(path: Sequence[int]) -> list[int]:
    """Return the lengths of the maximal stretches of fixations on one word.

    >>> runs([0, 2, 1, 1])
    [1, 1, 2]
    """
    ends = [i for i, step in enumerate(steps(path), start=1) if step != 0]
    bounds = [0, *ends, len(path)] if path else []
    return steps(bounds)


def skip_rate(words: Sequence[Visits]) -> float:
    """Return the share of words skipped in first pass."""
    return sum(visit.skipped for visit in words) / len(words)


def regression_rate(words: Sequence[Visits]) -> float:
    """Return the share of words whose first visit is left for a word to the left."""
    return sum(v.next_word is not None and v.next_word < n for n, v in enumerate(words)) / len(words)


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence, and who read it on either side."""

    sentence_id: str
    human: tuple[Scanpath, ...]
    model: tuple[Scanpath, ...]

    @property
    def paths(self) -> list[Positions]:
        """The positions of all paths, the human ones first."""
        return [path.positions for path in (*self.human, *self.model)]


@dataclass(frozen=True, slots=True)
class Items:
    """The sentences both sides have enough paths of, and those that had to be left out."""

    items: tuple[Item, ...]
    left_out: tuple[str, ...]


def matched(
    human: Iterable[Scanpath], model: Iterable[Scanpath], *, min_human: int = 1, min_model: int = 1
) -> Items:
    """Put the paths of the same sentence side by side, in the order of the human ones.

    >>> cat, dog = Scanpath("r1", "cat", (0, 1)), Scanpath("r1", "dog", (0,))
    >>> found = matched([cat, dog], [dog])
    >>> [item.sentence_id for item in found.items], found.left_out
    (['dog'], ('cat',))
    """
    sides: tuple[dict[str, list[Scanpath]], dict[str, list[Scanpath]]] = ({}, {})
    for side, paths in zip(sides, (human, model), strict=True):
        for path in paths:
            side.setdefault(path.sentence_id, []).append(path)
    items, left_out = [], []
    for sentence_id in dict.fromkeys([*sides[0], *sides[1]]):
        humans, generated = (tuple(side.get(sentence_id, ())) for side in sides)
        if len(humans) >= min_human and len(generated) >= min_model:
            items.append(Item(sentence_id, humans, generated))
        else:
            left_out.append(sentence_id)
    return Items(tuple(items), tuple(left_out))


def codes(names: Sequence[str]) -> NDArray[np.int64]:
    """Return the number of each name, counted from 0 in sorted order.

    >>> codes(["b", "a", "b"])
    array([1, 0, 1])
    """
    return np.unique(names, return_inverse=True)[1]


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
