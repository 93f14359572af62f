"""Settings of Eyettention: refused, said and read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.config import from_table, to_table
from scandl.errors import ConfigError
from scandl.models.eyettention.eyettention_generator import Eyettention
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    NetworkConfig,
)

CONFIG = EyettentionConfig(
    network=NetworkConfig(word_layers=1, word_units=4, fixation_layers=2, fixation_units=8, decoder=(16,)),
    learning=LearningConfig(epochs=4, batch=32, lr=1e-2),
)


@pytest.mark.parametrize(
    ("part", "name", "value", "expected"),
    [
        (LearningConfig, "learning.batch", 0, "a number from 1"),
        (LearningConfig, "learning.patience", -1, "a number from 1"),
        (LearningConfig, "learning.epochs", 0, "a number from 1"),
        (LearningConfig, "learning.lr", -1.0, "more than 0"),
        (LearningConfig, "learning.validation_share", 1.0, "a share between 0 and 1"),
        (NetworkConfig, "network.dropout", 2.0, "a share from 0 to 1"),
        (NetworkConfig, "network.input_dropout", -0.5, "a share from 0 to 1"),
        (NetworkConfig, "network.reader_dropout", 3.0, "a share from 0 to 1"),
    ],
)
def test_settings_that_cannot_be_are_refused(part, name, value, expected):
    with pytest.raises(ConfigError, match=f"^{name}: found {value}, expected {expected}$"):
        part(**{name.partition(".")[2]: value})


def test_defaults_that_are_not_the_papers_are_said():
    defaults = EyettentionConfig()
    assert (defaults.network.encoder, defaults.network.gaze_inputs, defaults.learning.batch) == (
        "lexical",
        False,
        64,
    )
    about = " ".join((Eyettention.__doc__ or "").split())
    for told in ("``lexical``, not BERT's", "``gaze_inputs`` (off", "64, not 256"):
        assert told in about
    page = " ".join((Path(__file__).parents[4] / "docs" / "eyettention.md").read_text("utf-8").split())
    assert "`eyettention` is the published network" not in page
    assert "its default inputs differ: `lexical` vectors instead of BERT's, and no durations" in page


def test_settings_are_checked_and_read_back():
    assert from_table(EyettentionConfig, to_table(CONFIG)) == CONFIG
    with pytest.raises(ConfigError, match="unknown setting 'network.layers'; .*word_layers"):
        from_table(EyettentionConfig, {"network": {"layers": 2}})
    with pytest.raises(ConfigError, match="network.max_words: found 2, expected CLS, SEP and a word"):
        NetworkConfig(max_words=2)
    with pytest.raises(ConfigError, match="network.window: found 1 with sigma 0.0, expected"):
        NetworkConfig(sigma=0.0)
    with pytest.raises(ConfigError, match="network.word_units: found 0, expected a number from 1"):
        NetworkConfig(word_units=0)
