"""Settings that cannot be are refused with their name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scandl.config import from_table, to_table
from scandl.errors import ConfigError
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig, SamplingConfig


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: NetworkConfig(width=0), "network.width: found 0, expected a number from 1"),
        (lambda: NetworkConfig(width=30), "network.heads: 4 heads do not divide width 30"),
        (lambda: NetworkConfig(dropout=1.0), "network.dropout: found 1.0, expected at least 0 and below 1"),
        (lambda: SamplingConfig(steps=0), "sampling.steps: found 0, expected a number from 1"),
        (lambda: PointerConfig(most_epochs=0), "most_epochs: found 0, expected a number from 1"),
    ],
)
def test_errors(make: Callable[[], object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make()


def test_settings_survive_a_checkpoint() -> None:
    assert from_table(PointerConfig, to_table(PointerConfig())) == PointerConfig()
