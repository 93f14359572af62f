"""Tokens to words by characters, and the slip of the first release beside it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl_analysis.predictors.surprisal.alignment import (
    ALIGNMENTS,
    owners,
    released_sum,
    single_spaced,
    sum_by_word,
    word_spans,
)


@pytest.mark.parametrize(
    ("values", "owner", "correct", "released"),
    [
        ([5, 1, 7, 3], [0, 0, 1, 2], [6, 7, 3], [6, 1, 7]),
        ([1, 10, 20, 30, 100, 1000], [0, 1, 1, 1, 2, 3], [1, 60, 100, 1000], [1, 60, 20, 30]),
    ],
)
def test_both_alignments(
    values: list[float], owner: list[int], correct: list[float], released: list[float]
) -> None:
    tokens = np.array(values, float)
    assert sum_by_word(tokens, owner, len(correct)).tolist() == correct
    assert released_sum(tokens, owner, len(correct)).tolist() == released


def test_the_slip_needs_a_word_of_several_tokens() -> None:
    tokens = np.array([3.0, 1.0, 2.0])
    assert released_sum(tokens, [0, 1, 2], 3).tolist() == sum_by_word(tokens, [0, 1, 2], 3).tolist()


def test_two_tokens_may_share_a_character() -> None:
    assert owners("a 🙂 b", [(0, 1), (1, 3), (2, 3), (3, 5)]) == [0, 1, 1, 2]


def test_a_token_of_space_belongs_to_the_word_it_opens() -> None:
    assert owners("a bc", [(0, 1), (1, 2), (2, 4)]) == [0, 1, 1]
    assert owners("a bc", [(0, 0), (0, 1), (1, 4), (4, 4)]) == [0, 0, 1, 1]


def test_a_word_without_a_token_is_an_error() -> None:
    with pytest.raises(ScandlError, match="gives no token to 'b' in 'a b c'"):
        owners("a b c", [(0, 1), (1, 5)])


@given(st.lists(st.text("ab'é", min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_any_cut_gives_every_token_one_word_and_keeps_the_sum(words: list[str], data: st.DataObject) -> None:
    """Cut each word anywhere, the space with the following piece: the owner is the word it was cut from."""
    text = " ".join(words)
    spans, expected = [], []
    for word, (start, end) in enumerate(word_spans(text)):
        cuts = sorted(data.draw(st.sets(st.integers(start + 1, end), max_size=3)) | {end})
        begin = max(0, start - 1)
        for cut in cuts:
            spans.append((begin, cut))
            expected.append(word)
            begin = cut
    assert owners(text, spans) == expected
    values = np.arange(1.0, len(spans) + 1)
    for name in ("offsets",):
        assert ALIGNMENTS[name](values, expected, len(words)).sum() == values.sum()


def test_the_string_that_is_tokenised() -> None:
    assert single_spaced("  a\u00a0b \n c ") == "a b c"
    assert word_spans("a b c") == [(0, 1), (2, 3), (4, 5)]
