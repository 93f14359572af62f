"""What is minimised: minus the log-likelihood of paths and mixtures, or a bound on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.pointer import mixtures
from scandl.models.pointer.continuous import N_NOISE
from scandl.models.pointer.path_batch import BLUR
from scandl.models.pointer.pointer_network import LINES, N_BINS, NEAR_WIDTH, PointerNetwork, seen_around
from scandl.models.pointer.pointer_settings import NetworkConfig
from scandl.models.pointer.states import MOST_VISITS, N_AROUND, N_REFERENCES, N_TOKENS
from scandl.models.torch_arithmetic import TorchArithmetic


class PointerWeights(nn.Module):
    """The weights of a network before training; what is computed with them, ``PointerNetwork`` says."""

    def __init__(self, config: NetworkConfig, *, n_words: int, n_condition: int, n_durations: int) -> None:
        super().__init__()
        d, heads = config.width, config.heads
        self.words = nn.Linear(n_words, d)
        self.word_blocks = nn.ModuleList(Block(d, heads) for _ in range(config.word_layers))
        self.word_norm = nn.LayerNorm(d)
        self.near, self.keys = nn.Linear(d, NEAR_WIDTH), nn.Linear(d, d)
        self.by_distance = nn.Linear(d, N_REFERENCES * N_BINS)
        n_noise = N_NOISE if config.process == "gaussian" else 0
        self.tokens = nn.Linear(N_TOKENS + n_noise + N_AROUND * NEAR_WIDTH, d)
        self.condition = nn.Linear(n_condition, d)
        self.path_blocks = nn.ModuleList(Block(d, heads) for _ in range(config.path_layers))
        self.path_norm = nn.LayerNorm(d)
        self.queries = nn.Linear(d, d)
        self.query_by_distance = nn.Linear(d, N_REFERENCES * N_BINS)
        self.query_by_visits_before = nn.Linear(d, MOST_VISITS + 1)
        self.query_by_visits_after = nn.Linear(d, MOST_VISITS + 1)
        self.query_by_line = nn.Linear(d, 2 * LINES + 1)
        # Far regressions are rarer by distance, but not as much as far skips.
        self.slope = nn.Parameter(torch.tensor([[0.0, 1.0]]).repeat(N_REFERENCES, 1))
        self.ahead = nn.Parameter(torch.tensor([0.0, -2.0]))  # without lines, and with them
        relative = (
            self.by_distance,
            self.query_by_distance,
            self.query_by_visits_before,
            self.query_by_visits_after,
            self.query_by_line,
        )
        for layer in relative:
            nn.init.zeros_(layer.weight)
        self.length = _perceptron(mixtures.N_OF_TEXT + n_condition, d, mixtures.N_LENGTH_PARAMETERS)
        self.duration = _perceptron(n_durations, config.duration_width, mixtures.N_PARAMETERS)


class Block(nn.Module):
    """Weights of a layer: attention with relative biases, and feed-forward."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention_norm, self.forward_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query_key_value = nn.Linear(width, 3 * width)
        self.attended = nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.relative = RelativeBias(heads)


class RelativeBias(nn.Module):
    """Weights of biases by distance: a table, and slopes to the left and to the right beyond it."""

    def __init__(self, heads: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.zeros(N_BINS, heads))
        self.slope = nn.Parameter(torch.ones(2, heads))


def _perceptron(n_in: int, hidden: int, n_out: int) -> nn.ModuleList:
    sizes = (n_in, hidden, hidden, n_out)
    return nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """B human paths as tensors: S texts, M words, T places, n fixations with a known duration."""

    features: Tensor  # (S, M, F)
    inside: Tensor  # (S, M)
    lines: Tensor  # (S, M)
    lined: Tensor  # (S,)
    row: Tensor  # (B,) the text of each path
    conditions: Tensor  # (B, C)
    tokens: Tensor  # (B, T, …)
    around: Tensor  # (B, T, …)
    references: Tensor  # (B, T, …)
    gap: Tensor  # (B, T)
    visits: Tensor  # (B, T, 2, M)
    visible: Tensor  # (B or 1, T, T)
    evidence: Tensor  # (B, T, M) what is known of each word beside, or a 0
    targets: Tensor  # (B, T) a word, -1 where nothing is to be said
    weights: Tensor  # (B,) of what is said of a path's words
    of_text: Tensor  # (B, …) what the length is learned from
    n_fixations: Tensor  # (B,)
    duration_features: Tensor  # (n, …)
    log_durations: Tensor  # (n,) of ms
    duration_row: Tensor  # (n,) the path of each


