"""One ONNX file of a checkpoint: what it holds, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.models.pointer.runners.onnx_runner import load_onnx
from scandl.models.pointer.runners.pointer_export import export_onnx
from scandl.training.checkpoint import write_checkpoint
from scandl.training.training_settings import TrainingConfig


@pytest.fixture
def checkpoint(corpus: Corpus, tmp_path: Path) -> Path:
    config = PointerConfig(
        network=NetworkConfig(width=16, heads=2),
        training=TrainingConfig(steps=3, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1),
    )
    return train(config, corpus, tmp_path / "trained")


@pytest.mark.parametrize("weights", ["ema", "weights"])
def test_a_file_has_the_likelihoods_of_its_checkpoint(
    checkpoint: Path, corpus: Corpus, tmp_path: Path, weights: str
) -> None:
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    file = export_onnx(checkpoint, tmp_path / "model.onnx", weights=weights, about="a test")
    there, here = (
        model.log_probs(sentences, corpus.scanpaths)
        for model in (load(checkpoint, weights=weights), load_onnx(file))
    )
    np.testing.assert_allclose(here, there, rtol=1e-4)


def test_one_checkpoint_gives_one_file_byte_by_byte(checkpoint: Path, tmp_path: Path) -> None:
    first, second = (export_onnx(checkpoint, tmp_path / f"{n}.onnx").read_bytes() for n in (1, 2))
    assert first == second


def test_other_readers_stand_in_place_of_those_of_training(
    checkpoint: Path, corpus: Corpus, tmp_path: Path
) -> None:
    own = Conditions.of(corpus)
    told = own.with_styles({"a": np.array(own.styles["b"].values)})
    assert load_onnx(export_onnx(checkpoint, tmp_path / "own.onnx")).conditions == own
    found = load_onnx(export_onnx(checkpoint, tmp_path / "told.onnx", conditions=told)).conditions
    assert found == told != own


def test_other_names_and_other_checkpoints_are_refused(checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match=r"--out .*model.bin: expected a name that ends in .onnx"):
        export_onnx(checkpoint, tmp_path / "model.bin")
    other = tmp_path / "other.pt"
    write_checkpoint(other, {"weights": {"w": torch.ones(2)}})
    with pytest.raises(ScandlError, match="other.pt: a checkpoint, but not of a word-pointing network"):
        export_onnx(other, tmp_path / "model.onnx")
    assert not (tmp_path / "model.onnx").exists()
