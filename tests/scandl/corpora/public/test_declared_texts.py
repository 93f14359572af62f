"""Texts by each declared way, against what they must be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora.public.declaration import Declaration, declared
from scandl.corpora.public.declared_texts import read_texts
from scandl.errors import DataError

Write = Callable[..., Path]


def declaration(texts: str, more: str = "") -> Declaration:
    return declared(
        f'title = "T"\nobtain = "o"\n{more}\n[[texts]]\nfiles = "t*.tsv"\n{texts}\n'
        '[fixations]\nfiles = "f"\ncolumns = {}\n',
        "made-up",
    )


def test_a_table_of_words_has_numbers_and_predictors(write: Write, tmp_path: Path) -> None:
    rows = [("s2", 5, "ran!", 1), ("s2", 4, "He", 2), ("s1", 1, "NA", 3)]
    write("t.tsv", "id n w freq", rows)
    way = 'columns = { sentence_id = "id", word_index = "n", word = "w" }\nwords = { frequency = "freq" }'
    found = read_texts(declaration(way, "item_id = 's(.)'"), tmp_path, [])
    assert {key: (s.text, s.item_id) for key, s in found.sentences.items()} == {
        "s2": ("He ran!", "2"),
        "s1": ("NA", "1"),
    }
    assert found.first == {"s2": 4, "s1": 1}
    assert found.words == {"frequency": {"s2": ("2", "1"), "s1": ("3",)}}


def test_words_without_numbers_stand_in_order(write: Write, tmp_path: Path) -> None:
    write("t.tsv", "id w", [("1.0", "He"), ("2", "Yes."), ("1", "ran!")])
    way = 'columns = { sentence_id = "id", word = "w" }'
    found = read_texts(declaration(way), tmp_path, [])
    assert {key: s.text for key, s in found.sentences.items()} == {"1": "He ran!", "2": "Yes."}


def test_a_table_of_texts_keeps_what_else_is_declared(write: Write, tmp_path: Path) -> None:
    write("t.tsv", "id words cond", [("s1", "word", "hard")])
    way = 'columns = { sentence_id = "id", text = "words", condition = "cond" }'
    found = read_texts(declaration(way, "[marks]\nshort = 's.'\n"), tmp_path, [])
    assert found.sentences["s1"].extra == {"condition": "hard", "short": "1"}


def test_texts_that_no_way_finds(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"found no table of the texts, expected t\*\.tsv"):
        read_texts(declaration("lines = true"), tmp_path, [])
