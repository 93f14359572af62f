"""Visits against a definition that looks at every word by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scandl.reading.word_visits import Visits, visits

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
