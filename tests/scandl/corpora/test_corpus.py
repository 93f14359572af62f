"""A corpus in memory: what it shows of itself, parts of it, and several joined without mixing ids."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl.config import toml_text
from scandl.corpora import Card, Corpus, read_corpus, write_corpus
from scandl.corpora.corpus import card_table, corpus_digest, joined, read_card
from scandl.corpora.corpus_folder import open_corpus
from scandl.corpora.corpus_statistics import statistics_rows
from scandl.errors import DataError, ScandlError
from scandl.files.results import write_text
from scandl.records import Scanpath, Sentence

ONE = Corpus(Card(name="a<b"), {"s1": Sentence("s1", "A cat")}, (Scanpath("r1", "s1", (0, 1)),))
PATH = Scanpath("r1", "s1", (0, 1), (200.0, 180.0))
CORPUS = Corpus(
    Card(name="one"),
    {"s1": Sentence("s1", "A cat")},
    (PATH,),
    words={"cloze": {"s1": ("0.1", "0.5")}},
    readers={"r1": {"age": "30"}},
)


def test_checksums_and_bibtex_stay_on_the_card(tmp_path: Path) -> None:
    card = Card(name="c", bibtex="@misc{c,\n  title = {C}\n}", checksums={"f (2 files).csv": "ab"})
    write_text(tmp_path / "corpus.toml", toml_text(card_table(card)))
    assert read_card(tmp_path / "corpus.toml") == card
    write_text(tmp_path / "corpus.toml", 'name = "c"\nchecksums = 3\n')
    with pytest.raises(
        DataError, match="column 'checksums': found '3', expected a table of checksums by file"
    ):
        read_card(tmp_path / "corpus.toml")


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


def test_it_does_not_depend_on_the_name_or_the_place(tmp_path: Path) -> None:
    write_corpus(CORPUS, tmp_path / "corpus")
    assert corpus_digest(read_corpus(tmp_path / "corpus")) == corpus_digest(CORPUS)
    assert corpus_digest(replace(CORPUS, card=Card(name="two"), folder=tmp_path)) == corpus_digest(CORPUS)


@pytest.mark.parametrize(
    "changed",
    [
        {"scanpaths": (replace(PATH, positions=(0, 0)),)},
        {"scanpaths": (replace(PATH, durations=(200.0, 181.0)),)},
        {"scanpaths": (replace(PATH, reader_id="r2"),)},
        {"sentences": {"s1": Sentence("s1", "A dog")}},
        {"sentences": {"s1": Sentence("s1", "A cat", "i1")}},
        {"words": {"cloze": {"s1": ("0.1", "0.6")}}},
        {"readers": {"r1": {"age": "31"}}},
    ],
)
def test_any_change_of_content_changes_it(changed: dict[str, object]) -> None:
    assert corpus_digest(replace(CORPUS, **changed)) != corpus_digest(CORPUS)  # type: ignore[arg-type]


def test_a_card_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "corpus.toml"
    path.write_bytes(b'name = "d\xe9mo"')
    with pytest.raises(
        DataError, match=r"corpus.toml: found 'utf-8' codec can't decode .*, expected well-formed TOML"
    ):
        read_card(path)


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
