"""The longer words, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scandl.models.baselines.left_to_right import LeftToRight
from scandl.models.baselines.skip_short import SkipShort
from scandl.records import Sentence


def test_by_hand() -> None:
    assert SkipShort().path(Sentence("s1", "The old man is waiting here.")) == (0, 1, 2, 4, 5)
    assert SkipShort().path(Sentence("s2", "I am at it")) == (0, 1, 2, 3)


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1), st.integers(0, 6))
def test_it_skips_what_is_short_unless_all_are(words: list[str], longest: int) -> None:
    sentence = Sentence("s", " ".join(words))
    path = SkipShort(longest).path(sentence)
    longer = tuple(i for i in range(len(words)) if len(words[i]) > longest)
    assert path == longer if longer else path == LeftToRight().path(sentence)
