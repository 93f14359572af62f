from __future__ import annotations

import numpy as np

from scandl.models.pointer.runners.runner import ReadText, seen_around


def test_texts_are_taken_by_number() -> None:
    rng = np.random.default_rng(1)
    parts = [rng.random((3, *shape)) for shape in ((5, 2), (4, 8), (4, 6), (4,), (8,))]
    taken = ReadText(*parts).of(np.array([2, 0, 2]))
    for name, part in zip(("near", "keys", "by_distance", "inside", "gist"), parts, strict=True):
        np.testing.assert_array_equal(getattr(taken, name), part[[2, 0, 2]])


def test_what_is_seen_around_a_place_is_that_of_its_words_in_order() -> None:
    rng = np.random.default_rng(2)
    near, window = rng.random((2, 6, 3)), rng.integers(0, 6, (2, 4, 5))
    found = seen_around(near, window)
    assert found.shape == (2, 4, 15)
    for b in range(2):
        for t in range(4):
            np.testing.assert_array_equal(found[b, t], np.concatenate([near[b, w] for w in window[b, t]]))
