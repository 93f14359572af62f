"""Arithmetic: NumPy gives what torch gives, in both precisions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from scipy.special import ndtr

from scandl.models.arithmetic import NumpyArithmetic
from scandl.models.torch_arithmetic import TorchArithmetic

RNG = np.random.default_rng(1)
CALLS: dict[str, tuple[Any, ...]] = {
    "linear": (RNG.normal(size=(2, 3, 5)), RNG.normal(size=(4, 5)), RNG.normal(size=4)),
    "norm": (RNG.normal(size=(2, 3, 5)), RNG.normal(size=5), RNG.normal(size=5), 1e-12),
    "gelu": (4.0 * RNG.normal(size=(3, 7)),),
    "silu": (4.0 * RNG.normal(size=(3, 7)),),
    "attention": tuple(RNG.normal(size=(3, 2, 4, 6, 8))),
    "dropout": (RNG.normal(size=(2, 3)),),
}


@pytest.mark.parametrize(("dtype", "error"), [(np.float32, 3e-6), (np.float64, 1e-12)])
@pytest.mark.parametrize("name", CALLS)
def test_both_libraries_agree(name: str, dtype: type, error: float) -> None:
    given = [part.astype(dtype) if isinstance(part, np.ndarray) else part for part in CALLS[name]]
    tensors = [torch.from_numpy(part) if isinstance(part, np.ndarray) else part for part in given]
    found, expected = getattr(NumpyArithmetic(), name)(*given), getattr(TorchArithmetic(), name)(*tensors)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, expected.numpy(), rtol=error, atol=error)


def test_biases_forbid_places() -> None:
    query, key, value = (part.astype(np.float64) for part in CALLS["attention"])
    bias = np.where(np.tri(6, dtype=bool), 0.0, -np.inf)
    found = NumpyArithmetic().attention(query, key, value, bias)
    np.testing.assert_allclose(found[..., 0, :], value[..., 0, :])
    expected = TorchArithmetic().attention(*map(torch.from_numpy, (query, key, value, bias)))
    np.testing.assert_allclose(found, expected.numpy())


def test_single_gelus_are_exact_to_single_precision() -> None:
    x = np.linspace(-12.0, 12.0, 40_001)
    found = NumpyArithmetic().gelu(x.astype(np.float32))
    np.testing.assert_allclose(found, x * ndtr(x), rtol=3e-7, atol=5e-7)
