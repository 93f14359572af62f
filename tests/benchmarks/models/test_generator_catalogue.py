"""Every generator by name: probabilities sum to one, learning helps, company changes nothing."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import pytest

from scandl.corpora import Card, Corpus
from scandl.generators import Request
from scandl.records import Positions, Scanpath, Sentence
from scandl_eval.models.generator_catalogue import baseline_names, find_generator

WITH_LIKELIHOOD = ("uniform-until-end", "uniform-45", "train-label-dist", "markov", "markov-text")

SENTENCE = Sentence("new", "We understood it.")


def corpus(*paths: Positions, text: str = "The old man is waiting here.") -> Corpus:
    scanpaths = tuple(Scanpath(f"r{n}", "s1", path, (200.0,) * len(path)) for n, path in enumerate(paths))
    return Corpus(Card(name="tiny"), {"s1": Sentence("s1", text)}, scanpaths)


TRAINING = corpus((0, 1, 2, 4, 5), (0, 2, 1, 2, 3, 5), (1, 1, 4, 0, 5), (0, 1, 3, 4), (0, 2, 5, 3))


@pytest.mark.parametrize("name", WITH_LIKELIHOOD)
def test_probabilities_of_all_paths_sum_to_one(name):
    generator = find_generator(name)().fit(TRAINING, seed=1)
    sentence = Sentence("new", "We understood.")
    by_length = []
    for n in range(12):
        paths = [Scanpath("r", "new", words) for words in product(range(2), repeat=n)]
        by_length.append(math.fsum(math.exp(generator.log_prob(sentence, path)) for path in paths))
    remaining = 1.0 - math.fsum(by_length)
    # What is left is the mass of longer paths, which decays geometrically.
    assert 0 < remaining < 0.15
    assert remaining == pytest.approx(
        by_length[-1] * (by_length[-1] / by_length[-2]) / (1 - by_length[-1] / by_length[-2]), rel=0.3
    )


@pytest.mark.parametrize("name", WITH_LIKELIHOOD)
def test_frequencies_of_drawn_paths_match_their_probability(name):
    generator = find_generator(name)().fit(TRAINING, seed=1)
    n = 6000
    drawn = Counter(
        path.words for path in generator.generate([Request(SENTENCE, "r", k) for k in range(n)], seed=3)
    )
    chi, cells = 0.0, 0
    for words, count in drawn.most_common(25):
        expected = n * math.exp(generator.log_prob(SENTENCE, Scanpath("r", "new", words)))
        if expected > 20:
            chi, cells = chi + (count - expected) ** 2 / expected, cells + 1
    assert cells >= 3
    assert chi < cells + 5 * math.sqrt(2 * cells)  # five standard deviations of a chi-square


@pytest.mark.parametrize("name", WITH_LIKELIHOOD)
def test_no_human_path_is_impossible(name):
    generator = find_generator(name)().fit(corpus((0, 1)), seed=1)
    long_text = Sentence("long", " ".join(["word"] * 60))
    for words in ((), (59, 0), (30, 2, 59), (0,) * 80, tuple(range(60))):
        assert math.isfinite(generator.log_prob(long_text, Scanpath("r", "long", words)))


@pytest.mark.parametrize("name", [n for n in WITH_LIKELIHOOD if n not in ("uniform-until-end", "uniform-45")])
def test_learning_raises_the_likelihood_of_what_was_learned(name):
    generator = find_generator(name)
    before, after = generator().fit(corpus(), seed=1), generator().fit(TRAINING, seed=1)
    sentence = TRAINING.sentences["s1"]
    for path in TRAINING.scanpaths:
        assert after.log_prob(sentence, path) > before.log_prob(sentence, path)


@pytest.mark.parametrize("name", baseline_names())
def test_every_baseline_is_reproducible_and_independent_of_company(name):
    try:
        generator = find_generator(name)().fit(TRAINING, seed=1)
    except ModuleNotFoundError as missing:
        pytest.skip(str(missing))
    requests = [Request(SENTENCE, "r", k, n_fixations=4) for k in range(6)]
    together = generator.generate(requests, seed=5)
    assert together == generator.generate(requests, seed=5)
    assert [generator.generate([request], seed=5)[0] for request in requests] == together
    assert all(0 <= word < SENTENCE.n_words for path in together for word in path.words)
    assert [path.sentence_id for path in together] == ["new"] * 6
