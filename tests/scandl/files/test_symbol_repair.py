"""Repair of raw model output: what is left is always words of the sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scandl.files.symbol_repair import RELEASED_PAD, clean, cut_sep, frame, remove_pad

M = 6
symbols = st.lists(st.sampled_from([0, 1, 2, 5, 6, M + 1, M + 2, 90, RELEASED_PAD]), max_size=20)


@given(symbols)
def test_only_words_of_the_sentence_survive(ids: list[int]) -> None:
    words, repairs = clean(ids, M)
    assert all(0 <= word < M for word in words)
    assert (not words) == ("empty" in repairs)


@given(st.lists(st.integers(0, M - 1), min_size=1), st.integers(0, 5))
def test_a_well_formed_path_needs_no_repair(words: list[int], n_pad: int) -> None:
    raw = [*frame(words, M), *[RELEASED_PAD] * n_pad]
    assert clean(raw, M) == (tuple(words), {})
    assert remove_pad(raw) == frame(words, M)
    assert cut_sep(raw, M) == frame(words, M)


@given(symbols)
def test_remove_pad_touches_the_end_alone(ids: list[int]) -> None:
    short = remove_pad(ids)
    assert list(short) == ids[: len(short)]
    assert set(ids[len(short) :]) <= {RELEASED_PAD}
    assert not short or short[-1] != RELEASED_PAD


def test_each_kind_of_repair_is_counted() -> None:
    assert clean([1, 2, 7], M)[1] == {"no CLS": 1}
    assert clean([0, 1, 127, 2, 7], M) == ((0,), {"no SEP": 1})
    assert clean([0, 1, 7, 2, 7], M) == ((0,), {"after SEP": 1})
    assert clean([0, 1, 0, 0, 90, 7], M) == ((0,), {"inner CLS": 2, "not a word": 1})
    assert clean([127], M) == ((), {"no CLS": 1, "no SEP": 1, "empty": 1})
