"""Longer texts of short ones: every fixation is kept, and what is read again is read again as people do."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def added(short: Corpus, **options: object) -> list[Scanpath]:
    made = with_longer_texts(short, **options)  # type: ignore[arg-type]
    assert made.scanpaths[: len(short.scanpaths)] == short.scanpaths
    assert {p.sentence_id for p in made.scanpaths} <= set(made.sentences)
    return list(made.scanpaths[len(short.scanpaths) :])


def test_a_longer_text_holds_every_word_and_every_fixation_but_the_first_of_later_parts() -> None:
    short = corpus()
    made = with_longer_texts(short, sizes=(2,), without=0)
    paths = added(short, sizes=(2,), without=0)
    # Six sentences of one reader, five of the other, one of whom is left over; a reader of one has no pair.
    assert [path.reader_id for path in paths] == ["a", "a", "a", "b", "b"]
    used = Counter((path.reader_id, key) for path in paths for key in path.sentence_id.split("+"))
    assert set(used.values()) == {1}
    for path in paths:
        first, second = path.sentence_id.split("+")
        n = short.sentences[first].n_words
        own = {p.sentence_id: p for p in short.scanpaths if p.reader_id == path.reader_id and p.positions}
        whole = [*own[first].positions, *(n + word for word in own[second].positions[1:])]
        assert Counter(path.positions) == Counter(whole)
        assert made.sentences[path.sentence_id].n_words == n + short.sentences[second].n_words
        assert path.durations is not None
        assert Counter(path.durations) == Counter([200.0, 210.0, 220.0, 230.0, 210.0, 220.0, 230.0])


@given(st.lists(st.lists(st.integers(0, 8), min_size=1, max_size=15), min_size=2, max_size=4), st.booleans())
def test_nothing_of_a_reading_is_lost_and_what_is_added_was_read_the_first_time(
    own: list[list[int]], at_once: bool
) -> None:
    starts = [9 * n for n in range(len(own))]
    paths = [
        Scanpath("r", str(n), tuple(words), tuple(100.0 * n + k for k in range(len(words))))
        for n, words in enumerate(own)
    ]
    made = one_path(paths, starts, "all", at_once=at_once)
    assert made.durations is not None
    found = Counter(zip(made.positions, made.durations, strict=True))
    kept = [
        [(start + word, 100.0 * n + k) for k, word in enumerate(words)][int(n > 0 and len(words) > 1) :]
        for n, (start, words) in enumerate(zip(starts, own, strict=True))
    ]
    whole = Counter(fixation for part in kept for fixation in part)
    assert not whole - found
    for word, ms in found - whole:
        part = kept[word // 9]
        furthest = max(part, key=lambda fixation: (fixation[0], -fixation[1]))
        assert ms <= furthest[1]  # it belongs to the first reading of its part
    # Until the last part is reached nothing of a part is read before the part before it.
    first_seen = [min(k for k, word in enumerate(made.positions) if word // 9 == n) for n in range(len(own))]
    assert first_seen == sorted(first_seen)


def test_sizes_take_turns() -> None:
    short = corpus()
    sizes = [
        len(path.sentence_id.split("+"))
        for path in added(short, sizes=(2, 3), without=0)
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


LONG = Scanpath("r", "a", (0, 2, 4, 5, 2, 0, 1))  # reads six words, goes back to the first, and on
OTHER = Scanpath("r", "b", (0, 1, 3, 5, 3, 1, 3))


def test_the_eyes_go_back_through_all_parts_and_read_them_again_from_the_front() -> None:
    made = one_path([LONG, OTHER], [0, 6], "ab").positions
    read, back = (0, 2, 4, 5, 7, 9, 11), (9, 7, 2, 0)
    # From word 1 to word 9 of the whole all is read as it was the first time.
    assert made == (*read, *back, 1, *(2, 4, 5, 7), 9)


def test_the_eyes_may_leap_over_the_last_part_and_read_it_again_when_they_come_to_its_end() -> None:
    made = one_path([LONG, OTHER], [0, 6], "ab", at_once=True).positions
    assert made == (*(0, 2, 4, 5, 7, 9, 11), *(2, 0), 1, *(2, 4, 5, 7), *(9, 7, 9))


def test_a_look_back_at_the_end_of_a_part_stays_there() -> None:
    look = Scanpath("r", "a", (0, 2, 5, 4, 5))
    assert one_path([look, OTHER], [0, 6], "ab").positions == (0, 2, 5, 4, 5, 7, 9, 11, 9, 7, 9)
    # In the last part it is one from the end of all.
    assert one_path([LONG, look], [0, 6], "ab").positions == (0, 2, 4, 5, 8, 11, 10, 2, 0, 1, 2, 4, 5, 8, 11)


def test_parts_read_once_or_without_times() -> None:
    first, second = Scanpath("r", "a", (0, 1, 0)), Scanpath("r", "b", (1, 0, 1, 0))
    assert one_path([first, second], [0, 2], "ab").positions == (0, 1, 2, 3, 2, 0)
    alone = Scanpath("r", "b", (1,))  # its only fixation stays
    assert one_path([first, alone, second], [0, 2, 4], "abb").positions == (0, 1, 3, 4, 5, 4, 0)
    assert one_path([first, alone], [0, 2], "ab").durations is None


def test_chance_decides_between_equals_and_a_seed_gives_it_again() -> None:
    short = corpus()
    found = {
        path.sentence_id for seed in range(20) for path in added(short, sizes=(2,), without=0, seed=seed)
    }
    assert {"0+1", "1+0"} <= found
    assert with_longer_texts(short, seed=3) == with_longer_texts(short, seed=3)


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
