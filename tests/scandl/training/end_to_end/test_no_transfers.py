"""Nothing is sent between host and device in the loops of training and sampling.

The meta device stands for a GPU: a tensor there has a shape and no numbers, so that looking at one
fails. On top, every operation is watched: none may have tensors of two devices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.denoiser import Denoiser, TokenBatch
from scandl.models.diffusion.denoising_network import denoise
from scandl.models.diffusion.diffusion_task import ScandlTask
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.torch_model import TorchNetwork
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.encoder import Lexical
from scandl.training.planned_batches import planned
from scandl.training.processes import Alone
from scandl.training.trainer import LOOK_EVERY, Trainer

GPU = torch.device("meta")
CONFIG = preset(
    "small",
    [
        "model.layers=1",
        "model.dim=16",
        "model.heads=2",
        "model.feed_forward=16",
        "diffusion.steps=20",
        "training.batch=4",
        "training.steps=1000",
        "training.log_every=100",
        "training.validation=none",
    ],
)
SENTENCE = Sentence("s1", "The cat sat on the mat.")
CORPUS = Corpus(
    Card(name="toy"), {"s1": SENTENCE}, tuple(Scanpath(f"r{n}", "s1", (0, n % 3)) for n in range(64))
)


class Watcher(TorchDispatchMode):
    """Counts operations on the device, and keeps those that send something to it or from it."""

    def __init__(self) -> None:
        super().__init__()
        self.n_operations = 0
        self.transfers: list[str] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        found = func(*args, **(kwargs or {}))
        places = {
            leaf.device.type
            for leaf in tree_leaves((args, kwargs, found))
            if isinstance(leaf, Tensor) and (leaf.ndim or leaf.device == GPU)
        }
        self.n_operations += GPU.type in places
        if len(places) > 1:
            self.transfers.append(str(func))
        return found


@contextmanager
def watched() -> Iterator[Watcher]:
    watcher = Watcher()
    with watcher:
        yield watcher


def test_the_watcher_sees_what_is_sent_and_looked_at() -> None:
    with watched() as seen:
        torch.ones(3).to(GPU)
    assert seen.transfers == ["aten._to_copy.default"]
    for look in (Tensor.item, Tensor.tolist, Tensor.cpu, bool):
        with pytest.raises((RuntimeError, NotImplementedError)):  # on the meta device by itself
            look(torch.ones((), device=GPU))


@pytest.mark.parametrize("parts", [1, 2])
def test_training_sends_nothing_between_two_looks(
    parts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scandl.training.trainer.training_processes", lambda device: Alone(GPU))
    config = replace(CONFIG.training, accumulate=parts)
    trainer = Trainer(ScandlTask(CONFIG, Lexical(), CORPUS), config, tmp_path, quiet=True)
    batches = planned(trainer.task.buckets, 4, 1, 0, GPU)
    trainer._one_step(next(batches))  # the first time the data go to the device
    with watched() as seen:
        for _ in range(10):
            trainer._one_step(next(batches))
    assert trainer.step == 11 < LOOK_EVERY
    assert seen.transfers == []
    assert seen.n_operations > 1000


def test_sampling_sends_nothing_between_its_first_and_last_step() -> None:
    model = Denoiser(CONFIG.model, Lexical.dim, 20).eval().to(GPU)
    ids = torch.zeros(3, 24, dtype=torch.int64, device=GPU)
    batch = TokenBatch(ids, ids, ids > 0, ids > 0, torch.zeros(3, 24, Lexical.dim, device=GPU))
    network = TorchNetwork(model, batch, [stream(1, k) for k in range(3)])
    with torch.inference_mode(), watched() as seen:
        found = denoise(network, Process.named("sqrt", 20))
    assert found.shape == (3, 24)
    assert seen.transfers == []
    assert seen.n_operations > 20 * 30
