"""The graph of the exported network: it computes what torch computes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.batch import collate
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.onnx_export import export_onnx
from scandl.models.diffusion.onnx_model import OnnxNetwork, OnnxScandl
from scandl.models.diffusion.settings import DiffusionConfig, ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.diffusion.torch_sampling import TorchNetwork
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
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

ABLATIONS: list[dict[str, bool]] = [{}, {"sentence_condition": False}, {"text_and_position": False}]


def models(tmp_path: Path, config: ScandlConfig = CONFIG) -> tuple[TrainedScandl, OnnxScandl]:
    fold = {"fold_id": "ns-0", "setting": "ns", "corpus": "t", "train": [["r1", "s"]]}
    checkpoint = train(config, CORPUS, tmp_path / "run", fold=fold, device="cpu", quiet=True)
    file = export_onnx(checkpoint, tmp_path / "model.onnx", about="a test")
    return TrainedScandl.load(checkpoint, device="cpu"), OnnxScandl.load(file)


@pytest.mark.parametrize("change", ABLATIONS)
def test_it_is_the_network_of_torch(tmp_path: Path, change: dict[str, bool]) -> None:
    config = replace(CONFIG, model=replace(CONFIG.model, **change))  # type: ignore[arg-type]
    with_torch, without = models(tmp_path, config)
    requests = [Request(SENTENCE, "", k) for k in range(3)]
    inputs = [with_torch.tokens(request) for request in requests]
    streams = [[stream(k) for k in range(3)] for _ in range(2)]
    eager = TorchNetwork(with_torch.denoiser, collate(inputs), streams[0])
    exported = OnnxNetwork(
        without._session, without._tables, [without.tokens(r) for r in requests], streams[1]
    )
    z = eager.noise(0.0)
    np.testing.assert_array_equal(exported.noise(0.0), z.numpy())
    for t in (0, 31, 59):
        expected = eager.predict(z, t).detach()
        found = exported.predict(z.numpy(), t)
        np.testing.assert_allclose(found, expected.numpy(), rtol=0, atol=1e-4)
        assert np.array_equal(exported.nearest(found), eager.nearest(expected).numpy())
        assert np.array_equal(exported.final(found), eager.final(expected).numpy())
