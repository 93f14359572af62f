"""The network f(z_t, t) that predicts z_0: a BERT-style encoder over sentence and scanpath."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.diffusion.settings import ModelConfig

TIME_WIDTH = 128  # of the sinusoid, whatever the model's own width
TIME_HIDDEN = 512


class Denoiser(nn.Module):
    """Id, position, text and time embeddings, then post-norm transformer layers.

    The id table is both the space that is diffused and, transposed, the head that rounds to ids.
    There is no attention mask: PAD is an ordinary symbol, and that is how length is learned.
    """

    def __init__(self, config: ModelConfig, text_dim: int, trained_steps: int) -> None:
        super().__init__()
        self.config = config
        self.trained_steps = trained_steps
        self.ids = nn.Embedding(config.seq_len, config.dim)
        self.head_bias = nn.Parameter(torch.empty(config.seq_len))
        nn.init.uniform_(self.head_bias, -1 / math.sqrt(config.dim), 1 / math.sqrt(config.dim))
        self.positions = nn.Embedding(config.seq_len, config.dim) if config.text_and_position else None
        self.text = _projection(config, text_dim)
        self.time = nn.Sequential(
            nn.Linear(TIME_WIDTH, TIME_HIDDEN), nn.SiLU(), nn.Linear(TIME_HIDDEN, config.dim)
        )
        self.norm = nn.LayerNorm(config.dim, eps=1e-12)
        self.dropout = nn.Dropout(config.dropout)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.layers))

    def forward(self, z_t: Tensor, t: Tensor, condition: Tensor) -> Tensor:
        """Return the predicted z_0, (B, L, d), for z_t (B, L, d) at the trained steps t (B,)."""
        time = self.time(sinusoid(t, self.trained_steps).to(z_t.dtype))  # (B, d)
        hidden = self.dropout(self.norm(z_t + condition + time.unsqueeze(1)))
        for layer in self.layers:
            hidden = layer(hidden)
        return hidden

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
    """One post-norm encoder layer: attention, then a wide feed-forward."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.dropout_rate = config.dropout
        self.query_key_value = nn.Linear(config.dim, 3 * config.dim)
        self.attended = nn.Linear(config.dim, config.dim)
        self.attention_norm = nn.LayerNorm(config.dim, eps=1e-12)
        self.wide = nn.Linear(config.dim, config.feed_forward)
        self.narrow = nn.Linear(config.feed_forward, config.dim)
        self.output_norm = nn.LayerNorm(config.dim, eps=1e-12)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Return the hidden states after this layer, (B, L, d)."""
        B, L, d = x.shape
        q, k, v = self.query_key_value(x).view(B, L, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        rate = self.dropout_rate if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(q, k, v, dropout_p=rate)  # (B, heads, L, d / heads)
        mixed = mixed.transpose(1, 2).reshape(B, L, d)
        x = self.attention_norm(x + self.dropout(self.attended(mixed)))
        return self.output_norm(x + self.dropout(self.narrow(functional.gelu(self.wide(x)))))


def _projection(config: ModelConfig, text_dim: int) -> nn.Module | None:
    """Return what brings text vectors into the model's space; vectors of its width are there already."""
    if not (config.text_and_position and config.sentence_condition):
        return None
    return nn.Linear(text_dim, config.dim) if text_dim != config.dim else nn.Identity()


def sinusoid(t: Tensor, trained_steps: int) -> Tensor:
    """Return [cos(s ω), sin(s ω)] of width 128 for s = 1000 t / T, (B, 128)."""
    half = TIME_WIDTH // 2
    omega = torch.exp(-math.log(10000.0) * torch.arange(half, device=t.device, dtype=torch.float32) / half)
    angle = (t.float() * 1000.0 / trained_steps).unsqueeze(-1) * omega  # (B, 64)
    return torch.cat([angle.cos(), angle.sin()], dim=-1)
