"""How sure a mean is: spread over folds, and a bootstrap over readers and sentences.

Three numbers are kept apart because they answer different questions. The SD over folds (ddof 0) is
what the released ScanDL script prints; the SE over folds is what its paper calls it; the crossed
cluster bootstrap is the interval that also holds for other readers and other sentences. scipy is
imported only for the t distribution: it would double the start-up time of a plain score.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.seeds import stream

Array = NDArray[np.float64]

RESAMPLES = 2000
READER_DRAWS = 250  # where an answer is waited for, each meets eight draws of sentences
_BLOCK_CELLS = 1_000_000  # weights held at once, 8 MB: a block fits the cache and memory stays flat
_DENSE = 8  # cells per instance up to which the reader × sentence matrix beats weights per instance


def bootstrap_means(
    values: Array, readers: Sequence[str] | None, sentences: Sequence[str], *,
    seed: int, resamples: int = RESAMPLES,
) -> Array:  # fmt: skip
    """Return the mean of every column of ``values`` in each of ``resamples`` resamples.

    Readers and sentences are drawn independently with replacement, and an instance counts as often
    as its reader times its sentence was drawn (Owen 2007). All columns share the resamples, so the
    difference of two columns is a paired comparison. With ``readers`` None only sentences are drawn.
    A resample that holds no instance at all gives NaN.

    Parameters
    ----------
    values
        (n,) or (n, k), without NaN.
    readers, sentences
        The cluster of each instance.
    """
    columns = values.reshape(len(values), -1)  # (n, k)
    reader, n_readers = _codes(readers if readers is not None else [""] * len(columns))
    sentence, n_sentences = _codes(sentences)
    rng = stream(seed, "bootstrap")
    means = np.empty((resamples, columns.shape[1]))
    dense = n_readers * n_sentences <= _DENSE * len(columns)
    sums = _cells(columns, reader, n_readers, sentence, n_sentences) if dense else columns
    for first, size in _blocks(resamples, max(len(columns), n_readers, n_sentences)):
        m_reader = _multiplicities(rng, size, n_readers)  # (block, R)
        m_sentence = _multiplicities(rng, size, n_sentences)  # (block, S)
        if dense:
            totals = _crossed_sums(m_reader, sums, m_sentence)
        else:
            weights = m_reader[:, reader] * m_sentence[:, sentence]  # (block, n)
            totals = np.column_stack([weights @ columns, weights.sum(axis=1)])
        with np.errstate(invalid="ignore"):
            means[first : first + size] = totals[:, :-1] / totals[:, -1:]
    return means.reshape(resamples, *values.shape[1:])


def interval(draws: Array) -> tuple[float, float] | None:
    """Return the 95 % percentile interval of bootstrap draws, or None when no draw is defined.

    >>> interval(np.arange(101.0))
    (2.5, 97.5)
    """
    defined = draws[np.isfinite(draws)]
    if len(defined) == 0:
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


def bootstrap_interval(
    values: Array, readers: Sequence[str] | None, sentences: Sequence[str], *,
    seed: int, resamples: int = RESAMPLES,
) -> tuple[float, float] | None:  # fmt: skip
    """Return the 95 % interval of a mean, or None where there is only one of everything to resample."""
    if not resampleable(readers, sentences):
        return None
    return interval(bootstrap_means(values, readers, sentences, seed=seed, resamples=resamples))


def resampleable(readers: Sequence[str] | None, sentences: Sequence[str]) -> bool:
    """Say whether there are at least two readers or two sentences.

    >>> resampleable(["r1", "r1"], ["s1", "s1"])
    False
    """
    return len(set(sentences)) > 1 or (readers is not None and len(set(readers)) > 1)


def two_sided_p(draws: Array) -> float:
    """Return the bootstrap p-value of "the difference is zero", never smaller than 2/(B + 1).

    >>> two_sided_p(np.array([0.1, 0.2, 0.3]))
    0.5
    """
    defined = draws[np.isfinite(draws)]
    tail = min(int((defined <= 0).sum()), int((defined >= 0).sum()))
    return min(1.0, 2 * (tail + 1) / (len(defined) + 1))


def _codes(labels: Sequence[str]) -> tuple[NDArray[np.intp], int]:
    """Return the number of each label's cluster, in order of first appearance, and how many there are."""
    number: dict[str, int] = {}
    codes = [number.setdefault(label, len(number)) for label in labels]
    return np.array(codes, dtype=np.intp), len(number)


def _cells(
    columns: Array, reader: NDArray[np.intp], n_readers: int, sentence: NDArray[np.intp], n_sentences: int
) -> Array:
    """Return the sums of each column and the number of instances by cell, (R, S, k + 1)."""
    cell = reader * n_sentences + sentence
    n_cells = n_readers * n_sentences
    sums = [np.bincount(cell, column, minlength=n_cells) for column in columns.T]
    counts = np.bincount(cell, minlength=n_cells).astype(np.float64)
    return np.stack([*sums, counts], axis=-1).reshape(n_readers, n_sentences, -1)


def _crossed_sums(m_reader: Array, sums: Array, m_sentence: Array) -> Array:
    """Return the sums over readers and sentences, each cell as often as both were drawn, (block, k + 1)."""
    if len(sums) == 1:  # one reader, or none known: it is drawn once in every resample
        only: Array = m_sentence @ sums[0]
        return only
    by_column = [(m_reader @ sums[:, :, k] * m_sentence).sum(axis=1) for k in range(sums.shape[2])]
    return np.stack(by_column, axis=1)


def _multiplicities(rng: np.random.Generator, resamples: int, n_clusters: int) -> Array:
    """Return how often each cluster is drawn in each resample, (resamples, n_clusters)."""
    drawn = rng.integers(0, n_clusters, size=(resamples, n_clusters))
    drawn += np.arange(resamples)[:, None] * n_clusters  # each resample counts in its own row
    counts = np.bincount(drawn.ravel(), minlength=resamples * n_clusters)
    return counts.reshape(resamples, n_clusters).astype(np.float64)


def _blocks(resamples: int, width: int) -> Iterator[tuple[int, int]]:
    size = max(1, _BLOCK_CELLS // max(1, width))
    for first in range(0, resamples, size):
        yield first, min(size, resamples - first)
