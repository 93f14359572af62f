"""The moving average of the weights, which is what one generates with."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Ema:
    """An exponential moving average that can follow fast at first.

    Without warm-up the initial, random weights keep a share of decay^n: 0.61 after 5,000 steps of
    0.9999. The warm-up takes min(decay, (1 + n)/(10 + n)).
    """

    def __init__(self, module: nn.Module, decay: float, *, warmup: bool) -> None:
        self.decay = decay
        self.warmup = warmup
        self.weights: dict[str, Tensor] = {name: p.detach().clone() for name, p in module.named_parameters()}

    @torch.no_grad()
    def update(self, module: nn.Module, step: int) -> None:
        """Move towards the present weights; ``step`` counts from 1."""
        decay = min(self.decay, (1 + step) / (10 + step)) if self.warmup else self.decay
        present = [parameter.detach() for _, parameter in module.named_parameters()]
        torch._foreach_lerp_(list(self.weights.values()), present, 1.0 - decay)

    def to(self, device: torch.device) -> None:
        """Move the average to where the weights are."""
        self.weights = {name: weight.to(device) for name, weight in self.weights.items()}
