"""A trained model on torch: the weights that were asked for, and its encoder out of the checkpoint."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.diffusion_model import Sampling
from scandl.models.diffusion.fold_training import train
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.training.checkpoint import read_checkpoint

SENTENCE = Sentence("s1", "The cat sat on the mat.")
CORPUS = Corpus(
    Card(name="toy"), {"s1": SENTENCE}, tuple(Scanpath(f"r{n}", "s1", (0, 1, n % 6)) for n in range(8))
)
CONFIG = preset(
    "small",
    [
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "diffusion.steps=20",
        "training.steps=4",
        "training.batch=4",
        "training.save_every=2",
    ],
)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(
        CONFIG, CORPUS, tmp_path_factory.mktemp("run"), fold={"fold_id": "all"}, device="cpu", quiet=True
    )


@pytest.mark.parametrize("weights", ["ema", "weights"])
def test_it_has_the_weights_that_were_asked_for(checkpoint: Path, weights: str) -> None:
    model = TrainedScandl.load(checkpoint, weights=weights, device="cpu")
    saved = read_checkpoint(checkpoint)[weights]
    for name, value in model.denoiser.state_dict().items():
        torch.testing.assert_close(value, saved[f"denoiser.{name}"])
    assert not model.denoiser.training
    assert model.fold == {"fold_id": "all"}
    assert model.config == CONFIG


def test_it_reads_the_same_each_time(checkpoint: Path) -> None:
    requests = [Request(SENTENCE, "", k) for k in range(3)]
    paths = [
        TrainedScandl.load(checkpoint, device="cpu").generate(requests, seed=2, sampling=Sampling(steps=5))
        for _ in range(2)
    ]
    assert paths[0] == paths[1]
    assert all(0 <= word < SENTENCE.n_words for path in paths[0] for word in path.words)
