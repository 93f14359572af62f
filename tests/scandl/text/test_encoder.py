"""Encoders by name: what is found, and what is said where nothing is."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.text.encoder import find_encoder
from scandl.text.lexical import Lexical


def test_a_folder_does_not_take_the_place_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lexical").mkdir()
    monkeypatch.chdir(tmp_path)
    assert isinstance(find_encoder("lexical"), Lexical)


def test_an_unknown_encoder_says_which_there_are() -> None:
    with pytest.raises(
        ScandlError,
        match="no text encoder 'lexicl'; did you mean 'lexical'\\? known: bert-base-cased, lexical, minilm",
    ):
        find_encoder("lexicl")
