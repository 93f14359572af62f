"""Learning rates by their definition; precision that is given back as it was."""

from __future__ import annotations

import pytest
import torch

from scandl.training.arithmetic import autocast, learning_rate, short_factors
from scandl.training.training_settings import TrainingConfig


def test_the_rate_rises_and_falls() -> None:
    config = TrainingConfig(steps=100, lr=2.0, warmup=10)
    assert [learning_rate(config, n) for n in (0, 4, 9, 50, 99)] == pytest.approx(
        [2 * 0.1, 2 * 0.5 * 0.96, 2 * 0.91, 1.0, 0.02]
    )
    constant = TrainingConfig(steps=100, lr=2.0, lr_schedule="constant")
    assert {learning_rate(constant, n) for n in range(100)} == {2.0}


@pytest.mark.parametrize(
    ("precision", "kind"),
    [("no", torch.float32), ("tf32", torch.float32), ("bf16", torch.bfloat16), ("fp16", torch.float16)],
)
def test_products_have_the_precision_that_was_asked_for(precision: str, kind: torch.dtype) -> None:
    with autocast(TrainingConfig(precision=precision), torch.device("cpu")):  # type: ignore[arg-type]
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == kind


@pytest.mark.parametrize(
    ("precision", "device", "inside"),
    [
        ("tf32", "cuda", "high"),
        ("tf32", "cpu", "highest"),
        ("no", "cuda", "highest"),
    ],
)
def test_tf32_is_for_gpus_and_while_training_alone(precision: str, device: str, inside: str) -> None:
    with short_factors(TrainingConfig(precision=precision), torch.device(device)):  # type: ignore[arg-type]
        assert torch.get_float32_matmul_precision() == inside
    assert torch.get_float32_matmul_precision() == "highest"
