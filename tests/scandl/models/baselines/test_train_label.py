"""The histogram of the training set, whatever the text."""

from __future__ import annotations

import math

import pytest

from scandl.corpora import Card, Corpus
from scandl.models.baselines.train_label import TrainLabelDist
from scandl.records import Positions, Scanpath, Sentence

SENTENCE = Sentence("s1", "one two three four five six")


def corpus(*paths: Positions) -> Corpus:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path) for n, path in enumerate(paths))
    return Corpus(Card(name="tiny"), {"s1": SENTENCE}, scanpaths)


def test_the_probability_of_a_path_is_the_product_of_the_shares_of_its_steps() -> None:
    """Of six events four go one word on, one goes two words on, one is the end."""
    fitted = TrainLabelDist().fit(corpus((0, 1, 2, 4, 5)), seed=1)
    wanted = (2 * math.log(4 / 6)) + math.log(1 / 6)
    row = fitted.rows(SENTENCE)(2, 1)
    assert fitted.rows(SENTENCE)(0, -1) is row  # where the eyes are plays no part
    # Lapses, which keep every human path possible, take a little of it.
    assert fitted.log_prob(SENTENCE, Scanpath("r", "s1", (0, 1))) == pytest.approx(wanted, abs=5e-4)


def test_without_training_every_class_is_as_likely() -> None:
    untrained = TrainLabelDist().fit(corpus(), seed=1)
    assert untrained.log_prob(SENTENCE, Scanpath("r", "s1", (5, 0, 3))) > -math.inf
