"""What is known at each place, against definitions that look at one place of one path."""

from __future__ import annotations

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from scandl.models.pointer.path_batch import Flags, Ints, padded
from scandl.models.pointer.states import MOST_VISITS, N_TOKENS, After, Before, States, state, states


def some_paths(seed: int) -> tuple[Ints, list[tuple[int, ...]], Flags]:
    """Return numbers of words, paths, and which of their places are known."""
    rng = np.random.default_rng(seed)
    n_words = rng.integers(1, 9, 4)
    paths = [tuple(rng.integers(0, m, rng.integers(1, 12)).tolist()) for m in n_words]
    return n_words, paths, rng.random((4, max(map(len, paths)))) < 0.5


@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_state_has_the_known_fixations_on_both_sides(seed: int, in_order: bool) -> None:
    n_words, paths, known = some_paths(seed)
    words, n_fixations = padded(paths)
    found = states(words, known, n_fixations, n_words, int(n_words.max()), in_order=in_order)
    assert found.tokens().shape == (*words.shape, N_TOKENS)
    for b, path in enumerate(paths):
        for t in range(len(path)):
            before = [k for k in range(t) if in_order or known[b, k]]
            after = [k for k in range(t + 1, len(path)) if known[b, k]]
            seen, coming = ([path[k] for k in side] for side in (before, after))
            end = int(n_words[b])
            expected = [
                *[*(-1, -1), *seen][:-3:-1],
                max(seen, default=-1),
                *[*coming, end, end][:2],
            ]
            assert found.references[b, t, :5].tolist() == expected
            assert found.gap[b, t] == t - (before[-1] if before else -1)
            for side, counted in enumerate((seen, coming)):
                visits = [min(counted.count(word), MOST_VISITS) for word in range(int(n_words.max()))]
                assert found.visits[b, t, side].tolist() == visits
            regressions = sum(y < x for x, y in pairwise(seen))
            assert regressions / max(len(seen), 1) in found.scalars[b, t].astype(float).round(7).tolist() or (
                np.isclose(found.scalars[b, t], regressions / max(len(seen), 1)).any()
            )


@pytest.mark.parametrize("seed", range(6))
def test_the_middle_is_the_own_word_where_it_is_known_and_lies_between_where_not(seed: int) -> None:
    n_words, paths, known = some_paths(seed)
    words, n_fixations = padded(paths)
    found = states(words, known, n_fixations, n_words, int(n_words.max()))
    for b, path in enumerate(paths):
        for t in range(len(path)):
            before = max((k for k in range(t) if known[b, k]), default=-1)
            after = min((k for k in range(t + 1, len(path)) if known[b, k]), default=len(path))
            left = path[before] if before >= 0 else -1
            right = path[after] if after < len(path) else int(n_words[b])
            between = np.rint(left + (right - left) * (t - before) / (after - before))
            expected = path[t] if known[b, t] else np.clip(between, 0, n_words[b] - 1)
            assert found.references[b, t, 5] == expected


@pytest.mark.parametrize("seed", range(4))
def test_place_by_place_it_is_as_at_all_places_at_once(seed: int) -> None:
    """What is kept while a path is drawn gives the states that are learned from."""
    n_words, paths, known = some_paths(seed)
    words, n_fixations = padded(paths)
    known &= np.arange(words.shape[1]) < n_fixations[:, None]
    n_columns = int(n_words.max())
    whole = states(words, known, n_fixations, n_words, n_columns, in_order=True)
    before, after = Before.nothing(n_words), After.along(words, known, n_fixations, n_words)
    visits = np.zeros((len(paths), 1, 2, n_columns), dtype=np.int64)
    row = np.arange(len(paths))
    np.add.at(visits, (np.nonzero(known)[0], 0, 1, words[known]), 1)
    for t in range(words.shape[1]):
        visits[row, 0, 1, words[:, t]] -= known[:, t]
        here = state(np.array([t]), before, after.at(t, slice(None)), visits, n_fixations, n_words)
        going = n_fixations > t
        for name in [field.name for field in fields(States)]:
            np.testing.assert_allclose(
                getattr(here, name)[going, 0], getattr(whole, name)[going, t], rtol=1e-6, err_msg=name
            )
        new = visits[row, 0, 0, words[:, t]] == 0
        visits[row, 0, 0, words[:, t]] += 1
        before = before.step(words[:, t : t + 1], t, new[:, None], n_words)


def test_hidden_words_are_not_looked_at() -> None:
    n = np.array([4])
    known = np.array([[True, False, False, True]])
    one, two = (states(np.array([words]), known, n, n, 4) for words in ([0, 1, 2, 3], [0, 3, 0, 3]))
    for name in [field.name for field in fields(States)]:
        assert np.array_equal(getattr(one, name), getattr(two, name))


def test_what_comes_later_is_not_looked_at_in_order() -> None:
    n, none = np.array([4]), np.zeros((1, 4), dtype=bool)
    one, two = (
        states(np.array([words]), none, n, n, 4, in_order=True) for words in ([0, 1, 2, 3], [0, 1, 3, 0])
    )
    np.testing.assert_array_equal(one.tokens()[:, :3], two.tokens()[:, :3])
    assert (one.tokens()[:, 3] != two.tokens()[:, 3]).any()


def test_a_state_in_the_middle_does_not_depend_on_the_length_of_the_text() -> None:
    """Only what is a share of the text may differ between texts of 100 and 200 words, paths of as many fixations."""
    words = np.arange(40, 61)[None]
    short, long = (
        states(
            np.pad(words, ((0, 0), (0, m - 21))),
            np.zeros((1, m), bool),
            np.array([m]),
            np.array([m]),
            m,
            in_order=True,
        ).scalars[0, 20]
        for m in (100, 200)
    )
    assert (np.abs(short - long) > 0.05).sum() <= 6  # shares of path and text, remaining per remaining word


def test_words_around_have_none_beyond_the_text() -> None:
    n = np.array([3])
    found = states(np.array([[0, 2, 1]]), np.ones((1, 3), bool), n, np.array([3]), 5)
    assert found.around[0, 1].tolist() == [5, 5, 0, 1, 2, 5, *(5, 2, 1, 0, 5, 5), *(0, 1, 2, 5, 5, 5)]
    near = found.visits_near()[0, 1] * MOST_VISITS
    assert near.round().tolist() == [1, 0, 0, 0, 0, 0]
