"""Digests: the same content has the same key, and any change another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus, read_corpus, write_corpus
from scandl.corpora.corpus_digest import corpus_digest
from scandl.records import Scanpath, Sentence

PATH = Scanpath("r1", "s1", (0, 1), (200.0, 180.0))
CORPUS = Corpus(
    Card(name="one"), {"s1": Sentence("s1", "A cat")}, (PATH,),
    words={"cloze": {"s1": ("0.1", "0.5")}}, readers={"r1": {"age": "30"}},
)  # fmt: skip


def test_it_does_not_depend_on_the_name_or_the_place(tmp_path: Path) -> None:
    write_corpus(CORPUS, tmp_path / "corpus")
    assert corpus_digest(read_corpus(tmp_path / "corpus")) == corpus_digest(CORPUS)
    assert corpus_digest(replace(CORPUS, card=Card(name="two"), folder=tmp_path)) == corpus_digest(CORPUS)


@pytest.mark.parametrize(
    "changed",
    [
        {"scanpaths": (replace(PATH, words=(0, 0)),)},
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
