"""Sequences of SWIFT."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError
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


SEQUENCE = """1 1 3.5 210 20 1
1 2 2.1 180 19 0
1 3 4.0 250 0 2
2 1 2 199 21 1
2 5 1 150 0 2
"""


def test_a_swift_sequence(tmp_path):
    imported = read(tmp_path, "swift-sequence", SEQUENCE, model="SWIFT", setting="ns", fold="2")
    first, second = imported.predictions
    assert (first.sentence_id, first.predicted, first.durations) == ("x1", (0, 1, 2), (210, 180, 250))
    assert (second.sentence_id, second.predicted) == ("x2", (0, 4))
    assert (first.model, first.setting, first.fold) == ("SWIFT", "ns", "2")
    assert imported.notes == []


def test_repeated_seeds_are_noticed(tmp_path):
    imported = read(tmp_path, "swift-sequence", SEQUENCE * 3)
    assert [p.sample for p in imported.predictions] == [0, 0, 1, 1, 2, 2]
    assert imported.notes[0].startswith(
        "2 of 6 trials repeat an earlier trial of the sentence to the millisecond"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1 3.5 210 20\n", r":1: found 5 columns, expected six: sentence, word, letter"),
        ("1 0 3.5 210 20 1\n", r":1: column 'word': found 0, expected a position 1\.\.3"),
        ("3 1 3.5 210 20 1\n", r":1: column 'sentence': found '3', expected 1\.\.2"),
        ("1 1 3.5 210 20 0\n", r":1: column 'flag': found '0', expected 1 first"),
        (
            "1 1 3.5 210 20 1\n2 1 3.5 210 20 2\n",
            r":2: column 'sentence': found '2', expected the same sentence",
        ),
        ("1 1 3.5 -5 20 1\n", r":1: column 'fixation_ms': found '-5', expected milliseconds from 0"),
        ("\n", "an empty file"),
    ],
)
def test_broken_sequences_name_the_place(tmp_path, text, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, "swift-sequence", text)
