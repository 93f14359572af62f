"""What is minimised: minus the log-likelihood of paths and durations, or a bound on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.pointer import durations
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.processes import length
from scandl.models.pointer.runners.runner import seen_around


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """B human paths as tensors: S texts, M words, T places, n fixations with a known duration."""

    features: Tensor  # (S, M, F)
    inside: Tensor  # (S, M)
    row: Tensor  # (B,) the text of each path
    conditions: Tensor  # (B, C)
    tokens: Tensor  # (B, T, S + 6)
    window: Tensor  # (B, T, 6)
    references: Tensor  # (B, T, 3)
    counts: Tensor  # (B, T, M)
    visible: Tensor  # (B or 1, T or 1, T)
    targets: Tensor  # (B, T) a word, M for the end, -1 where nothing is to be said
    weights: Tensor  # (B,) of what is said of a path's words
    n_fixations: Tensor | None  # (B,) where the length is learned by itself
    duration_features: Tensor  # (n, …)
    log_durations: Tensor  # (n,) of ms
    duration_row: Tensor  # (n,) the path of each


class Objective(nn.Module):
    """The network with its loss: one number per path, in nats."""

    def __init__(self, network: PointerNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, batch: TrainingBatch) -> Tensor:
        """Return the loss of each path, (B,)."""
        text = self.network.read(batch.features, batch.inside).of(batch.row)
        tokens = torch.cat([batch.tokens, seen_around(text.near, batch.window)], dim=2)
        x, _ = self.network.places(tokens, batch.conditions, batch.visible)
        logits = self.network.point(text, x, batch.references, batch.counts)
        if batch.n_fixations is None:
            # A path has a fixation, so the first place cannot be the end.
            logits[:, 0, -1] = float("-inf")
        else:
            logits = logits[..., :-1]
        loss = functional.cross_entropy(
            logits.flatten(0, 1), batch.targets.flatten(), reduction="none", ignore_index=-1
        )
        total = batch.weights * loss.view_as(batch.targets).sum(1)
        if batch.n_fixations is not None:
            parameters = self.network.lengths(text.gist, batch.conditions)
            total = total - length_log_prob(parameters, text.inside.sum(1), batch.n_fixations)
        if len(batch.log_durations):
            density = log_duration_density(
                self.network.durations(batch.duration_features), batch.log_durations
            )
            total = total.index_add(0, batch.duration_row, -density)
        return total


def length_log_prob(parameters: Tensor, n_words: Tensor, n_fixations: Tensor) -> Tensor:
    """Return the log-probability of each number of fixations, (B,), as ``processes.length`` draws them."""
    logits, means, log_sds = parameters.double().chunk(3, dim=1)
    sds = log_sds.clamp(length.LEAST_LOG_SD, length.MOST_LOG_SD).exp()
    limits = torch.stack([n_fixations - 0.5, n_fixations + 0.5], dim=1) / n_words[:, None]  # (B, 2)
    z = (limits.log()[..., None] - means[:, None]) / sds[:, None]  # (B, 2, components)
    below = (logits.softmax(1)[:, None] * torch.special.ndtr(z)).sum(2)
    # There is no path without a fixation: one fixation has everything up to 1.5.
    lower = torch.where(n_fixations > 1, below[:, 0], 0.0)
    return (below[:, 1] - lower).clamp(min=1e-12).log().to(parameters.dtype)


def log_duration_density(parameters: Tensor, log_durations: Tensor) -> Tensor:
    """Return the log density of log durations, (n,); see ``scandl.models.pointer.durations.components``."""
    logits, means, log_sds = parameters.chunk(3, dim=1)
    log_sds = (log_sds - 1.0).clamp(durations.LEAST_LOG_SD, durations.MOST_LOG_SD)
    z = (log_durations[:, None] - durations.TYPICAL - means) / log_sds.exp()
    density = logits.log_softmax(1) - 0.5 * z.square() - log_sds - 0.5 * math.log(2 * math.pi)
    return density.logsumexp(1)
