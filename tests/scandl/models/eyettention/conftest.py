"""A tiny network, and the definition of the model written slowly: one number after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from scandl.models.eyettention.eyettention_inputs import InputMaker, InputScale, PathInput, Scales
from scandl.models.eyettention.eyettention_network import EyettentionNetwork
from scandl.models.eyettention.eyettention_settings import RecurrentConfig
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import find_encoder

Array = NDArray[np.float64]

TINY = RecurrentConfig(
    max_words=5,
    word_layers=2,
    word_units=3,
    fixation_layers=3,
    fixation_units=4,
    decoder=(6, 5),
    positions=8,
    sigma=0.7,
)


@dataclass(frozen=True)
class Follow:
    """A network and inputs for it."""

    config: RecurrentConfig
    network: EyettentionNetwork
    maker: InputMaker

    def path(self, text: str, words: tuple[int, ...], reader: str = "r1", gaze: bool = True) -> PathInput:
        durations = tuple(200.0 + 10 * word for word in words)
        return self.maker.path(Sentence(text, text), Scanpath(reader, text, words, durations), gaze=gaze)

    def slow_logits(self, path: PathInput) -> Array:
        """Return the logits after each fixation by the definition."""
        weights = {name: w.detach().double().numpy() for name, w in self.network.state_dict().items()}
        read = _read(weights, path, self.config)
        known = _known(weights, path, self.config)
        return np.stack(
            [
                _decoded(weights, np.concatenate([_context(weights, h, read, p, self.config), h]))
                for h, p in zip(known, path.at, strict=True)
            ]
        )


def build(config: RecurrentConfig, seed: int = 1) -> Follow:
    lexical = find_encoder("lexical")
    maker = InputMaker(lexical, lexical, Scales(InputScale(0.3, 0.2), InputScale(210.0, 30.0)), ["r1", "r2"])
    torch.manual_seed(seed)
    network = EyettentionNetwork(config, lexical.dim, lexical.dim, n_readers=2).double().eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(2.0)  # far from the linear range, so that every non-linearity counts
    return Follow(config, network, maker)


@pytest.fixture(autouse=True, scope="package")
def one_thread() -> Iterator[None]:
    """Networks this small are slower on two threads, and much slower where these wait for other work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def builder() -> Callable[..., Follow]:
    return build


@pytest.fixture
def tiny() -> Follow:
    return build(TINY)


def _lstm(weights: dict[str, Array], name: str, inputs: list[Array]) -> list[Array]:
    """Run one layer in one direction: gates i, f, g, o."""
    w_in, w_h, b_in, b_h = (
        weights[f"{part}{name}"] for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    h = c = np.zeros(w_h.shape[1])
    out = []
    for x in inputs:
        i, f, g, o = np.split(w_in @ x + b_in + w_h @ h + b_h, 4)
        c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
        h = _sigmoid(o) * np.tanh(c)
        out.append(h)
    return out


def _read(weights: dict[str, Array], path: PathInput, config: RecurrentConfig) -> list[Array]:
    own = {
        name.removeprefix("words.lstm."): w for name, w in weights.items() if name.startswith("words.lstm.")
    }
    states: list[Array] = list(path.sentence.context.astype(np.float64))
    for layer in range(config.word_layers):
        ahead = _lstm(own, f"_l{layer}", states)
        back = _lstm(own, f"_l{layer}_reverse", states[::-1])[::-1]
        states = [np.concatenate(both) for both in zip(ahead, back, strict=True)]
    return [np.append(s, z) for s, z in zip(states, path.sentence.inverse_length, strict=True)]


def _known(weights: dict[str, Array], path: PathInput, config: RecurrentConfig) -> list[Array]:
    inputs = []
    for p, duration in zip(path.at, path.duration, strict=True):
        x = path.sentence.static[p] + weights["fixations.position.weight"][min(p, config.positions - 1)]
        if config.reader_embedding:
            x = x + weights["fixations.reader.weight"][path.reader]
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-5)
        x = x * weights["fixations.norm.weight"] + weights["fixations.norm.bias"]
        inputs.append(np.append(x, [0.0, duration]))
    own = {
        name.removeprefix("fixations.lstm."): w
        for name, w in weights.items()
        if name.startswith("fixations.lstm.")
    }
    for layer in range(config.fixation_layers):
        inputs = _lstm(own, f"_l{layer}", inputs)
    return inputs


def _context(
    weights: dict[str, Array], h: Array, read: list[Array], p: int, config: RecurrentConfig
) -> Array:
    query = weights["attention.project.weight"] @ h + weights["attention.project.bias"]
    window = [s for s in range(p - config.window, p + config.window + 1) if 0 <= s < len(read)]
    scores = {s: np.exp(query @ read[s]) for s in window}
    share = {
        s: scores[s] / sum(scores.values()) * np.exp(-((s - p) ** 2) / (2 * config.sigma**2)) for s in window
    }
    norm = sum(share.values()) if config.renormalise_window else 1.0
    return sum((share[s] / norm * read[s] for s in window), np.zeros_like(read[0]))


def _decoded(weights: dict[str, Array], x: Array) -> Array:
    layers = sorted({int(name.split(".")[1]) for name in weights if name.startswith("decoder.")})
    for n, layer in enumerate(layers):
        x = weights[f"decoder.{layer}.weight"] @ x + weights[f"decoder.{layer}.bias"]
        if n < len(layers) - 1:
            x = np.maximum(x, 0.0)
    return x


def _sigmoid(x: Array) -> Array:
    return 1.0 / (1.0 + np.exp(-x))
