"""What the known fixations tell of a hidden one, against a definition in lists."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.models.pointer.path_batch import padded
from scandl.models.pointer.processes.hidden import hidden_states


@pytest.mark.parametrize("seed", range(10))
def test_references_are_the_nearest_known_fixations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_words = rng.integers(1, 8, 3)
    paths = [tuple(rng.integers(0, m, rng.integers(1, 10)).tolist()) for m in n_words]
    words, n_fixations = padded(paths)
    hidden = (rng.random(words.shape) < 0.6) & (np.arange(words.shape[1]) < n_fixations[:, None])
    states = hidden_states(words, hidden, n_fixations, n_words, int(n_words.max()))
    for b, path in enumerate(paths):
        known = [k for k in range(len(path)) if not hidden[b, k]]
        for i in range(len(path)):
            before = max((k for k in known if k < i), default=-1)
            after = min((k for k in known if k > i), default=len(path))
            left = path[before] if before >= 0 else -1
            right = path[after] if after < len(path) else int(n_words[b])
            assert states.references[b, i, :2].tolist() == [left, right]
            if i in known:
                assert states.anchor[b, i] == path[i]
            else:
                between = left + (right - left) * (i - before) / (after - before)
                assert states.anchor[b, i] == np.clip(np.rint(between), 0, n_words[b] - 1)


def test_hidden_words_are_not_looked_at() -> None:
    words, n = np.array([[0, 1, 2, 3]]), np.array([4])
    hidden = np.array([[False, True, True, False]])
    other = np.array([[0, 3, 0, 3]])
    one, two = (hidden_states(w, hidden, n, n, 4) for w in (words, other))
    for name in ("references", "counts", "anchor", "scalars"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
