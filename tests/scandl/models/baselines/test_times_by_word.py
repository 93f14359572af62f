"""Durations by word: coefficients against statsmodels-like truth, draws against the fitted model."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.baselines.times_by_word import (
    TimesByWord,
    fit_durations,
    fixation_features,
    reader_deviations,
)
from scandl.models.baselines.trivial import LeftToRight
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence
from scandl.text.word_facts import Lexicon

TRUTH = (5.0, 0.03, -0.02, -0.15, 0.10)
TEXTS = ("The old man is waiting for his boat.", "Nobody understood the remarkable explanation.")
SENTENCES = {f"s{k}": Sentence(f"s{k}", text) for k, text in enumerate(TEXTS)}


def timed_corpus(n_readers=30, sd=0.25, reader_sd=0.2, seed=1):
    """Readers whose durations follow the model with known coefficients."""
    rng = np.random.default_rng(seed)
    lexicon, paths = Lexicon(), []
    for reader in range(n_readers):
        deviation = rng.normal(0, reader_sd)
        for key, sentence in SENTENCES.items():
            words = tuple(rng.integers(0, sentence.n_words, 30).tolist())
            rows = np.array(fixation_features(words, sentence, lexicon))
            logs = (rows * TRUTH).sum(axis=1) + deviation + rng.normal(0, sd, len(words))
            paths.append(Scanpath(f"r{reader}", key, words, tuple(np.exp(logs).tolist())))
    return Corpus(Card(name="timed"), SENTENCES, tuple(paths))


def test_known_coefficients_and_spreads_come_back():
    model = fit_durations(timed_corpus(n_readers=150))
    assert model.coefficients[1:] == pytest.approx(TRUTH[1:], abs=0.02)
    assert model.coefficients[0] == pytest.approx(TRUTH[0], abs=0.08)
    assert model.sd == pytest.approx(0.25, rel=0.03)
    assert model.reader_sd == pytest.approx(0.2, rel=0.15)


def test_coefficients_solve_the_normal_equations():
    corpus = timed_corpus(n_readers=5)
    model = fit_durations(corpus)
    rows = [
        (features, math.log(ms))
        for path in corpus.scanpaths
        for features, ms in list(
            zip(
                fixation_features(path.positions, SENTENCES[path.sentence_id], model.lexicon),
                path.durations,
                strict=True,
            )
        )[1:]
    ]
    x, y = np.array([features for features, _ in rows]), np.array([log for _, log in rows])
    assert model.coefficients == pytest.approx(np.linalg.solve(x.T @ x, x.T @ y).tolist(), abs=1e-9)


def test_deviations_are_shrunken_means():
    residuals, readers = np.array([0.5, 0.7, -0.5, -0.7, 0.1, -0.1]), ["a", "a", "b", "b", "c", "c"]
    found, between, within = reader_deviations(residuals, readers)
    tau, sigma = between**2, within**2
    assert sigma == pytest.approx(0.06 / 3)
    assert tau == pytest.approx(0.36 - sigma / 2)
    assert found == pytest.approx({"a": 0.6 * tau / 0.36, "b": -0.6 * tau / 0.36, "c": 0.0})


def requests(readers, samples=1):
    return [Request(s, r, k) for s in SENTENCES.values() for r in readers for k in range(samples)]


def test_durations_are_those_of_the_model():
    """Means and spread over many draws of one fixation are those of the fitted log-normal."""
    model = fit_durations(timed_corpus())
    generator = TimesByWord(LeftToRight(), model)
    paths = generator.read([Request(SENTENCES["s0"], "r3", k) for k in range(4000)], seed=1)
    logs = np.log([path.durations for path in paths])
    rows = np.array(fixation_features(tuple(range(8)), SENTENCES["s0"], model.lexicon))
    expected = (rows * model.coefficients).sum(axis=1) + model.deviations["r3"]
    assert logs.mean(axis=0) == pytest.approx(expected, abs=0.02)
    assert logs.std(axis=0) == pytest.approx(np.full(8, model.sd), rel=0.05)


def test_an_unknown_reader_keeps_the_pace_and_company_changes_nothing():
    generator = TimesByWord(LeftToRight()).fit(timed_corpus(), seed=1)
    together = generator.read(requests(["new", "r1"], samples=3), seed=4)
    alone = [generator.read([request], seed=4)[0] for request in requests(["new", "r1"], samples=3)]
    assert together == alone
    new = generator.model
    assert new.deviation("new", 4) == new.deviation("new", 4) != new.deviation("newer", 4)
    drawn = [new.deviation(f"n{k}", 4) for k in range(500)]
    assert np.std(drawn) == pytest.approx(new.reader_sd, rel=0.1)


def test_any_generator_has_a_timed_name():
    generator = open_model("left-to-right+times-by-word").fit(timed_corpus(), seed=1)
    path = generator.read(requests(["r1"]), seed=1)[0]
    assert path.positions == tuple(range(8))
    assert len(path.durations) == 8
    with pytest.raises(ScandlError, match="no model 'markof'; did you mean 'markov'"):
        open_model("markof+times-by-word")
    with pytest.raises(ScandlError, match="no model 'markov\\+times'"):
        open_model("markov+times")


def test_an_empty_path_has_no_durations():
    model = fit_durations(timed_corpus(n_readers=3))
    assert model.draw(Scanpath("r1", "s0", ()), Request(SENTENCES["s0"], "r1"), seed=1) == ()


def test_what_cannot_be_is_said():
    with pytest.raises(ScandlError, match="found 0 fixations with durations in corpus 'timed', expected 50"):
        fit_durations(Corpus(Card(name="timed"), SENTENCES, (Scanpath("r", "s0", (0, 1)),)))
    with pytest.raises(ScandlError, match="times-by-word needs training before it reads"):
        TimesByWord(LeftToRight()).read(requests(["r1"]), seed=1)


def test_durations_of_a_generators_own_are_replaced():
    """So a model's times can be judged against these on the very same paths."""
    once, twice = (
        base.fit(timed_corpus(), seed=1).read(requests(["r1"]), seed=1)
        for base in (TimesByWord(LeftToRight()), TimesByWord(TimesByWord(LeftToRight())))
    )
    assert once == twice
