from __future__ import annotations

import numpy as np
import pytest

from scandl.models.pointer.path_batch import (
    SACCADES,
    TextBatch,
    draw,
    one_hot_saccade,
    padded,
    within,
)
from scandl.models.pointer.words import word_features


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


def test_lines_are_counted_along_the_text() -> None:
    texts = [word_features(("a", "b", "c"), lines=list("xxy")), word_features(("a", "b"))]
    batch = TextBatch.of(texts, np.zeros((2, 1), np.float32))
    assert batch.lines.tolist() == [[1, 1, 2], [0, 0, 0]]
    assert batch.lined.tolist() == [1, 0]


def test_saccades_beyond_the_longest_count_as_the_longest() -> None:
    sizes = np.arange(-9, 10)
    classes = one_hot_saccade(sizes)
    assert classes.shape == (19, 2 * SACCADES + 1)
    assert classes.sum(axis=1).tolist() == [1.0] * 19
    assert (classes.argmax(axis=1) - SACCADES).tolist() == [max(-SACCADES, min(SACCADES, s)) for s in sizes]


def test_outcomes_come_as_often_as_they_are_probable() -> None:
    rng = np.random.default_rng(1)
    probabilities = np.array([0.1, 0.0, 0.6, 0.3])
    with np.errstate(divide="ignore"):
        logits = np.tile(np.log(probabilities), (40_000, 1))
    drawn = draw(logits, rng.random(len(logits)))
    assert np.bincount(drawn, minlength=4) / len(drawn) == pytest.approx(probabilities, abs=0.01)


def test_the_outcome_is_the_first_whose_cumulative_probability_is_above_the_number() -> None:
    rng = np.random.default_rng(2)
    below = np.sort(rng.random((200, 5)), axis=1)
    below[:, -1] = 1.0
    u = rng.random(200)
    drawn = draw(np.log(np.diff(below, axis=1, prepend=0.0)), u)
    slow = [next(k for k, border in enumerate(row) if u[i] < border) for i, row in enumerate(below)]
    assert drawn.tolist() == slow


def test_one_outcome_is_always_drawn() -> None:
    assert draw(np.zeros((2, 1)), np.array([0.0, 0.999])).tolist() == [0, 0]
