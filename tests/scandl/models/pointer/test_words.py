from __future__ import annotations

import numpy as np

from scandl.models.pointer.words import (
    FADING,
    LINE_STARTS,
    LINES_KNOWN,
    SURPRISAL,
    edges,
    n_word_features,
    word_features,
)
from scandl.text.context import WordContext

WORDS = ("Well,", "the", "extraordinarily", "old", "horse", "fell.")


def test_a_word_has_as_many_features_as_is_said() -> None:
    assert word_features(WORDS).shape == (len(WORDS), n_word_features())


def test_what_is_not_known_of_context_is_zero_and_flagged() -> None:
    nats, known = (
        np.array([1.0, 7.0, np.nan, 4.0, 4.0, 10.0]),
        np.array([True, True, False, True, True, True]),
    )
    context = WordContext(nats, np.full(6, 4.0), known)
    found = word_features(WORDS, context=context, gain=1.5)
    assert found[:, SURPRISAL - 1].tolist() == known.astype(float).tolist()
    assert found[:, SURPRISAL].tolist() == [-1.5, 1.5, 0.0, 0.0, 0.0, 3.0]
    rest = [k for k in range(found.shape[1]) if k not in (SURPRISAL - 1, SURPRISAL)]
    np.testing.assert_array_equal(found[:, rest], word_features(WORDS)[:, rest])


def test_lines_are_those_of_the_text() -> None:
    found = word_features(WORDS, lines=["a", "a", "b", "b", "b", "c"])
    assert found[:, LINES_KNOWN].tolist() == [1.0] * 6
    assert found[:, LINE_STARTS].cumsum().tolist() == [1, 1, 2, 2, 2, 3]
    assert not word_features(WORDS)[:, LINES_KNOWN].any()


def test_the_middle_of_a_long_text_looks_like_the_middle_of_any_other() -> None:
    """The same word far from both edges: nothing tells how long the text is."""
    here, there = (word_features(("word",) * n)[n // 2] for n in (200, 400))
    np.testing.assert_allclose(here, there, atol=1e-4)
    first, second = word_features(("word",) * 9)[:2]
    assert np.abs(first - second).max() > 0.1


def test_long_words_have_classes_of_their_own_up_to_eighteen_letters() -> None:
    lengths = (1, 2, 12, 13, 14, 15, 17, 18, 25)
    classes = [word_features(("a" * n,))[0, 6:21].argmax() for n in lengths]
    assert classes == [0, 1, 11, 12, 12, 13, 13, 14, 14]


def test_edges_fade_with_the_distance_to_the_first_and_the_last_word() -> None:
    found = edges(np.arange(7), 7)
    slow = [[np.exp(-d / scale) for d in (at, 6 - at) for scale in FADING] for at in range(7)]
    np.testing.assert_allclose(found, slow, rtol=1e-6)
    np.testing.assert_array_equal(found[:, :3], found[::-1, 3:])
