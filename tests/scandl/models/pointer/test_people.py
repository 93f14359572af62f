"""What the shipped model learns from and says of itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scandl.corpora import Corpus
from scandl.models.pointer import people
from scandl.models.pointer.style import STYLE, styles_of
from scandl.records import Scanpath, Sentence


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
    found = {path.reader_id: path.words for path in people.displays(given).scanpaths}
    assert found.pop("provo/x") == back.words  # part of a display, whose end is elsewhere
    assert set(found.values()) == {back.words[:-1]}


def test_readers_of_single_sentences_are_wanted_half_way_to_the_other_laboratory(
    four_corpora: list[Corpus],
) -> None:
    paths = tuple(replace(path, words=(0, *path.words[1:-1], 0)) for path in four_corpora[2].scanpaths)
    given = [*four_corpora[:2], replace(four_corpora[2], scanpaths=paths), four_corpora[3]]
    wanted = people.wanted_styles(given)
    own = styles_of(people.displays(given))
    there = np.array(own["provo/x"].values)
    for reader in ("reading-brain-l1/x", "reading-brain-l2/y"):
        np.testing.assert_allclose(wanted[reader], (there + own[reader].values) / 2)
    for reader in ("provo/x", "provo-passages/y"):
        np.testing.assert_allclose(wanted[reader], own[reader].values)
    assert wanted["reading-brain-l1/x"][STYLE.index("ends_at")] == 0.5


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
