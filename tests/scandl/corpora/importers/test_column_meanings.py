"""Advice on columns: the flags it gives make the import work."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.corpora.importers import import_csv
from scandl.corpora.importers.importer import add_columns, columns_of
from scandl.errors import ScandlError
from scandl.records import Scanpath

Write = Callable[..., Path]
ROWS = [("VP1", 7, "s1", 1, 31, 200), ("VP1", 7, "s1", 3, 31, 190), ("VP2", 8, "s2", 2, 44, 250)]
TEXTS = [("s1", "Die Tür knarrt.", "easy"), ("s2", "Es regnet.", "hard")]


def test_the_advice_of_one_error_makes_the_import_work(write: Write) -> None:
    fixations = write("f.csv", "Person Blatt Satzname Wortzahl Jahre Länge", ROWS, ",")
    texts = write("s.csv", "Name Wortlaut Schwere", TEXTS, ",")
    with pytest.raises(ScandlError) as caught:
        import_csv(fixations, texts)
    said = str(caught.value)
    assert "\n" not in said
    assert f"{fixations}:1: found only the columns Person, Blatt" in said
    assert f"{texts}:1: found only the columns Name" in said
    parser = argparse.ArgumentParser()
    add_columns(parser)
    args = parser.parse_args(shlex.split(said.split("probably: ")[1]))
    assert args.index_base == 1
    corpus = import_csv(fixations, texts, columns=columns_of(args.column), index_base=args.index_base)
    assert corpus.scanpaths == (Scanpath("VP1", "s1", (0, 2)), Scanpath("VP2", "s2", (1,)))


def test_of_two_columns_that_could_be_meant_the_first_is_proposed(write: Write) -> None:
    fixations = write("f.csv", "Subject Participant sentence_id word_index", [("r", "q", "s1", 0)], ",")
    texts = write("s.csv", "sentence_id text level", TEXTS, ",")
    with pytest.raises(ScandlError, match=re.escape("--column reader_id=Subject")):
        import_csv(fixations, texts)
    assert import_csv(fixations, texts, columns={"reader_id": "Participant"}).scanpaths[0].reader_id == "q"
