from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.baselines.constant import LeftToRight, SkipShort
from scandl.models.catalogue import BASELINES, model_names, open_model
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence

KNOWN = Sentence("s1", "The old man is waiting here.")


def path(name: str, sentence: Sentence, training: Corpus | None = None) -> tuple[int, ...]:
    generator = open_model(name)
    if training is not None:
        generator = generator.fit(training, seed=1)
    return generator.read([Request(sentence)], seed=1)[0].positions


def test_unknown_name_says_what_was_meant():
    with pytest.raises(ScandlError, match="no model 'markov-txet'; did you mean 'markov-text'"):
        open_model("markov-txet")


def test_every_baseline_has_one_name_and_one_line_about_it():
    names = list(BASELINES)
    assert "uniform" in names
    assert {"left-to-right", "train-label-dist", "markov", "medoid"} <= set(names) < set(model_names())
    for name in names:
        assert open_model(name).about


@given(st.lists(st.text("abc", min_size=1), min_size=1))
def test_every_word_once_in_order(words: list[str]) -> None:
    sentence = Sentence("s", " ".join(words))
    path = LeftToRight().path(sentence)
    assert sorted(path) == list(path)
    assert set(path) == set(range(sentence.n_words))
    assert len(path) == sentence.n_words


def test_by_hand() -> None:
    assert SkipShort().path(Sentence("s1", "The old man is waiting here.")) == (0, 1, 2, 4, 5)
    assert SkipShort().path(Sentence("s2", "I am at it")) == (0, 1, 2, 3)


@given(st.lists(st.text("abc", min_size=1, max_size=6), min_size=1), st.integers(0, 6))
def test_it_skips_what_is_short_unless_all_are(words: list[str], longest: int) -> None:
    sentence = Sentence("s", " ".join(words))
    path = SkipShort(longest).path(sentence)
    longer = tuple(i for i in range(len(words)) if len(words[i]) > longest)
    assert path == longer if longer else path == LeftToRight().path(sentence)


def test_medoid_is_the_most_central_training_path():
    humans = [(0, 1, 2, 3), (0, 1, 2, 4), (5, 5), (0, 1, 2, 3, 4)]
    training = Corpus(
        Card(name="tiny"), {"s1": KNOWN}, tuple(Scanpath(f"r{n}", "s1", p) for n, p in enumerate(humans))
    )
    # Sums of NLD: 1/4 + 1 + 1/5;  1/4 + 1 + 1/5;  3 times 1;  1/5 + 1/5 + 1: the last is nearest.
    assert path("medoid", KNOWN, training) == (0, 1, 2, 3, 4)
    unseen = Sentence("s9", "It is an umbrella")
    assert path("medoid", unseen, training) == path("skip-short", unseen)
