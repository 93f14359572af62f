from __future__ import annotations

import numpy as np
import pytest

from scandl.models.pointer.path_batch import (
    FADING,
    LINE_STARTS,
    LINES_KNOWN,
    SACCADES,
    SURPRISAL,
    TextBatch,
    draw,
    edges,
    n_word_features,
    one_hot_saccade,
    padded,
    within,
    word_features,
)
from scandl.text.context import WordContext


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


def test_a_mark_by_itself_is_as_frequent_as_a_word_can_be_in_any_script() -> None:
    for words, language in ((("The", "end", "–"), "en"), (("यह", "अंत", "।"), "hi")):
        frequency = word_features(words, language)[:, 1]
        assert frequency.argmax() == 2
        assert frequency[2] == 3.0  # Zipf 8, on the scale of the encoder
    assert word_features(("12", "o'clock"))[:, 1].max() < 3.0
