"""Trials of any importer: whether numbers count from 0 or from 1 is asked, never guessed."""

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


def trace(*rows, comma=False):
    text = "".join(
        f"{f'sent: {s} ' if s is not None else ''}dur: {d} pos: {p} word: {w} {t}\n" for s, d, p, w, t in rows
    )
    return text.replace(".", ",") if comma else text


PLAIN = [
    (None, "210.5", "3.5", 0, "Sally"),
    (None, "180.0", "9.2", 1, "walked"),
    (None, "200.0", "2.0", 0, "We"),
    (None, "Infinity", "12.5", 3, "old"),
]


@pytest.mark.parametrize("kind", ["swift-sequence", "baseline-pickle", "baseline-table"])
def test_a_base_is_taken_only_where_it_is_used(tmp_path, kind):
    with pytest.raises(ScandlError, match=f"--index-base goes with ezreader-trace alone: {kind} says what"):
        read(tmp_path, kind, "", index_base=1)
    with pytest.raises(DataError, match="column 'sent': found fixations without a sentence number"):
        read(tmp_path, "ezreader-trace", trace(*PLAIN), index_base=1)


def test_sentence_numbers_that_could_count_from_0_or_1_are_asked_for(tmp_path):
    corpus = Corpus(Card(name="three"), SENTENCES | {"x3": Sentence("x3", "So it is.")}, ())
    path = tmp_path / "three.txt"
    path.write_text(trace((1, "200.0", "2.0", 0, "We"), (2, "200.0", "2.0", 0, "So")))
    with pytest.raises(DataError, match="a count from 0 and from 1, expected --index-base 0 or 1"):
        import_baseline("ezreader-trace", path, corpus)
    imported = import_baseline("ezreader-trace", path, corpus, index_base=0)
    assert [p.sentence_id for p in imported.predictions] == ["x2", "x3"]
