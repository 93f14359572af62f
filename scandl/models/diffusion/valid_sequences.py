"""The best sequence that is a scanpath: ``CLS word … word SEP PAD … PAD``, chosen as a whole.

A model that decides each position by itself may put words after SEP, or no SEP at all. Here the
scores of all positions are added up, and the end is put where the sum is largest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scandl.files.symbol_repair import CLS

Array = NDArray[np.float32]
Ids = NDArray[np.int64]

LEAST = 3  # positions: CLS, a word, SEP


def best_sequences(scores: Array, noised: NDArray[np.bool_], n_words: Ids) -> Ids:
    """Return, for each row, the valid ids with the largest sum of scores on the scanpath's positions.

    Parameters
    ----------
    scores
        (B, L, ids) of each id at each position; the last id is PAD.
    noised
        (B, L) True on the scanpath's positions, the last of the row.
    n_words
        (B,) words of the sentence: ids 1 … M are words, M + 1 is SEP.

    >>> by_itself = np.array([[0, 1, 1, 1]])  # CLS and words: no SEP
    >>> scores = np.eye(4)[by_itself]
    >>> scores[0, 2, 2] = scores[0, 3, 3] = 0.8  # SEP, PAD
    >>> best_sequences(scores, np.ones((1, 4), dtype=bool), np.array([1]))
    array([[0, 1, 2, 3]])
    """
    found = scores.argmax(axis=2)
    for row, places, m, ids in zip(scores, noised, n_words.tolist(), found, strict=True):
        if places.sum() >= LEAST:
            ids[places] = _best(row[places].astype(np.float64), m)
    return found


def _best(scores: NDArray[np.float64], n_words: int) -> Ids:
    """Return the best sequence of one row, (n, ids) → (n,)."""
    n, pad = len(scores), scores.shape[1] - 1
    of_words = scores[:, 1 : n_words + 1]
    word = of_words.argmax(axis=1) + 1
    # With SEP at e: words at 1 … e - 1, PAD after e. CLS is first in any case.
    words_before = np.concatenate([[0.0, 0.0], of_words.max(axis=1)[1:-1].cumsum()])  # (n,) at e
    padding_after = np.append(scores[::-1, pad].cumsum()[::-1][1:], 0.0)  # (n,) at e
    total = words_before + scores[:, n_words + 1] + padding_after
    end = 2 + int(total[2:].argmax())
    ids = np.full(n, pad, dtype=np.int64)
    ids[0], ids[1:end], ids[end] = CLS, word[1:end], n_words + 1
    return ids
