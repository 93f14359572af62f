"""The last step of an import: nothing is lost without being counted."""

from __future__ import annotations

from collections import Counter

import pytest

from scandl.corpora.corpus import Card
from scandl.corpora.importers.assemble import NOBODY, assemble
from scandl.corpora.importers.filters import Filters
from scandl.corpora.importers.fixations import Gathered
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence

SENTENCES = {key: Sentence(key, "The cat sat.") for key in ("s1", "s2", "s3")}
PATHS = [Scanpath("r1", "s1", (0, 1), (200.0, 90.0)), Scanpath("r2", "s2", (0, 1, 2), (1.0, 2.0, 3.0))]


def gathered(dropped: dict[str, int] | None = None, note: str = "") -> Gathered:
    return Gathered(PATHS, Counter(dropped or {}), note)


def test_what_was_not_read_is_counted_and_what_was_is_kept() -> None:
    readers = {"r1": {"age": "30"}, "r9": {"age": "99"}}
    corpus = assemble(
        Card(name="c", notes="old"), SENTENCES, gathered({"no word": 4}, "new"), readers=readers
    )
    assert corpus.card.dropped == {"no word": 4, NOBODY: 1}
    assert corpus.card.notes == "old; new"
    assert list(corpus.sentences) == ["s1", "s2"]
    assert list(corpus.readers) == ["r1"]
    assert corpus.scanpaths == tuple(PATHS)


def test_filters_count_what_they_take() -> None:
    corpus = assemble(Card(name="c"), SENTENCES, gathered(), Filters(max_fixations=2))
    assert corpus.scanpaths == (PATHS[0],)
    assert sum(corpus.card.dropped.values()) == 3  # a scanpath, and two sentences nobody reads now


def test_nothing_left_says_why() -> None:
    with pytest.raises(ScandlError, match=r"corpus 'c': nothing is left to import \(4 no word\)"):
        assemble(Card(name="c"), SENTENCES, Gathered([], Counter({"no word": 4}), ""))
