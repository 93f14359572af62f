from __future__ import annotations

import numpy as np

from scandl.models.pointer.states import (
    MOST_VISITS,
    N_REFERENCES,
    SACCADES,
    WINDOW,
    States,
    joined,
    one_hot_saccade,
)


def states(n_paths: int = 2, n_places: int = 3, n_words: int = 5, seed: int = 1) -> States:
    rng = np.random.default_rng(seed)
    return States(
        rng.integers(-1, n_words + 1, (n_paths, n_places, N_REFERENCES)),
        rng.integers(0, MOST_VISITS + 1, (n_paths, n_places, n_words)),
        rng.integers(-1, n_words + 1, (n_paths, n_places)),
        rng.random((n_paths, n_places, 4)).astype(np.float32),
    )


def test_tokens_are_scalars_and_the_visits_to_the_words_around() -> None:
    made = states()
    tokens = made.tokens()
    assert tokens.shape == (2, 3, 4 + len(WINDOW))
    for b in range(2):
        for t in range(3):
            near = [made.anchor[b, t] + step for step in WINDOW]
            visits = [made.counts[b, t, w] / MOST_VISITS if 0 <= w < 5 else 0.0 for w in near]
            np.testing.assert_allclose(tokens[b, t], [*made.scalars[b, t], *visits], rtol=1e-6)


def test_words_outside_the_text_are_the_padded_width() -> None:
    made = states()
    assert made.window.min() >= 0
    assert made.window.max() <= 5
    outside = (made.anchor[..., None] + WINDOW < 0) | (made.anchor[..., None] + WINDOW >= 5)
    assert (made.window[outside] == 5).all()


def test_places_are_put_behind_each_other() -> None:
    one, other = states(seed=1), states(n_places=2, seed=2)
    both = joined([one, other])
    np.testing.assert_array_equal(both.tokens(), np.concatenate([one.tokens(), other.tokens()], axis=1))
    np.testing.assert_array_equal(both.references[:, 3:], other.references)


def test_saccades_beyond_the_longest_count_as_the_longest() -> None:
    sizes = np.arange(-9, 10)
    classes = one_hot_saccade(sizes)
    assert classes.shape == (19, 2 * SACCADES + 1)
    assert classes.sum(axis=1).tolist() == [1.0] * 19
    assert (classes.argmax(axis=1) - SACCADES).tolist() == [max(-SACCADES, min(SACCADES, s)) for s in sizes]
