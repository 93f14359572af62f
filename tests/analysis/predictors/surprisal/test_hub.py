"""Finding a model's files without waiting for a network that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl_analysis.predictors.surprisal.hub import model_folder

constants = pytest.importorskip("huggingface_hub.constants", reason="scandl[model] is not installed")


def test_a_downloaded_model_is_found_with_its_revision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    root = tmp_path / "models--gpt2"
    snapshot = root / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (root / "refs").mkdir()
    (root / "refs" / "main").write_text("a" * 40)
    (snapshot / "config.json").write_text("{}")
    (snapshot / "model.safetensors").write_text("")
    assert model_folder("gpt2") == (snapshot, "a" * 40)


def test_a_folder_is_itself(tmp_path: Path) -> None:
    assert model_folder(str(tmp_path)) == (tmp_path, None)
