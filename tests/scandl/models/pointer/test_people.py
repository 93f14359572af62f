"""What the shipped model learns from and says of itself."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus, read_corpus
from scandl.models.model import Request
from scandl.models.pointer import people
from scandl.models.pointer.condition import STYLE, styles_of
from scandl.models.pointer.people import (
    make,
    whole_durations,
    with_whole_durations,
    without_return,
    without_returns,
)
from scandl.models.pointer.pointer_model import load_file
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.records import Scanpath, Sentence
from scandl.text.context import ON_PROSE, ContextSource
from scandl.text.word_facts import WordNats


def test_readers_are_told_their_task(four_corpora: list[Corpus]) -> None:
    corpus = people.people(four_corpora)
    assert corpus.readers["provo/x"] == {"group": "L1", "task": "part"}
    assert corpus.readers["provo-passages/x"] == {"group": "L1", "task": "paragraph"}
    assert corpus.readers["reading-brain-l2/y"] == {"task": "sentence"}


def test_single_sentences_are_also_read_as_longer_ones_and_durations_cut_by_the_display_are_not_learned(
    four_corpora: list[Corpus],
) -> None:
    sentences = {
        key: replace(sentence, item_id="story") for key, sentence in four_corpora[0].sentences.items()
    }
    given = [replace(corpus, sentences=sentences) for corpus in four_corpora]
    corpus = people.people(given)
    longer = {key for key in corpus.sentences if "+" in key}
    assert {key.partition("/")[0] for key in longer} == {"reading-brain-l1", "reading-brain-l2"}
    assert {corpus.sentences[key].text for key in longer} <= {
        "The cat sat well, it fell down 3 times.",
        "Well, it fell down 3 times the cat sat.",
    }
    for place, in_part in ((0, "provo/2"), (-1, "provo/1")):
        ms = {path.sentence_id: (path.durations or ())[place] for path in corpus.scanpaths}
        assert {key for key in ms if ms[key] > 0} == {in_part}
    parts = [path for path in corpus.scanpaths if path.sentence_id not in longer]
    assert all(ms > 0 for path in parts for ms in (path.durations or ())[1:-1])


def test_what_is_shown_is_what_readers_did_with_it(four_corpora: list[Corpus]) -> None:
    back = Scanpath("x", "2", (0, 1, 2, 3, 4, 5, 0), (9.0,) * 7)
    given = [replace(corpus, scanpaths=(back,)) for corpus in four_corpora]
    found = {path.reader_id: path.positions for path in people.displays(given).scanpaths}
    assert found.pop("provo/x") == back.positions  # part of a display, whose end is elsewhere
    assert set(found.values()) == {back.positions[:-1]}


def test_readers_of_single_sentences_are_wanted_on_the_way_to_the_other_laboratory(
    four_corpora: list[Corpus],
) -> None:
    paths = tuple(
        replace(path, positions=(0, *path.positions[1:-1], 0)) for path in four_corpora[2].scanpaths
    )
    given = [*four_corpora[:2], replace(four_corpora[2], scanpaths=paths), four_corpora[3]]
    wanted = people.wanted_styles(given)
    own = styles_of(people.displays(given))
    there = np.array(own["provo/x"].values)
    for reader in ("reading-brain-l1/x", "reading-brain-l2/y"):
        np.testing.assert_allclose(wanted[reader], 0.2 * there + 0.8 * np.array(own[reader].values))
    for reader in ("provo/x", "provo-passages/y"):
        np.testing.assert_allclose(wanted[reader], own[reader].values)
    halfway = people.wanted_styles(given, share=0.5)["reading-brain-l1/x"]
    assert halfway[STYLE.index("ends_at")] == 0.5


def test_the_card_counts_what_there_is_and_cites_every_corpus(four_corpora: list[Corpus]) -> None:
    given = four_corpora
    longer = {"1": Sentence("1", "word " * 60)}
    given[-1] = replace(given[-1], sentences=longer, scanpaths=(Scanpath("x", "1", (0,)),))
    card = people.card(given, 12_345)
    assert card["longest_text"] == 60
    assert "12,345 parameters" in card["engine"]
    assert [(c["name"], c["readers"], c["texts"], c["scanpaths"]) for c in card["corpora"]] == [
        ("reading-brain-l1", 2, 2, 4),
        ("reading-brain-l2", 2, 2, 4),
        ("provo and provo-passages", 2, 3, 5),
    ]
    assert all(c["licence"] and c["citation"] for c in card["corpora"])
    assert card["default_group"] in card["groups"]


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
    assert found.positions == (left or words)
    assert found.durations == tuple(float(word) for word in found.positions)
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
    assert [path.positions for path in parts] == [path.positions for path in paths]
    assert [known(path) for path in with_whole_durations(corpus).scanpaths] == [[2.0]] * 4
    assert [path.positions for path in without_returns(corpus).scanpaths] == [(0, 1, 3)] * 4


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


SMALL = PointerConfig(
    network=NetworkConfig(width=16, heads=2, word_layers=1, path_layers=1),
    training=TrainingConfig(steps=3, batch=4, lr=1e-2, ema_decay=0.5, save_every=100, seed=1),
)


def test_a_longer_text_has_the_context_of_its_parts() -> None:
    sentences = {
        key: Sentence(key, text) for key, text in {"c/1": "It is", "c/2": "so", "c/2+1": "so it is"}.items()
    }
    asked: list[str] = []

    def values(texts: Sequence[str]) -> dict[str, WordNats]:
        asked.extend(texts)
        return {t: WordNats(tuple(float(len(w)) for w in t.split()), (1.0,) * len(t.split())) for t in texts}

    source = ContextSource("length", "", values, ON_PROSE, ON_PROSE)
    found = people.contexts(Corpus(Card(name="c"), sentences, ()), source)
    assert asked == ["It is", "so"]
    assert {key: one.surprisal.tolist() for key, one in found.items()} == {
        "c/1": [2.0, 2.0],
        "c/2": [2.0],
        "c/2+1": [2.0, 2.0, 2.0],
    }
    assert found["c/2+1"].known.all()


def test_the_same_corpora_give_the_same_bytes(four_corpora: list[Corpus], tmp_path: Path) -> None:
    one = make(four_corpora, tmp_path / "one.npz", recipe=SMALL, context="none", quiet=True)
    two = make(four_corpora, tmp_path / "two.npz", recipe=SMALL, context="none", quiet=True)
    assert one.read_bytes() == two.read_bytes()
    model = load_file(one)
    assert model.conditions.labels == {"group": ("L1",), "task": ("paragraph", "part", "sentence")}
    assert model.conditions.like("", "paragraph") == ["provo-passages/x", "provo-passages/y"]
    (path,) = model.read([Request(next(iter(four_corpora[0].sentences.values())))], seed=1)
    assert path.durations
    card = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert card["name"] == "people"
    assert len(card["corpora"]) == 3
