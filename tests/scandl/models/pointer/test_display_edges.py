"""What displays do to paths is left out, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import Card, Corpus, read_corpus
from scandl.models.pointer.display_edges import (
    whole_durations,
    with_whole_durations,
    without_return,
    without_returns,
)
from scandl.records import Scanpath, Sentence

TIMES = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)


def known(path: Scanpath) -> list[float]:
    return [ms for ms in path.durations or () if not math.isnan(ms)]


def test_durations_at_the_edges_of_a_display_and_on_its_last_word_are_not_the_readers() -> None:
    path = Scanpath("x", "1", (0, 1, 3, 1, 3, 0, 1), TIMES)
    assert known(whole_durations(path, 4)) == [2.0, 4.0, 6.0]
    assert known(whole_durations(path, 4, begins=False)) == [1.0, 2.0, 4.0, 6.0]
    assert known(whole_durations(path, 4, ends=False)) == [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]
    assert known(whole_durations(Scanpath("x", "1", (0,), (200.0,)), 4)) == []
    assert whole_durations(Scanpath("y", "1", (0,)), 4).durations is None


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ((0, 1, 2, 5, 8, 0), (0, 1, 2, 5, 8)),  # to the next display
        ((0, 1, 2, 5, 8, 1, 0), (0, 1, 2, 5, 8)),
        ((0, 1, 2, 5, 8, 5), (0, 1, 2, 5, 8)),  # exactly a third
        ((0, 1, 2, 5, 8, 6), None),  # nearer: read again
        ((0, 1, 2, 5, 8, 0, 1, 2), None),  # more fixations: read again
        ((0, 1, 2, 5, 8), None),
        ((8, 0), None),  # nothing would be left of the reading
        ((8,), None),
    ],
)
def test_a_path_ends_before_the_eyes_go_to_the_next_display(
    words: tuple[int, ...], left: tuple[int, ...] | None
) -> None:
    path = Scanpath("x", "1", words, tuple(float(word) for word in words))
    found = without_return(path, 9)
    assert found.words == (left or words)
    assert found.durations == tuple(float(word) for word in found.words)
    assert without_return(Scanpath("x", "1", words), 9).durations is None


def test_where_texts_are_parts_of_a_display_its_first_and_last_part_have_the_edges() -> None:
    sentences = {
        key: Sentence(key, "one two three four", item_id=item)
        for key, item in (("1", "a"), ("2", "a"), ("3", "a"), ("4", "b"))
    }
    paths = tuple(Scanpath("x", key, (0, 1, 3, 0), (1.0, 2.0, 3.0, 4.0)) for key in sentences)
    corpus = Corpus(Card(name="c"), sentences, paths)
    parts = with_whole_durations(corpus, parts=True).scanpaths
    assert [known(path) for path in parts] == [[2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [1.0, 2.0], [2.0]]
    assert [path.words for path in parts] == [path.words for path in paths]
    assert [known(path) for path in with_whole_durations(corpus).scanpaths] == [[2.0]] * 4
    assert [path.words for path in without_returns(corpus).scanpaths] == [(0, 1, 3)] * 4


@pytest.mark.parametrize(
    ("name", "at_least", "at_most"),
    [
        ("reading-brain-l1", 0.25, 0.4),
        ("provo-passages", 0.2, 0.35),
        ("schilling", 0, 0.03),
        ("mertzen", 0, 0.06),
    ],
)
def test_returns_are_of_displays_that_follow_each_other(
    shared: Callable[[str], Path], name: str, at_least: float, at_most: float
) -> None:
    """Where a cross stands between two displays, paths do not end so: it is no way of reading."""
    corpus = read_corpus(shared(name))
    found = np.mean(
        [
            without_return(path, corpus.sentences[path.sentence_id].n_words) != path
            for path in corpus.scanpaths
        ]
    )
    assert at_least <= found <= at_most
