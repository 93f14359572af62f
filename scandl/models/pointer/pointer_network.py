"""The network: a text is read once, and each place of a path points at one of its words."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.pointer.durations import N_PARAMETERS as DURATION_PARAMETERS
from scandl.models.pointer.pointer_settings import NetworkConfig
from scandl.models.pointer.processes.length import N_PARAMETERS as LENGTH_PARAMETERS
from scandl.models.pointer.runners.runner import Past, ReadText
from scandl.models.pointer.states import MOST_VISITS, N_REFERENCES, WINDOW

FAR = 8  # words, or fixations, up to which each distance has a parameter of its own
N_BINS = 2 * FAR + 3
NEAR_WIDTH = 24  # of what is seen of each word around a place


def bins(distance: Tensor) -> Tensor:
    """Return the class of a distance: -FAR … FAR each by itself, and one beyond on either side.

    >>> bins(torch.tensor([-20, 0, 20])).tolist()
    [0, 9, 18]
    """
    return distance.clamp(-FAR - 1, FAR + 1) + FAR + 1


def tail(distance: Tensor) -> Tensor:
    """Return by how much the logarithm of a distance exceeds that of the first far one.

    >>> tail(torch.tensor([3, -18])).tolist()
    [0.0, 0.6931471824645996]
    """
    return (distance.abs().clamp(min=FAR + 1).float() / (FAR + 1)).log()


def distances(n_places: int, n_past: int = 0) -> Tensor:
    """Return how far all places are from the new ones, (T, P + T)."""
    every = torch.arange(n_past + n_places)
    return every - every[n_past:, None]


class RelativeBias(nn.Module):
    """A bias for each distance, which beyond ``FAR`` falls with the logarithm of the distance.

    A table that is cut off at ``FAR`` would make every far word as likely as one at its end, and in
    a long text there are many.
    """

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.zeros(N_BINS, heads))
        self.slope = nn.Parameter(torch.ones(2, heads))  # to the left, to the right

    def forward(self, distance: Tensor) -> Tensor:
        """Return biases (…, heads) of distances (…)."""
        slope = functional.softplus(self.slope)[(distance > 0).long()]
        return self.table[bins(distance)] - tail(distance).unsqueeze(-1) * slope


class Block(nn.Module):
    """Pre-norm attention with relative biases, and a feed-forward layer."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.attention_norm, self.forward_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.relative = RelativeBias(heads)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, x: Tensor, distance: Tensor, visible: Tensor, past: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """Return the new x (B, T, d), and keys and values (B, h, P + T, d/h) for later places.

        ``distance`` is (T, P + T), ``visible`` (B or 1, T or 1, P + T).
        """
        parts = self.query_key_value(self.attention_norm(x)).chunk(3, dim=2)
        query, key, value = (part.unflatten(2, (self.heads, -1)).transpose(1, 2) for part in parts)
        if past is not None:
            key, value = torch.cat([past[0], key], dim=2), torch.cat([past[1], value], dim=2)
        bias = self.relative(distance).permute(2, 0, 1).masked_fill(~visible[:, None], float("-inf"))
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        x = x + self.dropout(self.attended(mixed.transpose(1, 2).flatten(2)))
        return x + self.dropout(self.narrow(functional.gelu(self.wide(self.forward_norm(x))))), (key, value)


class PointerNetwork(nn.Module):
    """Word encoder, path decoder, pointer head, and the heads of lengths and durations."""

    def __init__(
        self, config: NetworkConfig, *, n_words: int, n_scalars: int, n_condition: int, n_durations: int
    ) -> None:
        super().__init__()
        d, heads = config.width, config.heads
        self.config = config
        self.words = nn.Linear(n_words, d)
        self.word_blocks = nn.ModuleList(Block(d, heads, config.dropout) for _ in range(config.word_layers))
        self.word_norm = nn.LayerNorm(d)
        self.near, self.keys = nn.Linear(d, NEAR_WIDTH), nn.Linear(d, d)
        self.by_distance = nn.Linear(d, N_REFERENCES * N_BINS)
        self.tokens = nn.Linear(n_scalars + len(WINDOW) * (1 + NEAR_WIDTH), d)
        self.condition = nn.Linear(n_condition, d)
        self.path_blocks = nn.ModuleList(Block(d, heads, config.dropout) for _ in range(config.path_layers))
        self.path_norm = nn.LayerNorm(d)
        self.queries = nn.Linear(d, d)
        self.query_by_distance = nn.Linear(d, N_REFERENCES * N_BINS)
        self.query_by_visits = nn.Linear(d, MOST_VISITS + 1)
        # Far regressions are rarer by distance, but not as much as far skips.
        self.slope = nn.Parameter(torch.tensor([[0.0, 1.0]]).repeat(N_REFERENCES, 1))
        self.end, self.end_relative = nn.Linear(d, 1), RelativeBias(N_REFERENCES)
        for layer in (self.by_distance, self.query_by_distance, self.query_by_visits, self.end):
            nn.init.zeros_(layer.weight)
        self.dropout = nn.Dropout(config.dropout)
        self.length = _perceptron(d + n_condition, d, LENGTH_PARAMETERS, config.dropout)
        self.duration = _perceptron(n_durations, config.duration_width, DURATION_PARAMETERS, config.dropout)

    def read(self, features: Tensor, inside: Tensor) -> ReadText:
        """Read texts: features (S, M, F), ``inside`` (S, M) False on padding."""
        if self.training:
            # A word is known by heart from its exact features; one that is only like it generalises.
            features = features + self.config.word_noise * torch.randn_like(features)
        x = self.words(features)
        distance = distances(features.shape[1])
        for block in self.word_blocks:
            x, _ = block(x, distance, inside[:, None])
        x = self.word_norm(x)
        near = functional.pad(self.near(x) * inside[..., None], (0, 0, 0, 1))
        gist = (x * inside[..., None]).sum(1) / inside.sum(1, keepdim=True)
        return ReadText(near, self.keys(x), self.by_distance(x), inside, gist)

    def places(
        self, tokens: Tensor, condition: Tensor, visible: Tensor, past: Past | None = None
    ) -> tuple[Tensor, Past]:
        """Return what is known at each place, (B, T, d), and keys and values of the layers."""
        x = self.dropout(self.tokens(tokens) + self.condition(condition)[:, None])
        distance = distances(tokens.shape[1], 0 if past is None else past[0][0].shape[2])
        kept = []
        for k, block in enumerate(self.path_blocks):
            x, keys_values = block(x, distance, visible, None if past is None else past[k])
            kept.append(keys_values)
        return self.path_norm(x), kept

    def point(self, text: ReadText, x: Tensor, references: Tensor, counts: Tensor) -> Tensor:
        """Return the logits of the words and of the end at each place, (B, T, M + 1)."""
        distance = torch.arange(text.keys.shape[1]) - references[..., None]  # (B, T, 3, M)
        # The class of a distance, counted on from one reference to the next.
        column = bins(distance) + N_BINS * torch.arange(N_REFERENCES)[:, None]
        of_place = self.query_by_distance(x).gather(2, column.flatten(2)).view_as(distance)
        of_word = text.by_distance.transpose(1, 2).gather(1, column.flatten(1, 2)).view_as(distance)
        left, right = functional.softplus(self.slope).unsqueeze(-1).unbind(1)  # (3, 1) each
        falls = tail(distance) * torch.where(distance > 0, right, left)
        logits = self.queries(x) @ text.keys.transpose(1, 2) / math.sqrt(x.shape[2])
        logits = logits + (of_place + of_word - falls).sum(2) + self.query_by_visits(x).gather(2, counts)
        logits = logits.masked_fill(~text.inside[:, None], float("-inf"))
        # The end is addressed like a word that follows the last one, so it is far while much is unread.
        ahead = text.inside.sum(1)[:, None, None] - references  # (B, T, 3)
        end = self.end(x) + self.end_relative(ahead).diagonal(dim1=2, dim2=3).sum(2, keepdim=True)
        return torch.cat([logits, end], dim=2)

    def lengths(self, gist: Tensor, condition: Tensor) -> Tensor:
        """Return the parameters of the distribution of fixations per word, (B, n)."""
        return self.length(torch.cat([gist, condition], dim=1))

    def durations(self, features: Tensor) -> Tensor:
        """Return the parameters of the distribution of each duration, (…, 6)."""
        return self.duration(features)


def _perceptron(n_in: int, hidden: int, n_out: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(n_in, hidden),
        nn.GELU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, hidden),
        nn.GELU(),
        nn.Linear(hidden, n_out),
    )
