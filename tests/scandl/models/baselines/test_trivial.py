"""The histogram of the training set, whatever the text."""

from __future__ import annotations

import math
from collections import Counter
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.baselines.trivial import LeftToRight, SkipShort, TrainLabelDist
from scandl.models.catalogue import BASELINES, model_names, open_model
from scandl.models.model import Request
from scandl.records import Positions, Scanpath, Sentence

SENTENCE = Sentence("s1", "one two three four")


def drawn(name: str, n: int = 4000, n_fixations: int | None = 7, sentence: Sentence = SENTENCE):
    requests = [Request(sentence, "r", k, n_fixations) for k in range(n)]
    return [path.positions for path in open_model(name).read(requests, seed=2)]


@pytest.mark.parametrize(("name", "length"), [("uniform-n", 7), ("uniform-m", 4)])
def test_fixed_lengths(name, length):
    paths = drawn(name)
    assert {len(path) for path in paths} == {length}
    counts = Counter(word for path in paths for word in path)
    assert set(counts) == {0, 1, 2, 3}
    assert max(counts.values()) < 1.05 * min(counts.values())


@pytest.mark.parametrize("name", ["uniform", "uniform-saccade"])
def test_length_is_geometric_and_words_are_equally_likely(name):
    # With M words, words fixated before the end have mean M and P(none) = 1 / (M + 1).
    paths = drawn(name)
    assert fmean(map(len, paths)) == pytest.approx(4.0, abs=0.3)
    assert fmean(not path for path in paths) == pytest.approx(0.2, abs=0.025)
    counts = Counter(word for path in paths for word in path)
    assert max(counts.values()) < 1.1 * min(counts.values())


@pytest.mark.parametrize("name", ["uniform", "uniform-saccade"])
def test_at_most_126_fixations(name):
    paths = drawn(name, n=40, sentence=Sentence("s1", " ".join(["word"] * 500)))
    assert 100 < max(map(len, paths)) <= 126


def test_uniform_n_says_what_it_lacks():
    with pytest.raises(ScandlError, match="uniform-n needs the length of a human path, and sentence 's1'"):
        drawn("uniform-n", n_fixations=None)


THE_CAT = Sentence("s1", "one two three four five six")


def corpus(*paths: Positions) -> Corpus:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path) for n, path in enumerate(paths))
    return Corpus(Card(name="tiny"), {"s1": THE_CAT}, scanpaths)


def test_the_probability_of_a_path_is_the_product_of_the_shares_of_its_steps() -> None:
    """Of six events four go one word on, one goes two words on, one is the end."""
    fitted = TrainLabelDist().fit(corpus((0, 1, 2, 4, 5)), seed=1)
    wanted = (2 * math.log(4 / 6)) + math.log(1 / 6)
    row = fitted.rows(THE_CAT)(2, 1)
    assert fitted.rows(THE_CAT)(0, -1) is row  # where the eyes are plays no part
    # Lapses, which keep every human path possible, take a little of it.
    assert fitted.log_prob(THE_CAT, Scanpath("r", "s1", (0, 1))) == pytest.approx(wanted, abs=5e-4)


def test_without_training_every_class_is_as_likely() -> None:
    untrained = TrainLabelDist().fit(corpus(), seed=1)
    assert untrained.log_prob(THE_CAT, Scanpath("r", "s1", (5, 0, 3))) > -math.inf


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
