"""The correction makes a distribution over words out of one over tokens."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.seeds import stream
from scandl_analysis.predictors.surprisal.bow import boundaries, corrected

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
