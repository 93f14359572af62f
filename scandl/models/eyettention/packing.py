"""Sequences of different lengths in one block without padding: all first elements, all second ones, ...

The longest sequence comes first, so the elements of one time are the continuations of the first
rows of the time before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Packing:
    """Where each of N elements comes from."""

    member: Tensor  # (N,) number of the sequence
    time: Tensor  # (N,) place in it
    sizes: tuple[int, ...]  # how many sequences have an element of time 0, 1, ...

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Self:
        """Return the packing of sequences of these lengths.

        >>> packed = Packing.of([1, 3])
        >>> packed.member.tolist(), packed.time.tolist(), packed.sizes
        ([1, 0, 1, 1], [0, 0, 1, 2], (2, 1, 1))
        """
        length = np.array(lengths)
        order = np.argsort(-length, kind="stable")
        present = np.arange(length.max())[:, None] < length[order]  # (T, sequences), longest first
        time, column = present.nonzero()
        sizes = tuple(present.sum(axis=1).tolist())
        return cls(torch.from_numpy(order[column]), torch.from_numpy(time), sizes)

    @property
    def n_sequences(self) -> int:
        """The number of sequences."""
        return self.sizes[0]

    def backwards(self) -> Tensor:
        """Return the index of each element's counterpart when every sequence is read from its end.

        >>> Packing.of([1, 3]).backwards().tolist()
        [3, 1, 2, 0]
        """
        starts = np.cumsum((0, *self.sizes[:-1]))
        column = np.concatenate([np.arange(size) for size in self.sizes])
        length = np.array([sum(size > k for size in self.sizes) for k in range(self.sizes[0])])
        return torch.from_numpy(starts[length[column] - 1 - self.time.numpy()] + column)
