"""What is known before each fixation, against a definition that looks at the path alone."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from scandl.models.pointer.states import MOST_VISITS
from scandl.models.pointer.walk import N_SCALARS, walked


@pytest.mark.parametrize("seed", range(5))
def test_states_are_those_of_the_path_so_far(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_words = rng.integers(1, 9, 4)
    paths = [tuple(rng.integers(0, m, rng.integers(1, 12)).tolist()) for m in n_words]
    states = walked(paths, n_words, int(n_words.max()))
    assert states.scalars.shape == (4, max(map(len, paths)) + 1, N_SCALARS)
    for b, path in enumerate(paths):
        for t in range(len(path) + 1):
            seen = path[:t]
            last, previous = [*(-1, -1), *seen][-1], [*(-1, -1), *seen][-2]
            assert states.references[b, t].tolist() == [last, previous, max(seen, default=-1)]
            expected = [min(seen.count(word), MOST_VISITS) for word in range(int(n_words.max()))]
            assert states.counts[b, t].tolist() == expected
            regressions = sum(y < x for x, y in pairwise(seen))
            assert states.scalars[b, t, 2] == pytest.approx(regressions / max(t, 1))
            never = 1 - len(set(seen)) / (max(seen) + 1) if seen else 1.0
            assert states.scalars[b, t, 4] == pytest.approx(never)


def test_a_state_in_the_middle_does_not_depend_on_the_length_of_the_text() -> None:
    """Only what is a share of the text may differ between texts of 100 and 200 words."""
    path = tuple(range(40, 60))
    short, long = (walked([path], np.array([m]), m).scalars[0, -1] for m in (100, 200))
    differs = np.flatnonzero(np.abs(short - long) > 0.01)
    assert set(differs.tolist()) <= {1, 5}  # fixations per word, share reached


def test_the_window_has_no_words_beyond_the_text() -> None:
    states = walked([(0, 2)], np.array([3]), 3)
    assert states.window[0].tolist() == [[3, 3, 3, 0, 1, 2], [3, 3, 0, 1, 2, 3], [0, 1, 2, 3, 3, 3]]
