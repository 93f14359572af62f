"""Sampling without leaving the device: its own noise, and rounding to whole scanpaths there.

On a CPU both are those of numpy, with which exported models run too; elsewhere nothing is sent between two
denoising steps. Scanpaths drawn on a GPU are therefore others than those drawn on a CPU with the same
seed, from the same distribution; on each of them they are the same in any batch and order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from scandl.files.symbol_repair import CLS
from scandl.models.diffusion.counter_random import keys_of, normals
from scandl.models.diffusion.valid_sequences import LEAST


class DeviceNoise:
    """Standard normal noise of a batch, one key per instance and a count of the draws."""

    def __init__(
        self, streams: Sequence[np.random.Generator], shape: tuple[int, ...], device: torch.device
    ) -> None:
        keys = [int(stream.integers(-(2**63), 2**63 - 1)) for stream in streams]
        self._keys = torch.tensor(keys).to(device)
        self._shape = shape
        self._draws = 0

    def draw(self, largest: float = 0.0) -> Tensor:
        """Return the next (B, *shape); none is larger than ``largest`` if that is above 0."""
        self._draws += 1
        return normals(keys_of(0, self._keys, self._draws), self._shape, largest)


def best_on_device(scores: Tensor, noised: Tensor, n_words: Tensor) -> Tensor:
    """Return what ``valid_sequences.best_sequences`` returns, without leaving the device.

    scores (B, L, ids); noised (B, L) boolean, True to the end of a row; n_words (B,).
    """
    B, L, n_ids = scores.shape
    exact = scores.float() if scores.device.type == "mps" else scores.double()
    symbols, places = (torch.arange(n, device=scores.device) for n in (n_ids, L))
    is_word = (symbols >= 1) & (symbols <= n_words.unsqueeze(-1))  # (B, ids)
    of_words, word = exact.masked_fill(~is_word.unsqueeze(1), -torch.inf).max(-1)  # (B, L)
    sep = (n_words + 1).view(B, 1)
    of_sep = exact.gather(2, sep.unsqueeze(1).expand(B, L, 1)).squeeze(-1)
    start = (~noised).sum(-1, keepdim=True)  # (B, 1) where the scanpath begins, with CLS
    # With SEP at e: words between CLS and e, PAD after e.
    before = of_words.masked_fill(places <= start, 0.0).cumsum(-1) - of_words.masked_fill(
        places <= start, 0.0
    )
    after = exact[..., -1].flip(-1).cumsum(-1).flip(-1) - exact[..., -1]
    total = (before + of_sep + after).masked_fill(places < start + LEAST - 1, -torch.inf)
    end = total.argmax(-1, keepdim=True)
    best = torch.where(places < end, word, torch.where(places == end, sep, n_ids - 1))
    best = torch.where(places == start, CLS, best)
    chosen = noised & (noised.sum(-1, keepdim=True) >= LEAST)
    return torch.where(chosen, best, scores.argmax(-1))
