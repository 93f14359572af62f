"""The window attention beside loops over fixations and words."""

from __future__ import annotations

import math
from itertools import product

import pytest
import torch

from scandl.models.eyettention.attention import WindowAttention
from scandl.models.eyettention.eyettention_settings import NetworkConfig


@pytest.mark.parametrize(
    ("window", "sigma", "renormalise"), list(product((0, 1, 2), (0.5, 3.0), (False, True)))
)
def test_attention_equals_a_loop(window, sigma, renormalise):
    config = NetworkConfig(fixation_units=5, window=window, sigma=sigma, renormalise_window=renormalise)
    torch.manual_seed(3)
    attention = WindowAttention(config, 7).double().requires_grad_(False)
    words = torch.randn(2, 6, 7, dtype=torch.float64)
    last = [5, 3]  # the second sentence is shorter; what stands behind it must not be seen
    row, at = torch.tensor([0, 0, 1, 1, 0]), torch.tensor([0, 3, 3, 1, 5])
    fixation = torch.randn(5, 5, dtype=torch.float64)
    found = attention(fixation, words, row, at, torch.tensor(last)[row])
    for n in range(5):
        s, p = int(row[n]), int(at[n])
        query = attention.project.weight @ fixation[n] + attention.project.bias
        near = [k for k in range(p - window, p + window + 1) if 0 <= k <= last[s]]
        scores = [math.exp(float(query @ words[s, k])) for k in near]
        weights = [
            score / sum(scores) * math.exp(-((k - p) ** 2) / (2 * sigma**2))
            for k, score in zip(near, scores, strict=True)
        ]
        if renormalise:
            weights = [weight / sum(weights) for weight in weights]
        slow = sum(weight * words[s, k] for weight, k in zip(weights, near, strict=True))
        torch.testing.assert_close(found[n], slow, rtol=1e-10, atol=1e-12)


def test_published_weights_do_not_sum_to_one():
    attention = WindowAttention(NetworkConfig(fixation_units=2), 1).requires_grad_(False)
    torch.nn.init.zeros_(attention.project.weight)  # all scores equal
    torch.nn.init.zeros_(attention.project.bias)
    ones = torch.ones(1, 9, 1)
    found = attention(torch.ones(1, 2), ones, torch.tensor([0]), torch.tensor([4]), torch.tensor([8]))
    assert found.item() == pytest.approx((1 + 2 * math.exp(-2)) / 3)
