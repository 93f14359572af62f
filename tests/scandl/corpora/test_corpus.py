"""A corpus in memory: what it shows of itself, and parts of it."""

from __future__ import annotations

from scandl.corpora import Card, Corpus
from scandl.corpora.catalogue import open_corpus
from scandl.corpora.corpus_statistics import statistics_rows
from scandl.records import Scanpath, Sentence

ONE = Corpus(Card(name="a<b"), {"s1": Sentence("s1", "A cat")}, (Scanpath("r1", "s1", (0, 1)),))


def test_it_shows_itself_in_one_line() -> None:
    assert repr(open_corpus("demo")) == "<Corpus demo: 30 simulated readers, 80 sentences, 2,140 scanpaths>"
    assert repr(ONE) == "<Corpus a<b: 1 reader, 1 sentence, 1 scanpath>"


def test_a_notebook_shows_the_statistics() -> None:
    demo = open_corpus("demo")
    page = demo._repr_html_()
    for name, value in statistics_rows(demo):
        assert f"<tr><td>{name}</td><td>{value}</td></tr>" in page
    assert "a&lt;b" in ONE._repr_html_()
    assert Corpus(Card(name="empty"), {}, ())._repr_html_().endswith("<table></table>")


def test_a_part_has_only_what_was_read() -> None:
    demo = open_corpus("demo")
    pair = (demo.scanpaths[0].reader_id, demo.scanpaths[0].sentence_id)
    part = demo.restricted_to([pair])
    assert part.scanpaths == demo.scanpaths[:1]
    assert list(part.sentences) == [pair[1]]
    assert all(list(by_sentence) == [pair[1]] for by_sentence in part.words.values())