class Objective(nn.Module):
    """The network with its loss: one number per path, in nats."""

    def __init__(self, config: NetworkConfig, weights: PointerWeights) -> None:
        super().__init__()
        self.config = config
        self.network = weights

    def forward(self, batch: TrainingBatch) -> Tensor:
        """Return the loss of each path, (B,)."""
        arithmetic = TorchArithmetic(self.config.dropout if self.training else 0.0)
        network = PointerNetwork(self.config.heads, dict(self.network.named_parameters()), arithmetic)
        features = batch.features
        if self.training:
            # A word is known by heart from its exact features; one that is only like it generalises.
            noise = torch.randn_like(features) * torch.from_numpy(BLUR)
            features = features + self.config.word_noise * noise
        text = network.read(features, batch.inside, batch.lines, batch.lined).of(batch.row)
        tokens = torch.cat([batch.tokens, seen_around(text.near, batch.around)], dim=2)
        x = network.places(tokens, batch.conditions, batch.visible)
        logits = network.point(text, x, batch.references, batch.gap, batch.visits) + batch.evidence
        loss = functional.cross_entropy(
            logits.flatten(0, 1), batch.targets.flatten(), reduction="none", ignore_index=-1
        )
        total = batch.weights * loss.view_as(batch.targets).sum(1)
        parameters = network.lengths(batch.of_text, batch.conditions)
        total = total - length_log_prob(parameters, text.inside.sum(1), batch.n_fixations)
        if len(batch.log_durations):
            density = log_duration_density(network.durations(batch.duration_features), batch.log_durations)
            total = total.index_add(0, batch.duration_row, -density)
        return total


def length_log_prob(parameters: Tensor, n_words: Tensor, n_fixations: Tensor) -> Tensor:
    """Return the log-probability of each number of fixations, (B,), as ``lengths`` has it."""
    logits, means, log_sds = parameters.double().chunk(3, dim=1)
    sds = (
        (mixtures.TYPICAL_LENGTH_SD + log_sds).clamp(mixtures.LEAST_LENGTH_SD, mixtures.MOST_LENGTH_SD).exp()
    )
    limits = torch.stack([n_fixations - 0.5, n_fixations + 0.5], dim=1) / n_words[:, None]  # (B, 2)
    z = (limits.log()[..., None] - means[:, None]) / sds[:, None]  # (B, 2, components)
    below = (logits.softmax(1)[:, None] * torch.special.ndtr(z)).sum(2)
    # There is no path without a fixation: one fixation has everything up to 1.5.
    lower = torch.where(n_fixations > 1, below[:, 0], 0.0)
    return (below[:, 1] - lower).clamp(min=1e-12).log().to(parameters.dtype)


def log_duration_density(parameters: Tensor, log_durations: Tensor) -> Tensor:
    """Return the log density of log mixtures, (n,); see ``scandl.models.pointer.mixtures.components``."""
    logits, means, log_sds = parameters.chunk(3, dim=1)
    log_sds = (log_sds - 1.0).clamp(mixtures.LEAST_LOG_SD, mixtures.MOST_LOG_SD)
    z = (log_durations[:, None] - mixtures.TYPICAL - means) / log_sds.exp()
    density = logits.log_softmax(1) - 0.5 * z.square() - log_sds - 0.5 * math.log(2 * math.pi)
    return density.logsumexp(1)
