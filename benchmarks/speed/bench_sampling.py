"""Measure sampling and training steps at the paper's size, in CPU time.

Run it with ``python benchmarks/speed/bench_sampling.py``. The ways are interleaved in one run and the
fastest of several rounds is kept, since only ratios hold on a shared machine. A step costs the same
at any noise level, so few steps are run and 2,000 are reckoned from them.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from scandl.corpora import Card, Corpus
from scandl.models.diffusion.batch import collate
from scandl.models.diffusion.denoiser import Denoiser, sinusoid
from scandl.models.diffusion.diffusion_model import PUBLISHED
from scandl.models.diffusion.diffusion_task import ScandlTask
from scandl.models.diffusion.forward_process import Diffusion
from scandl.models.diffusion.noise import Noise
from scandl.models.diffusion.onnx_export import onnx_bytes
from scandl.models.diffusion.onnx_model import OnnxScandl
from scandl.models.diffusion.respacing import grid
from scandl.models.diffusion.scandl_checkpoint import without_text
from scandl.models.diffusion.settings import ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import TrainedScandl
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.folded import fold
from scandl.text.lexical import Lexical

ROUNDS = 3
STEPS = 3  # per round
SENTENCES = 2
TRAINED = 2000
CHOSEN = 10  # the default of scandl generate
TEXT = "The old man walked slowly over the bridge to town."


def interleaved(ways: dict[str, Callable[[], object]]) -> dict[str, float]:
    best = dict.fromkeys(ways, math.inf)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.process_time()
            way()
            best[name] = min(best[name], time.process_time() - start)
    return best


def models(buckets: tuple[int, ...], folder: Path) -> tuple[TrainedScandl, OnnxScandl]:
    """Return the paper's network with random weights, on torch and on onnxruntime."""
    config = ScandlConfig(model=ModelConfig(buckets=buckets, encoder="lexical"))
    torch.manual_seed(1)
    whole = Denoiser(config.model, Lexical.dim, TRAINED)
    assert isinstance(whole.text, nn.Linear)
    folded = fold(Lexical(), whole.text.weight.detach().numpy().T, whole.text.bias.detach().numpy())
    denoiser = Denoiser(config.model, config.model.dim, TRAINED)
    denoiser.load_state_dict(without_text(whole.state_dict()))
    weights = {name: weight.numpy() for name, weight in denoiser.state_dict().items()}
    path = folder / f"{buckets[0]}.onnx"
    path.write_bytes(onnx_bytes(config, weights, folded, {"fold": "{}"}))
    return TrainedScandl(config, folded.open(), denoiser, {}), OnnxScandl.load(path)


@torch.no_grad()
def plain_loop(model: TrainedScandl, requests: list[Request], steps: list[int]) -> list[list[int]]:
    """Sample as the formulas stand: attention by its definition, every distance, every state kept."""
    net = model.denoiser
    batch = collate([model.tokens(request) for request in requests])
    process = Diffusion.named("sqrt", TRAINED).respaced(steps)
    clean, table = net.ids(batch.ids), net.ids.weight
    streams = [stream(1, "scandl", r.sentence.sentence_id, r.reader_id, r.sample) for r in requests]
    noise = Noise(streams, (clean.shape[1], clean.shape[2]))
    noised = batch.noised.unsqueeze(-1)
    z = torch.where(noised, torch.from_numpy(noise.draw()), clean)
    kept = [z]
    c0, c1, _ = process.posterior
    for i in range(process.steps - 1, -1, -1):
        time_vector = net.time(sinusoid(torch.full((len(z),), process.trained_steps[i]), TRAINED))
        hidden = net.norm(z + net.condition(batch.positions, batch.text) + time_vector.unsqueeze(1))
        for layer in net.layers:
            hidden = plain_layer(layer, hidden)
        distance = (hidden.unsqueeze(2) - table).square().sum(-1)  # (B, L, ids)
        z = float(c0[i]) * table[distance.argmin(-1)] + float(c1[i]) * z
        if i > 0:
            z = z + float(np.sqrt(process.beta[i])) * torch.from_numpy(noise.draw())
        z = torch.where(noised, z, clean)
        kept.append(z)
    return net.logits(z).argmax(-1).tolist()


