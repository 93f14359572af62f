"""From vectors back to ids: the nearest row of the id table, on the device, in one product."""

from __future__ import annotations

from torch import Tensor


def nearest(z: Tensor, table: Tensor) -> Tensor:
    """Return the id whose row is nearest in squared distance, (B, L).

    ‖z‖² is the same for every row, so ‖row‖² − 2 z·row decides.

    >>> import torch
    >>> nearest(torch.tensor([[[0.9, 0.2]]]), torch.tensor([[0.0, 0.0], [1.0, 0.0]]))
    tensor([[1]])
    """
    return squared_distances(z, table).argmin(-1)


def squared_distances(z: Tensor, table: Tensor) -> Tensor:
    """Return ‖row‖² − 2 z·row, the squared distance to each row up to ‖z‖², (B, L, ids)."""
    return table.square().sum(-1) - 2.0 * (z @ table.T)
