"""Longer texts of short ones: every fixation is kept, and what is read again is read again at the end."""

from __future__ import annotations

from collections import Counter

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.longer_texts import one_path, one_sentence, with_longer_texts
from scandl.records import Scanpath, Sentence

TEXTS = ("The cat sat.", "It slept well!", "I saw “NASA.”", "Nobody came.", "Then it rained.", "Alone here.")


def corpus() -> Corpus:
    sentences = {str(n): Sentence(str(n), text, item_id=str(n % 2)) for n, text in enumerate(TEXTS)}
    paths = [
        Scanpath(reader, key, (0, 1, 2 % sentence.n_words, 0), (200.0, 210.0, 220.0, 230.0))
        for reader in ("a", "b")
        for key, sentence in sentences.items()
        if (reader, key) != ("b", "3")
    ]
    return Corpus(Card(name="c"), sentences, (*paths, Scanpath("a", "0", ()), Scanpath("c", "0", (0,))))


def added(given: Corpus, **options: object) -> list[Scanpath]:
    made = with_longer_texts(given, **options)  # type: ignore[arg-type]
    assert made.scanpaths[: len(given.scanpaths)] == given.scanpaths
    assert {p.sentence_id for p in made.scanpaths} <= set(made.sentences)
    return list(made.scanpaths[len(given.scanpaths) :])


def test_a_longer_text_holds_every_word_and_every_fixation_but_the_first_of_later_parts() -> None:
    given = corpus()
    made = with_longer_texts(given, sizes=(2,), without=0)
    paths = added(given, sizes=(2,), without=0)
    # Six sentences of one reader, five of the other, one of whom is left over; a reader of one has no pair.
    assert [path.reader_id for path in paths] == ["a", "a", "a", "b", "b"]
    used = Counter((path.reader_id, key) for path in paths for key in path.sentence_id.split("+"))
    assert set(used.values()) == {1}
    for path in paths:
        first, second = path.sentence_id.split("+")
        n = given.sentences[first].n_words
        own = {p.sentence_id: p for p in given.scanpaths if p.reader_id == path.reader_id and p.words}
        whole = [*own[first].words, *(n + word for word in own[second].words[1:])]
        assert Counter(path.words) == Counter(whole)
        assert made.sentences[path.sentence_id].n_words == n + given.sentences[second].n_words
        assert path.durations is not None
        assert Counter(path.durations) == Counter([200.0, 210.0, 220.0, 230.0, 210.0, 220.0, 230.0])


def test_sizes_take_turns() -> None:
    given = corpus()
    sizes = [
        len(path.sentence_id.split("+"))
        for path in added(given, sizes=(2, 3), without=0)
        if path.reader_id == "a"
    ]
    assert sizes == [2, 3]  # and one sentence is left over


def test_sentences_that_are_joined_were_read_again_about_as_much() -> None:
    sentences = {str(n): Sentence(str(n), "one two three four") for n in range(12)}
    again = [5, 0, 3, 1, 4, 2, 0, 5, 1, 3, 2, 4]
    paths = tuple(Scanpath("r", key, (0, 1, 2, 3, *[1] * n)) for key, n in zip(sentences, again, strict=True))
    made = added(Corpus(Card(name="c"), sentences, paths), sizes=(2,), without=0)
    pairs = [[again[int(key)] for key in path.sentence_id.split("+")] for path in made]
    assert pairs == [[n, n] for n in range(6)]
    made = added(Corpus(Card(name="c"), sentences, paths), sizes=(2,), without=1 / 3)
    assert [[again[int(key)] for key in path.sentence_id.split("+")] for path in made] == pairs[2:]


def test_all_is_read_first_and_then_again_from_the_front_to_the_back() -> None:
    first, second = Scanpath("r", "a", (0, 1, 0)), Scanpath("r", "b", (1, 0, 1, 0))
    assert one_path([first, second], [0, 2], "ab").words == (0, 1, 2, 3, 0, 2)
    alone = Scanpath("r", "b", (1,))  # its only fixation stays
    assert one_path([first, alone, second], [0, 2, 4], "abb").words == (0, 1, 3, 4, 5, 0, 4)
    assert one_path([first, alone], [0, 2], "ab").durations is None


def test_chance_decides_between_equals_and_a_seed_gives_it_again() -> None:
    given = corpus()
    found = {
        path.sentence_id for seed in range(20) for path in added(given, sizes=(2,), without=0, seed=seed)
    }
    assert {"0+1", "1+0"} <= found
    assert with_longer_texts(given, seed=3) == with_longer_texts(given, seed=3)


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
