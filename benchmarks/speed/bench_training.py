"""Where the time of a step goes: the network, or everything around it.

For one training step and one sampling step at the paper's size (12 layers, 256 dimensions, 128 positions),
the time inside the network (forward, backward, the optimiser's arithmetic) is set against the whole step.
What is left is host work: noise, t, batches, losses, the moving average, rounding. On a GPU the shares
differ; that nothing is sent there and back within a step is tested, not timed.

    python benchmarks/speed/bench_training.py [batch]
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.denoiser import Denoiser, collate
from scandl.models.diffusion.denoising_network import denoise
from scandl.models.diffusion.diffusion_task import ExampleTable, ScandlTask
from scandl.models.diffusion.noise_levels import Process
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.tokens import generation_tokens
from scandl.models.diffusion.torch_model import TorchNetwork
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.encoder import Lexical
from scandl.training.planned_batches import planned
from scandl.training.trainer import Trainer

STEPS = 2
CPU = torch.device("cpu")


def corpus_of(n_readers: int, n_sentences: int = 20) -> Corpus:
    rng = np.random.default_rng(1)
    sentences = {f"s{n}": Sentence(f"s{n}", " ".join(["word"] * 11)) for n in range(n_sentences)}
    return Corpus(
        Card(name="made up", kind="simulated"),
        sentences,
        tuple(
            Scanpath(f"r{r}", s, tuple(rng.integers(0, 11, 14).tolist()))
            for s in sentences
            for r in range(n_readers)
        ),
    )


class Watch:
    """Adds up the time spent in some functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function whose time is added."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.seconds += time.perf_counter() - started

        return timed


def training_step(batch: int) -> tuple[float, float]:
    """Return seconds of a step, and of the network in it."""
    config = preset("paper", [f"training.batch={batch}", "model.encoder=lexical"])
    task = ScandlTask(config, Lexical(), corpus_of(8))
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(task, replace(config.training, steps=100), Path(folder), device="cpu", quiet=True)
        batches = planned(task.buckets, batch, 1, 0, CPU)
        trainer._one_step(next(batches))
        network = Watch()
        task.module.forward = network.around(task.module.forward)  # type: ignore[method-assign]
        backward, step = torch.Tensor.backward, trainer.optimizer.step
        torch.Tensor.backward = network.around(backward)  # type: ignore[method-assign]
        trainer.optimizer.step = network.around(step)  # type: ignore[method-assign]
        try:
            started = time.perf_counter()
            for _ in range(STEPS):
                trainer._one_step(next(batches))
            whole = time.perf_counter() - started
        finally:
            torch.Tensor.backward = backward  # type: ignore[method-assign]
    return whole / STEPS, network.seconds / STEPS


def sampling_step(batch: int) -> tuple[float, float]:
    """Return seconds of a step, and of the network in it."""
    config = preset("paper")
    encoder = Lexical()
    tokens = generation_tokens(encoder.encode(["word"] * 11), encoder.padding, config.model)
    model = Denoiser(config.model, encoder.dim, config.diffusion.steps).eval()
    streams = [stream(1, k) for k in range(batch)]
    network = TorchNetwork(model, collate([tokens] * batch), streams)
    inside = Watch()
    network.predict = inside.around(network.predict)  # type: ignore[method-assign]
    process = Process.named("sqrt", 2000).respaced([0, 1000, 1999])
    with torch.inference_mode():
        started = time.perf_counter()
        denoise(network, process)
        whole = time.perf_counter() - started
    return whole / 3, inside.seconds / 3


def told(name: str, whole: float, network: float) -> None:
    print(
        f"{name}: {whole:.2f} s, network {network:.2f} s, host work {1000 * (whole - network):.0f} ms"
        f" = {(whole - network) / whole:.2%}"
    )


def memory() -> None:
    """Print what the examples of a corpus take, and of one ten times as large."""
    for n_readers in (100, 1000):
        corpus = corpus_of(n_readers)
        tracemalloc.start()
        table = ExampleTable(corpus, Lexical(), preset("paper").model)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        held = sum(getattr(table, name).nbytes for name in ("ids", "text", "ends"))
        print(
            f"{len(table):,} examples: {held / len(table):.0f} bytes of ids each, peak while they are made"
            f" {peak / len(table):.0f}; vectors {table.vectors.nbytes:,} bytes in all"
        )


if __name__ == "__main__":
    torch.set_num_threads(1)
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 64
    memory()
    told(f"training step, batch {size}", *training_step(size))
    told(f"sampling step, batch {size}", *sampling_step(size))
