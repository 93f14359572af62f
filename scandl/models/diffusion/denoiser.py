"""The weights of ScanDL's network before and while torch trains them, and its inputs as tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.diffusion.denoising_network import OMEGA, TIME_WIDTH, DenoisingNetwork, frequencies
from scandl.models.diffusion.settings import ModelConfig
from scandl.models.diffusion.tokens import Tokens
from scandl.models.torch_arithmetic import TorchArithmetic

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
