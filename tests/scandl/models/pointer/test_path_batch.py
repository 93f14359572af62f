from __future__ import annotations

import numpy as np
import pytest

from scandl.models.pointer.path_batch import TextBatch, padded, within


@pytest.fixture
def batch() -> TextBatch:
    short, long = np.ones((2, 3), dtype=np.float32), np.full((4, 3), 2.0, dtype=np.float32)
    conditions = np.arange(6, dtype=np.float32).reshape(3, 2)
    return TextBatch.of([long, short, long], conditions)


def test_a_text_that_occurs_twice_is_read_once(batch: TextBatch) -> None:
    assert batch.features.shape == (2, 4, 3)
    assert batch.row.tolist() == [0, 1, 0]
    assert batch.n_words.tolist() == [4, 2, 4]
    assert batch.n_columns == 4


def test_padding_is_zero_and_outside(batch: TextBatch) -> None:
    assert batch.inside.tolist() == [[True] * 4, [True, True, False, False]]
    assert not batch.features[1, 2:].any()


def test_some_paths_of_a_batch_keep_their_texts(batch: TextBatch) -> None:
    part = batch.only(np.array([2, 1]))
    assert part.n_words.tolist() == [4, 2]
    assert part.conditions.tolist() == [[4.0, 5.0], [2.0, 3.0]]


def test_paths_are_filled_up_and_their_lengths_kept() -> None:
    words, lengths = padded([(3, 1), (), (2, 2, 0)])
    assert words.tolist() == [[3, 1, 0], [0, 0, 0], [2, 2, 0]]
    assert lengths.tolist() == [2, 0, 3]
    assert within(lengths, 3).tolist() == [[True, True, False], [False] * 3, [True] * 3]
