"""The search as a file: the published one ships, and one of one's own comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import ConfigError
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.tune_config import TuneConfig, read_tune_config


def test_the_published_search_ships() -> None:
    found = read_tune_config("paper-tuning.toml")
    assert found == read_tune_config("paper-tuning")
    assert (found.trials, found.scheme, found.steps) == (60, "paper", 2000)
    assert found.scandl() == preset("paper")


def test_a_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_tune_config(None) == TuneConfig()
    monkeypatch.chdir(tmp_path)
    Path("paper-tuning.toml").write_text('trials = 2\nchanges = ["model.layers=1"]\n')
    found = read_tune_config("paper-tuning.toml")
    assert (found.trials, found.scandl().model.layers) == (2, 1)
    Path("mine.toml").write_text("trial = 2\n")
    with pytest.raises(ConfigError, match="mine.toml: unknown setting 'trial'; did you mean 'trials'"):
        read_tune_config("mine.toml")
