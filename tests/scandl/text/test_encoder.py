"""Encoders by name: what is found, what is said where nothing is; the lexical one's vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.text.encoder import Lexical, find_encoder


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


def test_the_lexical_encoder_is_a_piece_a_word() -> None:
    encoded = Lexical().encode(["The", "cat", "sat."])
    assert encoded.word_ids == (0, 1, 2, 3, 4)
    assert encoded.vectors.shape == (5, Lexical.dim)
    assert encoded.n_words == 3
    again = Lexical().encode(["cat"]).vectors[1]
    np.testing.assert_array_equal(encoded.vectors[2], again)  # no context


def test_similar_spellings_have_similar_vectors() -> None:
    walk, walked, zebra = (Lexical().encode([word]).vectors[1, :56] for word in ("walk", "walked", "zebra"))
    assert walk @ walked > walk @ zebra


def test_longer_and_rarer_words_differ_in_the_features_that_say_so() -> None:
    the, longer = Lexical().encode(["the", "extraordinarily"]).vectors[1:3]
    assert longer[58] > the[58]  # length
    assert longer[59] < the[59]  # frequency
