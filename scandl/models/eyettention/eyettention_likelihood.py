"""How probable human scanpaths are: by class, as the network learns, and by outcome, as it generates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from scandl.models.eyettention.eyettention_inputs import Batch, PathInput, collate
from scandl.models.eyettention.eyettention_network import EyettentionNetwork
from scandl.models.eyettention.saccade_classes import SaccadeClasses

BATCH = 256


def class_losses(logits: Tensor, batch: Batch, classes: SaccadeClasses) -> Tensor:
    """Return the cross-entropy of the saccade class, or END, that followed each fixation, (N,)."""
    at, following = batch.fixations.at, batch.following
    steps = classes.of_steps(following - at)
    target = torch.where(following > batch.n_words, classes.end, steps)
    return functional.cross_entropy(logits, target, reduction="none")


def outcome_losses(logits: Tensor, batch: Batch, classes: SaccadeClasses) -> Tensor:
    """Return −log P of the word, or end, that followed each fixation, however it was reached, (N,)."""
    log_probs = logits.log_softmax(dim=1)
    return -classes.outcome_log_probs(log_probs, batch.fixations.at, batch.following, batch.n_words)


def per_path(losses: Tensor, batch: Batch) -> Tensor:
    """Sum what belongs to each path, (B,)."""
    packing = batch.fixations.packing
    return losses.new_zeros(packing.n_sequences).index_add(0, packing.member, losses)


@torch.no_grad()
def path_log_probs(
    network: EyettentionNetwork, paths: Sequence[PathInput], classes: SaccadeClasses, *, outcome: bool = True
) -> list[float]:
    """Return the natural log-probability of each path, its end included.

    ``outcome`` sums over the classes that lead to the same word, which is the probability of the
    process that generates. Without it, each event has the probability of its own class, which is
    how the likelihood of the paper is defined.
    """
    losses = outcome_losses if outcome else class_losses
    found: list[float] = []
    for members in _batches(paths):
        batch = collate(members, next(network.parameters()).dtype)
        found += per_path(-losses(network(batch), batch, classes), batch).tolist()
    return found


def _batches(paths: Sequence[PathInput]) -> Iterator[Sequence[PathInput]]:
    for first in range(0, len(paths), BATCH):
        yield paths[first : first + BATCH]
