"""Longer texts of short ones: every fixation is kept, in its place, and rereading comes twice or at the end."""

from __future__ import annotations

from collections import Counter

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.longer_texts import one_path, one_sentence, with_longer_texts
from scandl.records import Scanpath, Sentence

TEXTS = ("The cat sat.", "It slept well!", "I saw “NASA.”", "Nobody came.", "Then it rained.")


def corpus() -> Corpus:
    sentences = {str(n): Sentence(str(n), text, item_id="story") for n, text in enumerate(TEXTS)}
    sentences["other"] = Sentence("other", "Alone here.", item_id="else")
    paths = [
        Scanpath(reader, key, (0, 1, 2 % sentence.n_words, 0), (200.0, 210.0, 220.0, 230.0))
        for reader in ("a", "b")
        for key, sentence in sentences.items()
        if (reader, key) != ("b", "3")
    ]
    return Corpus(Card(name="c"), sentences, tuple(paths))


def test_a_longer_text_holds_every_word_and_every_fixation_but_the_first_of_later_parts() -> None:
    given = corpus()
    made = with_longer_texts(given, sizes=(2,))
    assert list(made.sentences) == [*given.sentences, "0+1", "2+3"]  # the fifth and the other stand alone
    assert made.scanpaths[: len(given.scanpaths)] == given.scanpaths
    added = made.scanpaths[len(given.scanpaths) :]
    # Reader b has not read sentence 3, so nothing is known of 2 and 3 together.
    assert [(p.reader_id, p.sentence_id) for p in added] == [("a", "0+1"), ("b", "0+1"), ("a", "2+3")]
    for path in added:
        first, second = path.sentence_id.split("+")
        n = given.sentences[first].n_words
        own = {p.sentence_id: p for p in given.scanpaths if p.reader_id == path.reader_id}
        whole = [*own[first].words, *(n + word for word in own[second].words[1:])]
        assert Counter(path.words) == Counter(whole)
        assert made.sentences[path.sentence_id].n_words == n + given.sentences[second].n_words
        assert path.durations is not None
        assert Counter(path.durations) == Counter([200.0, 210.0, 220.0, 230.0, 210.0, 220.0, 230.0])


def test_what_is_read_again_comes_at_its_place_or_at_the_end() -> None:
    first, second = Scanpath("r", "a", (0, 1, 0)), Scanpath("r", "b", (1, 0, 1, 0))
    assert one_path([first, second], [0, 2], [False, False], "ab").words == (0, 1, 0, 2, 3, 2)
    assert one_path([first, second], [0, 2], [True, True], "ab").words == (0, 1, 2, 3, 2, 0)
    alone = Scanpath("r", "b", (1,))  # its only fixation stays
    assert one_path([first, alone], [0, 2], [True, False], "ab").words == (0, 1, 3, 0)


def test_both_ways_occur_and_a_seed_gives_them_again() -> None:
    many = corpus()
    ends = {
        path.words[-1]
        for seed in range(20)
        for path in with_longer_texts(many, sizes=(2,), seed=seed).scanpaths[len(many.scanpaths) :]
        if path.sentence_id == "0+1"
    }
    assert ends == {0, 3}  # the first word of the first part, or of the second
    assert with_longer_texts(many, seed=3) == with_longer_texts(many, seed=3)


@pytest.mark.parametrize(
    ("texts", "text"),
    [
        (("It fell.", "Then it broke."), "It fell then it broke."),
        (("He left!", "I stayed."), "He left I stayed."),
        (("They met.", "NASA paid."), "They met NASA paid."),
        (("He said “no.”", "So what?"), "He said “no so what?"),
    ],
)
def test_several_sentences_look_like_one(texts: tuple[str, str], text: str) -> None:
    parts = [Sentence(str(n), own) for n, own in enumerate(texts)]
    assert one_sentence(parts).text == text
