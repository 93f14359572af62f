"""Every word once, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scandl.models.baselines.left_to_right import LeftToRight
from scandl.records import Sentence


@given(st.lists(st.text("abc", min_size=1), min_size=1))
def test_every_word_once_in_order(words: list[str]) -> None:
    sentence = Sentence("s", " ".join(words))
    path = LeftToRight().path(sentence)
    assert sorted(path) == list(path)
    assert set(path) == set(range(sentence.n_words))
    assert len(path) == sentence.n_words
