"""The weights of ScanDL's network before and while torch trains them, and its inputs as tensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.arithmetic import Arithmetic
from scandl.models.diffusion.samplers import Noise, best_sequences
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import Tokens
from scandl.models.torch_arithmetic import TorchArithmetic

TIME_WIDTH = 128  # of the sinusoid, whatever the model's own width
OMEGA = "omega"  # the frequencies of the sinusoid, (64,), which are not learned
TABLE, HEAD_BIAS = "ids.weight", "head_bias"
"""The id table is both the space that is diffused and, transposed, the head that rounds to ids."""
_EPSILON = 1e-12  # of layer normalisation


class DenoisingNetwork:
    """Time embedding and post-norm transformer layers.

    There is no attention mask: PAD is an ordinary symbol, and that is how length is learned.
    """

    def __init__(
        self, config: ModelConfig, trained_steps: int, weights: Mapping[str, Any], arithmetic: Arithmetic
    ) -> None:
        self.config = config
        self.trained_steps = trained_steps
        self.weights = weights
        self.arithmetic = arithmetic

    def predict(self, z_t: Any, t: Any, condition: Any) -> Any:
        """Return the predicted z_0, (B, L, d), for z_t (B, L, d) at the trained steps t (B,), floats."""
        x = self._norm("norm", z_t + condition + self.time(t)[:, None])
        return self.encoded(self.arithmetic.dropout(x))

    def time(self, t: Any) -> Any:
        """Return the embedding of the trained steps t, (B, d)."""
        sinusoids = sinusoid(t, self.trained_steps, self.weights[OMEGA], self.arithmetic)
        return self._linear("time.2", self.arithmetic.silu(self._linear("time.0", sinusoids)))

    def encoded(self, x: Any) -> Any:
        """Return the hidden states after all layers, (B, L, d)."""
        for k in range(self.config.layers):
            x = self._layer(f"layers.{k}", x)
        return x

    def _layer(self, name: str, x: Any) -> Any:
        """Apply attention, then a wide feed-forward layer."""
        heads, dropout = self.config.heads, self.arithmetic.dropout
        parts = self._linear(f"{name}.query_key_value", x)
        parts = parts.reshape(*x.shape[:2], 3, heads, x.shape[2] // heads)
        query, key, value = (parts[:, :, k].swapaxes(1, 2) for k in range(3))
        mixed = self.arithmetic.attention(query, key, value)  # (B, heads, L, d / heads)
        mixed = self._linear(f"{name}.attended", mixed.swapaxes(1, 2).reshape(x.shape))
        x = self._norm(f"{name}.attention_norm", x + dropout(mixed))
        wide = self.arithmetic.gelu(self._linear(f"{name}.wide", x))
        return self._norm(f"{name}.output_norm", x + dropout(self._linear(f"{name}.narrow", wide)))

    def _linear(self, name: str, x: Any) -> Any:
        return self.arithmetic.linear(x, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, x: Any) -> Any:
        weight, bias = (self.weights[f"{name}.{part}"] for part in ("weight", "bias"))
        return self.arithmetic.norm(x, weight, bias, _EPSILON)


def frequencies(library: Any) -> Any:
    """Return ω, the frequencies of the sinusoid, (64,), by NumPy or torch."""
    half = TIME_WIDTH // 2
    return library.exp(-math.log(10000.0) * library.arange(half, dtype=library.float32) / half)


def sinusoid(t: Any, trained_steps: int, omega: Any, arithmetic: Arithmetic) -> Any:
    """Return [cos(s ω), sin(s ω)] for s = 1000 t / T, (B, 128)."""
    library: Any = arithmetic.library
    angle = (t * 1000.0 / trained_steps)[:, None] * omega  # (B, 64)
    return library.concatenate([library.cos(angle), library.sin(angle)], -1)


class BatchNetwork:
    """A network with the sentences it reads; implements ``scandl.models.diffusion.samplers.Network``.

    Noise and rounding are those of NumPy; ``torch_model`` has others for a GPU.
    """

    def __init__(
        self,
        network: DenoisingNetwork,
        ids: Any,
        noised: Any,
        condition: Any,
        n_words: Any,
        streams: Sequence[np.random.Generator],
    ) -> None:
        self._network = network
        self._table, self._head_bias = (network.weights[name] for name in (TABLE, HEAD_BIAS))
        self._clean = self._table[ids]  # (B, L, d)
        self._noised = noised[..., None]
        self._condition = condition
        self._n_words = n_words  # of each sentence, (B,); only valid scanpaths need to know
        self._noise = self._noise_of(streams, tuple(self._clean.shape[1:]))

    def predict(self, z: Any, t: int) -> Any:
        """Return the predicted z_0."""
        return self._network.predict(z, self._steps(t), self._condition)

    def nearest(self, z: Any, valid: bool = False) -> Any:
        """Return the nearest ids: each by itself, or as a valid scanpath."""
        scores = nearness(z, self._table)
        return self._valid(scores) if valid else scores.argmax(-1)

    def embed(self, ids: Any) -> Any:
        """Return the rows of the id table."""
        return self._table[ids]

    def anchored(self, z: Any) -> Any:
        """Put the clean sentence back."""
        return self._library.where(self._noised, z, self._clean)

    def noise(self) -> Any:
        """Return the next noise of every instance."""
        return self._noise.draw()

    def final(self, z: Any, valid: bool = False) -> Any:
        """Return the ids of the tied head."""
        logits = self._network.arithmetic.linear(z, self._table, self._head_bias)
        return self._valid(logits) if valid else logits.argmax(-1)

    @property
    def _library(self) -> Any:
        return self._network.arithmetic.library

    def _noise_of(self, streams: Sequence[np.random.Generator], shape: tuple[int, ...]) -> Any:
        return Noise(streams, shape)

    def _steps(self, t: int) -> Any:
        return np.array([t], dtype=np.float32)

    def _valid(self, scores: Any) -> Any:
        return best_sequences(scores, self._noised.squeeze(-1), self._n_words)


def nearness(z: Any, table: Any) -> Any:
    """Return 2 z·row − ‖row‖², which is largest for the nearest row, (B, L, ids).

    The squared distance to a row is ‖z‖² less this, and ‖z‖² is the same for every row.

    >>> nearness(np.array([[[0.9, 0.2]]]), np.array([[0.0, 0.0], [1.0, 0.0]])).argmax(-1)
    array([[1]])
    """
    return 2.0 * (z @ table.T) - (table * table).sum(-1)


TIME_HIDDEN = 512


class Denoiser(nn.Module):
    """The weights of the network, and what is computed from a batch before the first step.

    What is computed with the weights, ``DenoisingNetwork`` says.
    """

    def __init__(self, config: ModelConfig, text_dim: int, trained_steps: int) -> None:
        super().__init__()
        self.config = config
        self.trained_steps = trained_steps
        self.ids = nn.Embedding(config.seq_len, config.dim)
        self.head_bias = nn.Parameter(torch.empty(config.seq_len))
        nn.init.uniform_(self.head_bias, -1 / math.sqrt(config.dim), 1 / math.sqrt(config.dim))
        n_positions = max(config.seq_len, config.buckets[-1])
        self.positions = nn.Embedding(n_positions, config.dim) if config.text_and_position else None
        self.text = _projection(config, text_dim)
        self.time = nn.Sequential(
            nn.Linear(TIME_WIDTH, TIME_HIDDEN), nn.SiLU(), nn.Linear(TIME_HIDDEN, config.dim)
        )
        self.norm = nn.LayerNorm(config.dim)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))
        self.register_buffer(OMEGA, frequencies(torch), persistent=False)

    def forward(self, z_t: Tensor, t: Tensor, condition: Tensor) -> Tensor:
        """Return the predicted z_0, (B, L, d), for z_t (B, L, d) at the trained steps t (B,)."""
        return self.network().predict(z_t, t.to(z_t.dtype), condition)

    def network(self) -> DenoisingNetwork:
        """Return the network of the present weights."""
        rate = self.config.dropout if self.training else 0.0
        weights = {**dict(self.named_parameters()), OMEGA: self.get_buffer(OMEGA)}
        arithmetic = TorchArithmetic(rate, attention_dropout=rate)
        return DenoisingNetwork(self.config, self.trained_steps, weights, arithmetic)

    def condition(self, positions: Tensor, text: Tensor | None) -> Tensor:
        """Return what does not change from step to step: position and text embeddings, (B, L, d).

        positions (B, L) integers; text (B, L, text_dim) static word-piece vectors.
        """
        total = torch.zeros((), device=positions.device, dtype=self.head_bias.dtype)
        if self.positions is not None:
            total = total + self.positions(positions)
        if self.text is not None and text is not None:
            total = total + self.text(text)
        return total

    def logits(self, z: Tensor) -> Tensor:
        """Return the score of every id at every position, (B, L, seq_len)."""
        return functional.linear(z, self.ids.weight, self.head_bias)


class Layer(nn.Module):
    """The weights of one layer: attention, then a wide feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.query_key_value = nn.Linear(config.dim, 3 * config.dim)
        self.attended = nn.Linear(config.dim, config.dim)
        self.attention_norm = nn.LayerNorm(config.dim)
        self.wide = nn.Linear(config.dim, config.feed_forward)
        self.narrow = nn.Linear(config.feed_forward, config.dim)
        self.output_norm = nn.LayerNorm(config.dim)


def _projection(config: ModelConfig, text_dim: int) -> nn.Module | None:
    """Return what brings text vectors into the model's space; vectors of its width are there already."""
    if not (config.text_and_position and config.sentence_condition):
        return None
    return nn.Linear(text_dim, config.dim) if text_dim != config.dim else nn.Identity()


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Inputs of the model as tensors, all of one bucket."""

    ids: Tensor  # (B, L)
    positions: Tensor  # (B, L)
    noised: Tensor  # (B, L) boolean
    padding: Tensor  # (B, L) boolean
    text: Tensor  # (B, L, text_dim)


def collate(examples: Sequence[Tokens], device: torch.device | str = "cpu") -> TokenBatch:
    """Stack inputs of one bucket into tensors."""

    def stacked(name: str) -> Tensor:
        return torch.from_numpy(np.stack([getattr(example, name) for example in examples])).to(device)

    return TokenBatch(
        stacked("ids"), stacked("positions"), stacked("noised"), stacked("padding"), stacked("text")
    )
