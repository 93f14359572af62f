"""Corpora put together: nothing is lost, nobody is taken for somebody else."""

from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.joined import joined
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence


def corpus(name: str, licence: str = "CC0") -> Corpus:
    sentences = {"1": Sentence("1", f"A text of {name}.", "i"), "2": Sentence("2", "Another one.")}
    paths = (Scanpath("1", "1", (0, 2)), Scanpath("1", "2", (1,), (200.0,)), Scanpath("2", "2", (0, 1)))
    return Corpus(Card(name=name, licence=licence), sentences, paths, readers={"1": {"group": "L1"}})


def test_ids_carry_the_name_of_their_corpus_and_all_paths_stay() -> None:
    one, two = corpus("one"), corpus("two", "CC BY")
    both = joined([one, two], "both", told={"two": {"task": "sentence"}})
    assert [len(part.scanpaths) for part in (one, two, both)] == [3, 3, 6]
    assert both.reader_ids == ["one/1", "one/2", "two/1", "two/2"]
    assert {sentence.item for sentence in both.sentences.values()} == {"one/i", "one/2", "two/i", "two/2"}
    for path in both.scanpaths:
        assert path.sentence_id in both.sentences
        assert path.reader_id in both.readers
        assert both.sentences[path.sentence_id].sentence_id == path.sentence_id
    assert both.readers == {
        "one/1": {"group": "L1"},
        "one/2": {},
        "two/1": {"group": "L1", "task": "sentence"},
        "two/2": {"task": "sentence"},
    }
    assert (both.name, both.card.licence) == ("both", "CC0; CC BY")


def test_the_same_corpus_twice_is_refused() -> None:
    with pytest.raises(ScandlError, match="joining corpora: found one, one, expected different ones"):
        joined([corpus("one"), corpus("one")], "both")
    with pytest.raises(ScandlError, match="found none"):
        joined([], "none")
