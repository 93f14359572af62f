from __future__ import annotations

import numpy as np
import pytest

from scandl.models.pointer.words import FADING, LONG, edges, n_word_features, word_features

WORDS = ("Well,", "the", "extraordinarily", "old", "horse", "fell.")


@pytest.mark.parametrize("told", [{}, {"spelling": True}, {"context": True}])
def test_a_word_has_as_many_features_as_is_said(told: dict[str, bool]) -> None:
    assert word_features(WORDS, **told).shape == (len(WORDS), n_word_features(**told))


def test_the_middle_of_a_long_text_looks_like_the_middle_of_any_other() -> None:
    """The same word far from both edges: nothing tells how long the text is."""
    here, there = (word_features(("word",) * n)[n // 2] for n in (200, 400))
    np.testing.assert_allclose(here, there, atol=1e-4)
    first, second = word_features(("word",) * 9)[:2]
    assert np.abs(first - second).max() > 0.1


def test_words_longer_than_twelve_letters_count_as_equally_long() -> None:
    one, other = (word_features((word,)) for word in ("a" * LONG, "a" * (LONG + 5)))
    classes = slice(6, 6 + LONG)
    np.testing.assert_array_equal(one[:, classes], other[:, classes])
    assert one[:, classes].sum() == 1


def test_edges_fade_with_the_distance_to_the_first_and_the_last_word() -> None:
    found = edges(np.arange(7), 7)
    slow = [[np.exp(-d / scale) for d in (at, 6 - at) for scale in FADING] for at in range(7)]
    np.testing.assert_allclose(found, slow, rtol=1e-6)
    np.testing.assert_array_equal(found[:, :3], found[::-1, 3:])
