"""The numbers of an optimiser step: how large it is, and in what precision it is computed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import torch

from scandl.training.training_settings import TrainingConfig

_HALF = {"bf16": torch.bfloat16, "fp16": torch.float16}


def autocast(config: TrainingConfig, device: torch.device) -> AbstractContextManager[Any]:
    """Return a context in which the network computes in half precision, where that was asked for."""
    half = _HALF.get(config.precision)
    return nullcontext() if half is None else torch.autocast(device.type, dtype=half)


def learning_rate(config: TrainingConfig, step: int) -> float:
    """Return the learning rate of a step that counts from 0: a linear decay to 0, after a warm-up.

    >>> [learning_rate(TrainingConfig(steps=4, lr=1.0), n) for n in range(4)]
    [1.0, 0.75, 0.5, 0.25]
    """
    rise = min(1.0, (step + 1) / config.warmup) if config.warmup else 1.0
    decay = 1.0 - step / config.steps if config.lr_schedule == "linear" else 1.0
    return config.lr * rise * decay


@contextmanager
def short_factors(config: TrainingConfig, device: torch.device) -> Iterator[None]:
    """Let a GPU multiply matrices in TF32 where that was asked for, and leave the setting as it was."""
    before = torch.get_float32_matmul_precision()
    if config.precision == "tf32" and device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)
