"""Shipped configurations: they are what the paper did, and a file of one's own comes first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl_eval.references.published_tables import published_rows
from scandl_eval.running.published_comparison import PUBLISHED_AS
from scandl_eval.running.recipes import read_run_config, recipe_names
from scandl_eval.running.run_config import RunConfig


@pytest.mark.parametrize("name", recipe_names())
def test_each_can_be_run_in_the_published_conventions(name: str) -> None:
    found = read_run_config(f"{name}.toml").checked()
    assert found == read_run_config(name).checked()
    assert (found.scheme, found.seed, found.changes, found.folds) == (
        "paper", 60, ("training.seed=101",), (0, 1, 2, 3, 4),
    )  # fmt: skip
    assert found.keep_checkpoints
    assert set(found.models) <= set(PUBLISHED_AS)


def test_table_1_has_every_model_and_setting_that_was_published() -> None:
    found = read_run_config("paper.toml")
    printed = published_rows(None)
    assert {row.setting for row in printed} == set(found.settings)
    assert {row.model for row in printed} == {PUBLISHED_AS[model] for model in found.models} | {"Human"}
    ablations = read_run_config("paper-ablations.toml")
    assert {PUBLISHED_AS[model] for model in ablations.models} == {
        row.model for row in published_rows(None, "ablations")
    }


def test_a_file_of_ones_own_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.toml").write_text("seed = 3\n")
    assert read_run_config("paper.toml") == replace(RunConfig(), seed=3)
    assert read_run_config(None) == RunConfig()
    with pytest.raises(OSError, match="absent.toml"):
        read_run_config("absent.toml")
