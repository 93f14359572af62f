from __future__ import annotations

from pathlib import Path

import pytest
import torch

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.training.checkpoint import read_checkpoint, write_checkpoint
from scandl.training.training_settings import TrainingConfig


@pytest.fixture
def checkpoint(corpus: Corpus, tmp_path: Path) -> Path:
    config = PointerConfig(
        network=NetworkConfig(process="autoregressive", width=16, heads=2),
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
        ScandlError, match="trained with word features pointer-words/0, found pointer-words/1"
    ):
        load(other)
