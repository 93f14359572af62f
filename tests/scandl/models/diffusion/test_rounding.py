"""Rounding to the nearest row of the table."""

from __future__ import annotations

import torch

from scandl.models.diffusion.rounding import nearest


def test_nearest_is_the_smallest_distance() -> None:
    z, table = torch.randn(4, 7, 5), torch.randn(11, 5)
    assert torch.equal(nearest(z, table), torch.cdist(z.reshape(-1, 5), table).argmin(-1).view(4, 7))
