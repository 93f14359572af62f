"""Arithmetic of torch: what only training does (the rest is compared in ``test_arithmetic``)."""

from __future__ import annotations

import torch

from scandl.models.torch_arithmetic import TorchArithmetic


def test_dropout_drops_a_share_and_keeps_the_mean() -> None:
    torch.manual_seed(1)
    dropped = TorchArithmetic(0.25).dropout(torch.ones(100_000))
    assert abs((dropped == 0).float().mean() - 0.25) < 0.01
    assert abs(dropped.mean() - 1.0) < 0.01
    assert TorchArithmetic().dropout(dropped) is dropped


def test_attention_has_a_dropout_of_its_own() -> None:
    torch.manual_seed(1)
    query, key, value = torch.randn(3, 1, 1, 9, 4)
    always, sometimes = TorchArithmetic(0.5), TorchArithmetic(attention_dropout=0.5)
    assert torch.equal(always.attention(query, key, value), always.attention(query, key, value))
    assert not torch.equal(sometimes.attention(query, key, value), sometimes.attention(query, key, value))
