"""What the shipped model learns from and says of itself."""

from __future__ import annotations

from dataclasses import replace

from scandl.corpora import Corpus
from scandl.pointer import people
from scandl.records import Scanpath, Sentence


def test_readers_are_told_their_task_and_the_same_person_is_drawn_once(four_corpora: list[Corpus]) -> None:
    corpus = people.people(four_corpora)
    assert corpus.readers["provo/x"] == {"group": "L1", "task": "paragraph"}
    assert corpus.readers["reading-brain-l2/y"] == {"task": "sentence"}
    pool = people.pool(corpus)
    assert len(pool) == len(set(pool)) == 6
    assert not any(reader.startswith("provo-passages") for reader in pool)


def test_the_card_counts_what_there_is_and_cites_every_corpus(four_corpora: list[Corpus]) -> None:
    given = four_corpora
    longer = {"1": Sentence("1", "word " * 60)}
    given[-1] = replace(given[-1], sentences=longer, scanpaths=(Scanpath("x", "1", (0,)),))
    card = people.card(given, 12_345)
    assert card["longest_text"] == 60
    assert "12,345 parameters" in card["engine"]
    assert [(c["name"], c["readers"], c["texts"], c["scanpaths"]) for c in card["corpora"]] == [
        ("reading-brain-l1", 2, 2, 4), ("reading-brain-l2", 2, 2, 4), ("provo and provo-passages", 2, 3, 5),
    ]  # fmt: skip
    assert all(c["licence"] and c["citation"] for c in card["corpora"])
    assert card["default_group"] in card["groups"]
