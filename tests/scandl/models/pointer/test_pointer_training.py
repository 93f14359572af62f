from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from scandl.config import TrainingConfig
from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer.path_batch import BLUR, n_word_features
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import PointerTask, load, train
from scandl.training.checkpoint import read_checkpoint, write_checkpoint


@pytest.fixture
def checkpoint(corpus: Corpus, tmp_path: Path) -> Path:
    config = PointerConfig(
        network=NetworkConfig(width=16, heads=2),
        training=TrainingConfig(steps=3, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1),
    )
    return train(config, corpus, tmp_path / "trained")


def test_what_was_trained_is_opened_with_its_readers(checkpoint: Path, corpus: Corpus) -> None:
    model = load(checkpoint)
    assert model.config.network.width == 16
    assert set(model.conditions.readers) == {"a", "b"}
    assert model.timed
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    smooth, raw = (
        load(checkpoint, weights=kind).log_probs(sentences, corpus.scanpaths) for kind in ("ema", "weights")
    )
    assert smooth != raw


def test_other_checkpoints_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pt"
    write_checkpoint(other, {"weights": {"w": torch.ones(2)}})
    with pytest.raises(ScandlError, match="other.pt: a checkpoint, but not of a word-pointing network"):
        load(other)
    saved = {name: value for name, value in read_checkpoint(checkpoint).items() if name != "format"}
    write_checkpoint(other, saved | {"words": "pointer-words/0"})
    with pytest.raises(
        ScandlError, match="trained with word features pointer-words/0, found pointer-words/2"
    ):
        load(other)


def told_of_durations(corpus: Corpus, noise: float, slots: range, step: int) -> NDArray[np.float32]:
    """Return what the network of durations is told in a step, one row per fixation."""
    task = PointerTask(PointerConfig(network=NetworkConfig(duration_noise=noise)), corpus)
    return task.batch(list(slots), slots, step).duration_features.numpy()


def test_noise_is_on_the_words_that_durations_are_learned_from_and_on_nothing_else(corpus: Corpus) -> None:
    slots = range(len(corpus.scanpaths))
    exact = told_of_durations(corpus, 0.0, slots, 1)
    added = np.array([told_of_durations(corpus, 0.3, slots, step) for step in range(100)])
    # Who reads is drawn anew in each step, so only columns before the condition are compared.
    task = PointerTask(PointerConfig(), corpus)
    added = (added - exact)[..., : -task.conditions.width]
    n_words = 5 * n_word_features()  # the two words before, the fixated one and the two after it
    assert (added[..., :-n_words] == 0).all()
    blur = np.tile(BLUR, 5)
    noise, words = added[..., -n_words:], exact[:, : -task.conditions.width][:, -n_words:]
    assert (noise[..., blur == 0] == 0).all()  # lines
    noise, words = noise[..., blur > 0] / blur[blur > 0], words[:, blur > 0]
    beyond = (noise == 0).all(axis=0)  # before the first word of a text and after its last one
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


@pytest.mark.parametrize(("share", "expected"), [(0.5, [0, 2, 4, 6]), (0.75, [0, 1, 2, 4, 5, 6]), (0.0, [])])
def test_the_share_of_updates_in_order_of_time(share: float, expected: list[int], corpus: Corpus) -> None:
    task = PointerTask(PointerConfig(in_order=share, given=0.0), corpus)
    # In order all paths of a batch see the places before; masked, each sees those within its own end.
    told = [task.batch([0, 1], range(2), step) for step in range(8)]
    assert [step for step, batch in enumerate(told) if batch.visible.shape[0] == 1] == expected
