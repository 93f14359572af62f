"""How sure estimates are when both readers and sentences are samples: two-way clustered variance.

Every estimate of this project is, near enough, a constant plus a sum of small contributions, one per
reading (a reader × a sentence). Contributions of one reader go together, and so do those of one
sentence. The variance over other readers and other sentences is therefore the variance of the sums
by reader, plus that of the sums by sentence, less what both count twice (Cameron, Gelbach & Miller
2011, Journal of Business & Economic Statistics). Where everybody reads everything that is the noise of
single readings alone, as in an analysis of variance; their whole squares hold readers' and sentences'
effects too, and taking them off makes intervals of few readers too narrow.

Drawing readers and sentences with replacement (Owen 2007) estimates the same but counts the noise of
single readings three times, which makes intervals of paired differences up to half as wide again as they
should be.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from scandl.seeds import stream

Array = NDArray[np.float64]
Codes = NDArray[np.intp]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Contributions:
    """What each reading contributes to k estimates; sums over all readings are 0, near enough.

    A sentence may vary by more than the sum of its readings, as in a mean of products: then
    ``by_sentence`` has its own contributions.
    """

    readings: Array  # (n, k)
    reader: Codes | None  # (n,) number of the reader, −1 for nobody; None: no reader is known by name
    sentence: Codes  # (n,)
    by_sentence: Array | None = None  # (S, k)
    few: bool = True  # whether the contributions have yet to make up for what few readers lose


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """The covariance of k estimates over readers and sentences, in its three parts."""

    readers: Array  # (k, k) of the sums by reader
    sentences: Array  # (k, k) of the sums by sentence
    readings: Array  # (k, k) what both others hold: single readings, without effects of readers and sentences
    n_readers: int
    n_sentences: int
    n_readings: int
    curvature: Array | None = None  # (k, k) the share that squared distances have because they are squares

    @property
    def defined(self) -> bool:
        """Whether there are at least two readers or two sentences."""
        return self.n_readers > 1 or self.n_sentences > 1

    @property
    def resampled(self) -> str | None:
        """Over what the uncertainty holds, in words."""
        if not self.defined:
            return None
        return CROSSED if self.n_readers else ONE_WAY

    def at(self, places: Sequence[int]) -> Uncertainty:
        """Return the uncertainty of some of the estimates."""
        chosen = np.ix_(places, places)
        return replace(
            self,
            readers=self.readers[chosen],
            sentences=self.sentences[chosen],
            readings=self.readings[chosen],
            curvature=None if self.curvature is None else self.curvature[chosen],
        )

    def interval(self, value: float, contrast: Sequence[float]) -> Interval | None:
        """Return the 95 % interval of a weighted sum of the estimates, or None where nothing varies."""
        if not self.defined:
            return None
        variance, df = self.variance(contrast)
        reach = _quantile(df) * math.sqrt(variance)
        return value - reach, value + reach + self._skew(value, contrast, variance, df)

    def _skew(self, value: float, contrast: Sequence[float], variance: float, df: float) -> float:
        """Return how much farther the upper end of a squared distance is than the lower one.

        Where a distance comes out small, so does its standard error: both are of the size of its root,
        whose interval is even. Without curvature (d ± tτ)² reaches (1 + t²)τ² beyond d² − τ² + 2tdτ. A
        difference of two squares has no such end.
        """
        if self.curvature is None or value <= 0.0 or sum(map(bool, contrast)) != 1:
            return 0.0
        linear = max(variance - _squared(self.curvature, contrast), 0.0)
        t = _quantile(df)
        return min((1.0 + t * t) * linear / (4.0 * value), 0.5 * t * math.sqrt(variance))

    def p_value(self, value: float, contrast: Sequence[float]) -> float | None:
        """Return the two-sided p-value of "the weighted sum is 0"."""
        if not self.defined:
            return None
        variance, df = self.variance(contrast)
        if variance <= EQUAL * EQUAL:
            return 1.0 if abs(value) <= EQUAL else 0.0
        return two_sided_t(value / math.sqrt(variance), df)

    def variance(self, contrast: Sequence[float]) -> tuple[float, float]:
        """Return the variance of a weighted sum and its degrees of freedom (Satterthwaite).

        Sampling noise may make the parts by reader and by sentence smaller than that of readings, which
        both hold, or a little larger: then neither readers nor sentences differ, and single readings are
        all there is.
        """
        parts = (self.readers, self.sentences, self.readings)
        readers, sentences, readings = (_squared(part, contrast) for part in parts)
        if self.n_readers < 2:
            return sentences, float(max(self.n_sentences - 1, 1))
        if self.n_sentences < 2:
            return max(readers, 0.0), float(self.n_readers - 1)
        total, free = (
            readers + sentences - readings,
            max(self.n_readings - self.n_readers - self.n_sentences + 1, 1),
        )
        spread = (
            readings**2 / free + readers**2 / (self.n_readers - 1) + sentences**2 / (self.n_sentences - 1)
        )
        if total <= max(readings, 0.0) + _BY_CHANCE * math.sqrt(2.0 * spread):
            return max(readings, 0.0), float(free if readings > 0.0 else 1)
        return total, max(total**2 / spread, 1.0)

    def draws(self, values: Array, names: Sequence[str], *, seed: int, n: int = 2000) -> Array:
        """Return ``n`` draws of all estimates together, (n, k), from the normal approximation.

        Each estimate has the random numbers of its name, and those of the names before it: their order
        does not matter.
        """
        covariance = self.sentences if self.n_readers < 2 else self.readers
        if self.n_readers > 1 and self.n_sentences > 1:
            covariance = self.readers + self.sentences - self.readings
        order = sorted(range(len(names)), key=lambda k: names[k])
        root = _root(covariance[np.ix_(order, order)])
        normal = [stream(seed, "clustered draws", names[k]).standard_normal(n) for k in order]
        found = np.tile(values, (n, 1))
        for i, k in enumerate(order):
            for j in range(i + 1):
                found[:, k] += root[i, j] * normal[j]
        return found


NOBODY = ""
"""Whose a path is that stands for no reader."""
CROSSED = "readers × sentences"
ONE_WAY = "sentences (readers are not named)"
EQUAL = 1e-9
"""Differences below this are rounding."""
_TINY = 1e-300
_ROUNDS = 500
_BY_CHANCE = 0.5  # standard errors; with 0, floors widen the intervals of models that do not differ
_SWEEPS = 8  # each leaves a few hundredths of what effects the one before has left


def clustered(found: Contributions) -> Uncertainty:
    """Return the covariance of estimates from the contributions of their readings.

    Here readers explain everything, and nothing is left to single readings:

    >>> rows = np.array([[-1.0], [1.0], [-1.0], [1.0]]) / 4
    >>> found = clustered(Contributions(rows, np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])))
    >>> float(found.readers[0, 0]), float(found.sentences[0, 0]), float(found.readings[0, 0])
    (1.0, 0.0, 0.0)
    """
    k = found.readings.shape[1]
    n_sentences = int(found.sentence.max()) + 1 if len(found.sentence) else 0
    by_sentence = found.by_sentence
    if by_sentence is None:
        by_sentence = sums_by(found.readings, found.sentence, n_sentences)
    else:
        n_sentences = len(by_sentence)
    sentences = _products(by_sentence) * _few(n_sentences)
    if found.reader is None:
        nothing = np.zeros((k, k))
        return Uncertainty(nothing, sentences, nothing, 0, n_sentences, len(found.readings))
    nobody = found.reader < 0
    n_readers = len(np.unique(found.reader[~nobody]))
    by_reader = sums_by(found.readings[~nobody], found.reader[~nobody])
    readers = _products(np.concatenate([by_reader, found.readings[nobody]]))
    if found.few:
        readers *= _few(n_readers)
    whole = found.by_sentence is not None or nobody.any()
    readings = _products(found.readings) if whole else _held_twice(found, n_readers, n_sentences)
    return Uncertainty(readers, sentences, readings, n_readers, n_sentences, int((~nobody).sum()))


def _held_twice(found: Contributions, n_readers: int, n_sentences: int) -> Array:
    """Return what sums by reader and sums by sentence both hold of readings that are no sums themselves.

    In a crossed design that is their noise. In a sparse one a reader's sum varies with the sentences that
    happen to be the reader's: so much of the whole squares as is lacking of the crossed design.
    """
    n = len(found.readings)
    free, share = n - n_readers - n_sentences + 1, min(n / (n_readers * n_sentences), 1.0)
    whole = _products(found.readings)
    if found.reader is None or free < 1:
        return whole
    left = found.readings
    for _ in range(_SWEEPS):
        for code in (found.reader, found.sentence):
            means = sums_by(left, code) / np.maximum(np.bincount(code), 1)[:, None]
            left = left - means[code]
    return share * n / free * _products(left) + (1.0 - share) * whole


def by_reading(
    rows: Array,
    readers: Sequence[str] | None,
    sentences: Sequence[str],
    by_sentence: Mapping[str, Array] | None = None,
) -> Contributions:
    """Add up the rows (n, k) that are of the same reader and sentence; those of nobody stay apart.

    >>> found = by_reading(np.array([[0.25], [0.5], [1.0]]), ["r2", "r1", "r2"], ["s", "s", "s"])
    >>> found.readings.tolist(), found.reader, found.sentence
    ([[0.5], [1.25]], array([0, 1]), array([0, 0]))
    """
    reader = reader_codes(readers or [NOBODY] * len(rows))
    sentence = codes(sentences)
    alone = int(reader.max(initial=-1)) + 1 + np.arange(len(rows))
    whose = np.where(reader < 0, alone, reader)
    _, first, cell = np.unique(
        sentence * (int(whose.max(initial=0)) + 1) + whose, return_index=True, return_inverse=True
    )
    return Contributions(
        sums_by(rows, cell),
        None if readers is None else reader[first],
        sentence[first],
        None if by_sentence is None else np.stack([by_sentence[name] for name in sorted(by_sentence)]),
    )


def means_uncertainty(values: Array, reader: Codes | None, sentence: Codes) -> Uncertainty:
    """Return the uncertainty of the mean of every column of ``values`` (n, k)."""
    deviations = values - column_sums(values) / len(values)
    return clustered(Contributions(deviations / len(values), reader, sentence))


def ratio_uncertainty(top: Array, bottom: Array, reader: Codes | None, sentence: Codes) -> Uncertainty:
    """Return the uncertainty of ``top.sum(0) / bottom.sum(0)``, column by column."""
    whole = column_sums(bottom)
    return clustered(Contributions((top - column_sums(top) / whole * bottom) / whole, reader, sentence))


def codes(names: Sequence[str]) -> Codes:
    """Return the number of each name, in the order of names whatever that of rows is.

    >>> codes(["b", "a", "b"])
    array([1, 0, 1])
    """
    number = {name: i for i, name in enumerate(sorted(set(names)))}
    return np.array([number[name] for name in names], dtype=np.intp)


def reader_codes(names: Sequence[str]) -> Codes:
    """Return the number of each reader, −1 for nobody.

    >>> reader_codes(["b", "a", "", "b"])
    array([ 1,  0, -1,  1])
    """
    return codes(names) - (NOBODY in names)  # the empty name is the first


def column_sums(values: Array) -> Array:
    """Return the exact sum of each column: neither the order of rows nor the other columns matter.

    >>> column_sums(np.array([[1e16], [1.0], [-1e16]]))
    array([1.])
    """
    return np.array([math.fsum(column) for column in values.T.tolist()])


def sums_by(values: Array, code: Codes, n: int | None = None) -> Array:
    """Return the sums of the rows of ``values`` that share a code, (codes, k)."""
    size = n if n is not None else int(code.max(initial=-1)) + 1
    return np.stack([np.bincount(code, column, minlength=size) for column in values.T], axis=1)


def _products(sums: Array) -> Array:
    """Return the sums over rows of the products of all pairs of columns, on every CPU the same."""
    k = sums.shape[1]
    found = np.empty((k, k))
    for i in range(k):
        for j in range(i, k):
            both = sums[:, i] * sums[:, j]
            found[i, j] = found[j, i] = float(both[both != 0.0].sum())  # rows of others change no digit
    return found


def _squared(covariance: Array, contrast: Sequence[float]) -> float:
    """Return the variance of a weighted sum, whatever the order of the estimates."""
    c = np.asarray(contrast, dtype=np.float64)
    return math.fsum((covariance * np.outer(c, c)).ravel().tolist())


def _few(n: int) -> float:
    """Return the correction for few clusters."""
    return n / (n - 1) if n > 1 else 0.0


def _root(covariance: Array) -> Array:
    """Return a lower triangle whose square is the covariance; what is not positive is left out."""
    k = len(covariance)
    root = np.zeros((k, k))
    for j in range(k):
        pivot = float(covariance[j, j] - (root[j, :j] ** 2).sum())
        if pivot <= 1e-18:
            continue
        root[j, j] = math.sqrt(pivot)
        for i in range(j + 1, k):
            root[i, j] = float(covariance[i, j] - (root[i, :j] * root[j, :j]).sum()) / root[j, j]
    return root


@lru_cache(maxsize=4096)
def _quantile(df: float) -> float:
    return t_quantile(0.975, df)


def two_sided_t(t: float, df: float) -> float:
    """Return the probability of a value of Student's t at least as far from 0 as ``t``.

    Written here because the import of scipy would double the start-up time of a plain score.

    >>> round(two_sided_t(2.228139, 10), 6)
    0.05
    """
    square = t * t
    rest = 1.0 / (df / square + 1.0) if square else 0.0  # 1 − x, which for a small t is lost in x
    return _incomplete_beta(0.5 * df, 0.5, df / (df + square), rest)


def t_quantile(probability: float, df: float) -> float:
    """Return the value below which a share ``probability`` of Student's t lies.

    >>> round(t_quantile(0.975, 10), 4), round(t_quantile(0.975, 1e9), 4)
    (2.2281, 1.96)
    """
    if probability < 0.5:
        return -t_quantile(1.0 - probability, df)
    low, high = 0.0, 2.0
    while two_sided_t(high, df) > 2.0 * (1.0 - probability):
        high *= 2.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        if two_sided_t(middle, df) > 2.0 * (1.0 - probability):
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
    for m in range(1, _ROUNDS):
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
    return value if abs(value) > _TINY else _TINY


def share_interval(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of ``n`` (Wilson 1927).

    >>> [round(end, 4) for end in share_interval(0.8, 10)]
    [0.4902, 0.9433]
    """
    z2 = NormalDist().inv_cdf(0.975) ** 2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)
