"""The best valid sequence against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from scandl.files.symbol_repair import clean
from scandl.models.diffusion.valid_sequences import best_sequences


def all_valid(n: int, n_words: int, pad: int) -> Iterator[tuple[int, ...]]:
    for end in range(2, n):
        for words in product(range(1, n_words + 1), repeat=end - 1):
            yield (0, *words, n_words + 1, *[pad] * (n - end - 1))


@pytest.mark.parametrize("seed", range(20))
def test_no_valid_sequence_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_words, n_ids = int(rng.integers(3, 7)), int(rng.integers(1, 4)), 7
    scores = rng.normal(size=(1, n + 2, n_ids)).astype(np.float32)
    noised = np.arange(n + 2)[None] >= 2  # two positions of the sentence before
    found = best_sequences(scores, noised, np.array([n_words]))[0]
    own = scores[0, 2:]

    def total(ids: tuple[int, ...]) -> float:
        return float(sum(own[i, symbol] for i, symbol in enumerate(ids)))

    best = max(all_valid(n, n_words, n_ids - 1), key=total)
    assert tuple(found[2:].tolist()) == best
    assert found[:2].tolist() == scores[0, :2].argmax(axis=1).tolist()
    words, repairs = clean(best, n_words, pad=n_ids - 1)
    assert words
    assert not repairs


def test_a_valid_choice_of_each_position_stays() -> None:
    ids = [0, 2, 1, 3, 6, 6]
    scores = np.eye(7, dtype=np.float32)[ids][None] * 5
    assert best_sequences(scores, np.ones((1, 6), dtype=bool), np.array([2]))[0].tolist() == ids


def test_a_row_without_room_keeps_the_choice_of_each_position() -> None:
    scores = np.eye(5, dtype=np.float32)[[1, 1]][None]
    assert best_sequences(scores, np.ones((1, 2), dtype=bool), np.array([2]))[0].tolist() == [1, 1]
