"""Importers of the output of other programs, by kind."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError, ScandlError
from scandl.models.cognitive.importers import import_baseline
from scandl.records import Sentence

SENTENCES = {
    "x1": Sentence("x1", "Sally walked home."),  # centres 3.5, 10, 16; ends at 19
    "x2": Sentence("x2", "We met an old man."),
}

CORPUS = Corpus(Card(name="two"), SENTENCES, ())


def read(tmp_path, kind, text, **options):
    path = tmp_path / "out.txt"
    path.write_text(text)
    return import_baseline(kind, path, CORPUS, **options)


def test_an_unknown_kind_says_what_there_is(tmp_path):
    with pytest.raises(ScandlError, match="no importer 'swift-sequences'; did you mean 'swift-sequence'?"):
        read(tmp_path, "swift-sequences", "")


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises((DataError, OSError)):
        import_baseline("ezreader-trace", tmp_path / "none.txt", CORPUS)
