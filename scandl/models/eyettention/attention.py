"""Cross-attention from a fixation to the words around it."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from scandl.models.eyettention.eyettention_settings import NetworkConfig


class WindowAttention(nn.Module):
    """Attend to the fixated word and its neighbours, the nearer the more."""

    def __init__(self, config: NetworkConfig, word_dim: int) -> None:
        super().__init__()
        self.project = nn.Linear(config.fixation_units, word_dim)
        self.renormalise = config.renormalise_window
        self.sigma = config.sigma
        self.register_buffer("offsets", torch.arange(-config.window, config.window + 1), persistent=False)

    def forward(self, fixation: Tensor, words: Tensor, row: Tensor, at: Tensor, last: Tensor) -> Tensor:
        """Return the context of each fixation, (N, word_dim).

        Parameters
        ----------
        fixation
            (N, fixation_units), what the fixation encoder knows.
        words
            (sentences, positions, word_dim), what the word encoder knows.
        row, at
            (N,) the sentence and the position in it, CLS = 0.
        last
            (N,) the position of SEP.
        """
        offsets = self.get_buffer("offsets")
        gaussian = torch.exp(-(offsets.to(words.dtype) ** 2) / (2.0 * self.sigma**2))
        position = at[:, None] + offsets  # (N, 2·window + 1)
        inside = (position >= 0) & (position <= last[:, None])
        near = functional.embedding(
            row[:, None] * words.shape[1] + position.clamp(min=0).minimum(last[:, None]), words.flatten(0, 1)
        )  # (N, window, word_dim)
        # Products of whole blocks: a matrix product for each fixation would be too small to be fast.
        score = (self.project(fixation)[:, None] * near).sum(dim=2)
        weight = score.masked_fill(~inside, float("-inf")).softmax(dim=1) * gaussian
        if self.renormalise:
            weight = weight / weight.sum(dim=1, keepdim=True)
        return (weight[..., None] * near).sum(dim=1)
