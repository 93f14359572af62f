"""Tokens to words by characters, and the slip of the first release beside it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.errors import ScandlError
from scandl.seeds import stream
from scandl.text.token_alignment import (
    ALIGNMENTS,
    boundaries,
    corrected,
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


VOCABULARY = {"a": 0, "b": 1, "Ġa": 2, "Ġb": 3, "<end>": 4}
START = 5  # a context in which nothing has been read


def toy_model() -> np.ndarray:
    """Return p(next token | last token), one row per token and one for the start of the text."""
    return stream(1, "toy").dirichlet(np.ones(5), size=6)


def word_probability(tokens: tuple[int, ...], before: int, *, at_start: bool) -> tuple[float, float]:
    """Return the naive and the corrected probability of the word that these tokens spell."""
    p = toy_model()
    edges = boundaries(VOCABULARY, end_of_text=4, special=[4])
    history = (before, *tokens)
    token_nats = [-np.log(p[h, t]) for h, t in zip(history, tokens, strict=False)]
    at_boundary = np.array([-np.log(p[t, list(edges.word)].sum()) for t in tokens])
    first = edges.text if at_start else edges.word
    naive = np.array([sum(token_nats)])
    value = corrected(naive, [0] * len(tokens), at_boundary, -np.log(p[before, list(first)].sum()))
    return float(np.exp(-naive[0])), float(np.exp(-value[0]))


@pytest.mark.parametrize("at_start", [True, False])
def test_words_and_the_end_sum_to_one(at_start: bool) -> None:
    """All words of up to nine letters, and the end of the text, use up nearly all probability."""
    before = START if at_start else 0
    first = [0, 1] if at_start else [2, 3]
    naive = total = 0.0
    for length in range(9):
        for opening, rest in product(first, product([0, 1], repeat=length)):
            naive_p, p = word_probability((opening, *rest), before, at_start=at_start)
            naive += naive_p
            total += p
    edges = boundaries(VOCABULARY, end_of_text=4, special=[4])
    row = toy_model()[before]
    end = row[4] / row[list(edges.text if at_start else edges.word)].sum()
    assert total + end == pytest.approx(1.0, abs=0.01)
    assert total + end <= 1.0 + 1e-12
    assert naive > row[first].sum() + 0.1  # a prefix is counted again with every word it begins


def test_the_sum_over_words_telescopes() -> None:
    naive, inner = np.array([3.0, 4.0, 5.0]), np.array([9.0, 0.5, 0.25, 0.125])
    values = corrected(naive, [0, 0, 1, 2], inner, at_text_start=1.0)
    assert values.sum() == pytest.approx(naive.sum() - 1.0 + 0.125)


def test_boundaries_of_other_alphabets() -> None:
    assert boundaries({"▁a": 0, "a": 1, "</s>": 2, "<s>": 3}, 2, [2, 3]).word == (0, 2)
    assert boundaries({"Ċ": 0, "a": 1, "e": 2}, 2, [2]).text == (1, 2)
    with pytest.raises(ScandlError, match="marks no beginnings of words"):
        boundaries({"a": 0, "e": 1}, 1, [1])
