"""What a step of training learns from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scandl.corpora import Corpus
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_task import PointerTask
from scandl.models.pointer.words import n_word_features


def told_of_durations(corpus: Corpus, noise: float, slots: range, step: int) -> NDArray[np.float32]:
    """Return what the network of durations is told in a step, one row per fixation."""
    task = PointerTask(PointerConfig(network=NetworkConfig(duration_noise=noise)), corpus)
    return task.batch(list(slots), slots, step).duration_features.numpy()


def test_noise_is_on_the_words_that_durations_are_learned_from_and_on_nothing_else(corpus: Corpus) -> None:
    slots = range(len(corpus.scanpaths))
    exact = told_of_durations(corpus, 0.0, slots, 1)
    added = np.array([told_of_durations(corpus, 0.3, slots, step) for step in range(400)])
    # Who reads is drawn anew in each step, so only columns before the condition are compared.
    task = PointerTask(PointerConfig(), corpus)
    added = (added - exact)[..., : -task.conditions.width]
    n_words = 4 * n_word_features()  # the word before, the fixated one and the two after it
    assert (added[..., :-n_words] == 0).all()
    noise = added[..., -n_words:]
    beyond = (noise == 0).all(axis=0)  # before the first word of a text and after its last one
    words = exact[:, : -task.conditions.width][:, -n_words:]
    assert (words[beyond] == 0).all()
    assert 0 < beyond.sum() < beyond.size / 2
    np.testing.assert_allclose(noise[:, ~beyond].std(), 0.3, atol=0.01)
    np.testing.assert_allclose(noise[:, ~beyond].mean(), 0.0, atol=0.01)


def test_noise_depends_on_the_step_and_the_place_in_it_and_not_on_the_rest_of_the_batch(
    corpus: Corpus,
) -> None:
    n = len(corpus.scanpaths)
    whole = told_of_durations(corpus, 0.3, range(n), 7)
    halves = [told_of_durations(corpus, 0.3, slots, 7) for slots in (range(n // 2), range(n // 2, n))]
    assert (np.concatenate(halves) == whole).all()
    assert (told_of_durations(corpus, 0.3, range(n), 8) != whole).any()
