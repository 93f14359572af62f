"""Exported files: complete, and the same bytes for the same weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.onnx_export import export_onnx
from scandl.models.diffusion.onnx_model import OnnxScandl
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.records import Scanpath, Sentence
from scandl.training.training_settings import TrainingConfig

SENTENCE = Sentence("s", "The cat sat on the mat.")

CORPUS = Corpus(Card(name="t"), {"s": SENTENCE}, tuple(Scanpath(f"r{i}", "s", (0, 1, i)) for i in range(4)))

CONFIG = ScandlConfig(
    model=ModelConfig(
        layers=2, heads=4, dim=32, feed_forward=64, seq_len=48, buckets=(24, 48), encoder="lexical"
    ),
    diffusion=DiffusionConfig(steps=60),
    training=TrainingConfig(steps=3, batch=4, save_every=3, lr=1e-2, validation="none"),
)


def models(tmp_path: Path, config: ScandlConfig = CONFIG) -> tuple[TrainedScandl, OnnxScandl]:
    fold = {"fold_id": "ns-0", "setting": "ns", "corpus": "t", "train": [["r1", "s"]]}
    checkpoint = train(config, CORPUS, tmp_path / "run", fold=fold, device="cpu", quiet=True)
    file = export_onnx(checkpoint, tmp_path / "model.onnx", about="a test")
    return TrainedScandl.load(checkpoint, device="cpu"), OnnxScandl.load(file)


def test_the_file_carries_all_that_is_known_of_the_model(tmp_path: Path) -> None:
    with_torch, without = models(tmp_path)
    assert without.config == with_torch.config == CONFIG
    assert without.fold == with_torch.fold
    assert (without.encoder.identity, without.about) == ("lexical/2", "a test")
    with pytest.raises(ScandlError, match="trained on sentence 's'"):
        without.refuse_leak([("r9", "s")], "t")


def test_the_same_weights_give_the_same_bytes(tmp_path: Path) -> None:
    models(tmp_path)
    again = export_onnx(tmp_path / "run" / "last.pt", tmp_path / "again.onnx", about="a test")
    assert again.read_bytes() == (tmp_path / "model.onnx").read_bytes()