def plain_layer(layer: nn.Module, x: Tensor) -> Tensor:
    B, L, d = x.shape
    heads = int(layer.heads)  # type: ignore[arg-type]
    q, k, v = (
        part.view(B, L, heads, d // heads).transpose(1, 2)
        for part in layer.query_key_value(x).chunk(3, -1)  # type: ignore[operator]
    )
    weights = (q @ k.transpose(-1, -2) / math.sqrt(d // heads)).softmax(-1)
    mixed = (weights @ v).transpose(1, 2).reshape(B, L, d)
    x = layer.attention_norm(x + layer.attended(mixed))  # type: ignore[operator]
    return layer.output_norm(x + layer.narrow(nn.functional.gelu(layer.wide(x))))  # type: ignore[operator, no-any-return]


def sampling() -> None:
    requests = [Request(Sentence("s", TEXT), "", k) for k in range(SENTENCES)]
    how = replace(PUBLISHED, steps=STEPS)
    with tempfile.TemporaryDirectory() as folder:
        torch_128, onnx_128 = models((128,), Path(folder))
        torch_48, onnx_48 = models((48, 128), Path(folder))
    expected = plain_loop(torch_128, requests, grid(TRAINED, STEPS))
    inputs = [torch_128.tokens(request) for request in requests]
    streams = [stream(1, "scandl", "s", "", k) for k in range(SENTENCES)]
    found = onnx_128.sample(inputs, streams, onnx_128.chosen(how), how, None)
    same = np.mean(np.array(found) == np.array(expected))
    seconds = interleaved(
        {
            "plain": lambda: plain_loop(torch_128, requests, grid(TRAINED, STEPS)),
            "torch 128": lambda: torch_128.generate(requests, seed=1, sampling=how),
            "onnx 128": lambda: onnx_128.generate(requests, seed=1, sampling=how),
            "torch 48": lambda: torch_48.generate(requests, seed=1, sampling=how),
            "onnx 48": lambda: onnx_48.generate(requests, seed=1, sampling=how),
        }
    )
    print(
        f"one sentence, one step, plain eager loop   {seconds['plain'] / STEPS / SENTENCES * 1e3:.0f} ms CPU"
    )
    print(f"ids equal to the plain loop's              {same:.1%}")
    for name in ("torch 128", "onnx 128", "torch 48", "onnx 48"):
        print(f"plain / {name:34s} {seconds['plain'] / seconds[name]:.2f}×")
    few = seconds["plain"] / seconds["onnx 48"] * TRAINED / CHOSEN
    print(f"plain, 2,000 steps / onnx 48, {CHOSEN} steps       {few:.0f}× (reckoned)")


def training(batch: int = 4) -> None:
    """Measure one optimiser-free training step and what of it is making its inputs."""
    sentence = Sentence("s", TEXT)
    corpus = Corpus(
        Card(name="t"), {"s": sentence}, tuple(Scanpath(f"r{i}", "s", (0, 1, 2)) for i in range(batch))
    )
    config = ScandlConfig(model=ModelConfig(encoder="lexical"))
    config = replace(config, training=replace(config.training, batch=batch))
    task = ScandlTask(config, Lexical(), corpus)

    def inputs() -> None:
        collate(task.examples)
        task._timesteps(1)
        Noise([stream(1, "noise", 1, slot) for slot in range(batch)], (2, 128, 256)).draw()

    def step() -> None:
        task.loss(task.module, range(batch), range(batch), 1).weighted.mean().backward()

    seconds = interleaved({"step": step, "inputs": inputs})
    print(f"training, paper's size                     {batch / seconds['step']:.2f} examples a CPU second")
    print(f"of a step, making its inputs               {seconds['inputs'] / seconds['step']:.1%}")


def main() -> None:
    torch.set_num_threads(1)
    sampling()
    training()


if __name__ == "__main__":
    main()
