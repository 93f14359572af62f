"""Texts of one's own: numbered by their line, and faults named by it."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from scandl.cli.text_flags import add_texts, sentences_of, texts_given
from scandl.errors import ScandlError


def asked(*flags: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_texts(parser)
    return parser.parse_args(flags)


def test_a_sentence_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("\ufeffOne  line.\r\n\n  \nAnother.".encode())
    found = sentences_of(asked("--text-file", str(tmp_path / "t.txt")))
    assert [(s.sentence_id, s.text) for s in found] == [("t1", "One line."), ("t4", "Another.")]


def test_texts_are_numbered_in_order() -> None:
    args = asked("--text", "A cat.", "--text", "A dog.")
    assert texts_given(args)
    assert not texts_given(asked())
    assert [(s.sentence_id, s.text) for s in sentences_of(args)] == [("t1", "A cat."), ("t2", "A dog.")]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "the text is empty: there is nothing to read"),
        ("schön".encode("latin-1"), "t.txt:1: found byte 0xf6 that is not UTF-8, expected UTF-8 text"),
        (
            None,
            "found no file, expected a file of texts: one a line, or .csv, .jsonl or .parquet with a column text",
        ),
    ],
)
def test_files_that_are_no_texts(content: bytes | None, text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ScandlError) as caught:
        sentences_of(asked("--text-file", str(path)))
    assert str(caught.value).endswith(text)
