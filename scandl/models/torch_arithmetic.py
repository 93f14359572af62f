"""Arithmetic on torch tensors, with which networks learn."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from scandl.models.arithmetic import EPSILON


class TorchArithmetic:
    """Arithmetic on torch tensors; implements ``scandl.models.arithmetic.Arithmetic``."""

    library: ModuleType = torch

    def __init__(self, dropout: float = 0.0, *, attention_dropout: float = 0.0) -> None:
        self._dropout = dropout
        self._attention_dropout = attention_dropout

    def constant(self, values: Any) -> Tensor:
        """Return an array of NumPy as a tensor."""
        return torch.from_numpy(values)

    def linear(self, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """Return x Wᵀ + b."""
        return functional.linear(x, weight, bias)

    def norm(self, x: Tensor, weight: Tensor, bias: Tensor, epsilon: float = EPSILON) -> Tensor:
        """Return x with mean 0 and variance 1 over its last axis, scaled and shifted."""
        return functional.layer_norm(x, weight.shape, weight, bias, epsilon)

    def gelu(self, x: Tensor) -> Tensor:
        """Return x Φ(x)."""
        return functional.gelu(x)

    def silu(self, x: Tensor) -> Tensor:
        """Return x / (1 + e^−x)."""
        return functional.silu(x)

    def attention(self, query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None = None) -> Tensor:
        """Return values mixed by the softmax of products and biases, (B, h, T, d)."""
        return functional.scaled_dot_product_attention(
            query, key, value, attn_mask=bias, dropout_p=self._attention_dropout
        )

    def gather(self, x: Tensor, index: Tensor, axis: int) -> Tensor:
        """Return the elements of x at the places of an index along an axis."""
        return x.gather(axis, index)

    def dropout(self, x: Tensor) -> Tensor:
        """Return x with some elements dropped."""
        return functional.dropout(x, self._dropout) if self._dropout else x
