"""Records: equal by what they hold, unchangeable, shared safely; visits as a slow definition has them."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.records import NOTHING, Prediction, Scanpath, Sentence, Visits, visits


def test_words_are_what_blanks_part() -> None:
    sentence = Sentence("s1", "  Don't\tpanic –  ever. ")
    assert sentence.words == ("Don't", "panic", "–", "ever.")
    assert sentence.n_words == len(sentence.words)


def test_a_sentence_is_its_own_item_unless_it_is_a_version() -> None:
    assert Sentence("s1", "A").item == "s1"
    assert Sentence("s1", "A", "i7").item == "i7"


def test_records_do_not_change() -> None:
    for record in (Sentence("s1", "A"), Scanpath("r1", "s1", (0,)), Prediction("s1", (0,))):
        with pytest.raises(FrozenInstanceError):
            record.sentence_id = "s2"  # type: ignore[misc]
        assert record.extra is NOTHING


def test_records_are_keys() -> None:
    """Also with what their generator tells of them, which is a mapping."""
    told = Scanpath("r1", "s1", (0, 1), extra={"encoder": "lexical"})
    assert {told: 1}[Scanpath("r1", "s1", (0, 1), extra={"encoder": "lexical"})] == 1
    assert told != Scanpath("r1", "s1", (0, 1))
    assert told.n_fixations == 2


paths = st.integers(1, 8).flatmap(
    lambda n: st.tuples(st.lists(st.integers(0, n - 1), max_size=14), st.just(n))
)


def slow(path: list[int], word: int) -> Visits:
    """Follow the definition for one word, from the path alone."""
    if word not in path:
        return Visits()
    start = path.index(word)
    rest = path[start:]
    other = [i for i, w in enumerate(rest) if w != word]
    run = other[0] if other else len(rest)
    return Visits(
        n_fixations=path.count(word),
        first_run=run,
        first_pass=all(w < word for w in path[:start]),
        next_word=rest[run] if other else None,
    )


@given(paths)
def test_agrees_with_the_definition(case: tuple[list[int], int]) -> None:
    path, n_words = case
    assert visits(path, n_words) == [slow(path, word) for word in range(n_words)]


@given(paths)
def test_every_fixation_is_counted_once(case: tuple[list[int], int]) -> None:
    path, n_words = case
    assert sum(visit.n_fixations for visit in visits(path, n_words)) == len(path)


def test_an_unread_sentence_is_all_skips() -> None:
    assert all(visit.skipped and visit.next_word is None for visit in visits([], 3))
