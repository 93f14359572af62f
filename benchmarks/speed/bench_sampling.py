"""Measure sampling at the paper's size, in CPU time.

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

from scandl.config import to_table
from scandl.models.diffusion.denoiser import Denoiser, collate
from scandl.models.diffusion.denoising_network import Noise
from scandl.models.diffusion.diffusion_model import PUBLISHED
from scandl.models.diffusion.loss import Diffusion
from scandl.models.diffusion.noise_levels import grid
from scandl.models.diffusion.numpy_model import NumpyScandl, write_scandl
from scandl.models.diffusion.settings import ModelConfig, ScandlConfig
from scandl.models.diffusion.torch_model import TrainedScandl, without_text
from scandl.models.model import Request
from scandl.records import Sentence
from scandl.seeds import stream
from scandl.text.encoder import Lexical
from scandl.text.folded import fold

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


def models(buckets: tuple[int, ...], folder: Path) -> tuple[TrainedScandl, NumpyScandl]:
    """Return the paper's network with random weights, on torch and on NumPy."""
    config = ScandlConfig(model=ModelConfig(buckets=buckets, encoder="lexical"))
    torch.manual_seed(1)
    whole = Denoiser(config.model, Lexical.dim, TRAINED)
    assert isinstance(whole.text, nn.Linear)
    folded = fold(Lexical(), whole.text.weight.detach().numpy().T, whole.text.bias.detach().numpy())
    denoiser = Denoiser(config.model, config.model.dim, TRAINED)
    denoiser.load_state_dict(without_text(whole.state_dict()))
    weights = {name: weight.numpy() for name, weight in denoiser.state_dict().items()}
    path = folder / f"{buckets[0]}.npz"
    facts = {"config": to_table(config), "fold": {}, "about": ""}
    write_scandl(path, facts, weights, folded)
    return TrainedScandl(config, folded.open(), denoiser, {}), NumpyScandl.load(path)


@torch.no_grad()
def plain_loop(model: TrainedScandl, requests: list[Request], steps: list[int]) -> list[list[int]]:
    """Sample as the formulas stand: attention by its definition, every distance, every state kept."""
    net = model.denoiser
    batch = collate([model.tokens(request, 1) for request in requests])
    process = Diffusion.named("sqrt", TRAINED).respaced(steps)
    clean, table = net.ids(batch.ids), net.ids.weight
    streams = [stream(1, "scandl", r.sentence.sentence_id, r.reader_id, r.sample) for r in requests]
    noise = Noise(streams, (clean.shape[1], clean.shape[2]))
    noised = batch.noised.unsqueeze(-1)
    z = torch.where(noised, torch.from_numpy(noise.draw()), clean)
    kept = [z]
    c0, c1, _ = process.posterior
    for i in range(process.steps - 1, -1, -1):
        time_vector = net.network().time(torch.full((len(z),), float(process.trained_steps[i])))
        hidden = net.norm(z + net.condition(batch.positions, batch.text) + time_vector.unsqueeze(1))
        for layer in net.layers:
            hidden = plain_layer(layer, hidden, net.config.heads)
        distance = (hidden.unsqueeze(2) - table).square().sum(-1)  # (B, L, ids)
        z = float(c0[i]) * table[distance.argmin(-1)] + float(c1[i]) * z
        if i > 0:
            z = z + float(np.sqrt(process.beta[i])) * torch.from_numpy(noise.draw())
        z = torch.where(noised, z, clean)
        kept.append(z)
    return net.logits(z).argmax(-1).tolist()


def plain_layer(layer: nn.Module, x: Tensor, heads: int) -> Tensor:
    B, L, d = x.shape
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
        torch_128, numpy_128 = models((128,), Path(folder))
        torch_48, numpy_48 = models((48, 128), Path(folder))
    expected = plain_loop(torch_128, requests, grid(TRAINED, STEPS))
    inputs = [torch_128.tokens(request, 1) for request in requests]
    streams = [stream(1, "scandl", "s", "", k) for k in range(SENTENCES)]
    found = numpy_128.sample(inputs, streams, numpy_128.chosen(how), how, None)
    same = np.mean(np.array(found) == np.array(expected))
    seconds = interleaved(
        {
            "plain": lambda: plain_loop(torch_128, requests, grid(TRAINED, STEPS)),
            "torch 128": lambda: torch_128.read(requests, seed=1, sampling=how),
            "numpy 128": lambda: numpy_128.read(requests, seed=1, sampling=how),
            "torch 48": lambda: torch_48.read(requests, seed=1, sampling=how),
            "numpy 48": lambda: numpy_48.read(requests, seed=1, sampling=how),
        }
    )
    print(
        f"one sentence, one step, plain eager loop   {seconds['plain'] / STEPS / SENTENCES * 1e3:.0f} ms CPU"
    )
    print(f"ids equal to the plain loop's              {same:.1%}")
    for name in ("torch 128", "numpy 128", "torch 48", "numpy 48"):
        print(f"plain / {name:34s} {seconds['plain'] / seconds[name]:.2f}×")
    few = seconds["plain"] / seconds["numpy 48"] * TRAINED / CHOSEN
    print(f"plain, 2,000 steps / numpy 48, {CHOSEN} steps       {few:.0f}× (reckoned)")


def main() -> None:
    torch.set_num_threads(1)
    sampling()


if __name__ == "__main__":
    main()
