"""The moving average of weights."""

from __future__ import annotations

import pytest
import torch

from scandl.training.ema import Ema


def test_the_average_forgets_its_start_only_with_warm_up() -> None:
    module = torch.nn.Linear(1, 1, bias=False)
    torch.nn.init.constant_(module.weight, 0.0)
    slow, fast = (Ema(module, 0.9999, warmup=warmup) for warmup in (False, True))
    torch.nn.init.constant_(module.weight, 1.0)
    for step in range(1, 5001):
        slow.update(module, step)
        fast.update(module, step)
    assert slow.weights["weight"].item() == pytest.approx(
        1 - 0.9999**5000, abs=1e-4
    )  # 0.61 of the start is left
    assert fast.weights["weight"].item() > 0.999
