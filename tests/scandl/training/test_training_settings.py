"""The settings of a training: what cannot be is refused by name, whatever is trained."""

from __future__ import annotations

import pytest

from scandl.errors import ConfigError
from scandl.training.training_settings import TrainingConfig


def test_a_value_that_cannot_be_is_named_with_what_is_expected() -> None:
    with pytest.raises(ConfigError, match=r"setting 'training.lr': found -1, expected a number above 0"):
        TrainingConfig(lr=-1)
    with pytest.raises(
        ConfigError, match=r"setting 'training.batch': found 1000000, expected at most 100,000"
    ):
        TrainingConfig(batch=1_000_000)


@pytest.mark.parametrize(
    ("kind", "chooses"), [("none", False), ("loss", False), ("energy", True), ("nld", True)]
)
def test_only_validation_by_generation_chooses_a_checkpoint(kind, chooses) -> None:
    assert TrainingConfig(validation=kind).chooses is chooses
