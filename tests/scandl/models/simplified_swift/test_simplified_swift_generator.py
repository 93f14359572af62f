"""The baseline: fitted to a fold, drawing, and judging human paths."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import ks_2samp

from scandl.corpora import Card, Corpus, read_corpus
from scandl.corpora.demo import FOLDER
from scandl.errors import ScandlError
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.models.simplified_swift.path_likelihood import log_likelihood
from scandl.models.simplified_swift.simplified_swift_generator import PathBoundaries, SimplifiedSwift, Stage
from scandl.records import Scanpath, Sentence


@pytest.fixture(scope="module")
def demo() -> Corpus:
    whole = read_corpus(FOLDER)
    return whole.restricted_to(
        {(p.reader_id, p.sentence_id) for p in whole.scanpaths if p.reader_id in ("r03", "r10", "r23")}
    )


@pytest.fixture(scope="module")
def by_reader(demo: Corpus) -> SimplifiedSwift:
    return SimplifiedSwift(per_reader=True).fit(demo, seed=1)


@pytest.fixture(scope="module")
def fitted(by_reader: SimplifiedSwift) -> SimplifiedSwift:
    return replace(by_reader, per_reader=False, of_reader={})


def test_is_registered_and_has_a_likelihood() -> None:
    made = open_model("simplified-swift")
    assert isinstance(made, SimplifiedSwift)
    assert made.likelihood


def test_readers_are_imitated_one_by_one(demo: Corpus, by_reader: SimplifiedSwift) -> None:
    requests = [Request(demo.sentences[p.sentence_id], p.reader_id) for p in demo.scanpaths]
    drawn = by_reader.read(requests, seed=1)
    assert [(p.reader_id, p.sentence_id) for p in drawn] == [
        (r.reader_id, r.sentence.sentence_id) for r in requests
    ]
    for reader_id in demo.reader_ids:
        own, model = ([p for p in paths if p.reader_id == reader_id] for paths in (demo.scanpaths, drawn))
        for fact in (
            lambda p: p.n_fixations,
            lambda p: np.median(p.durations),
            lambda p: len(set(p.positions)),
        ):
            assert ks_2samp(list(map(fact, own)), list(map(fact, model))).pvalue > 1e-3


def test_a_draw_depends_on_its_request_alone(demo: Corpus, fitted: SimplifiedSwift) -> None:
    some = [Request(sentence, "r03", sample) for sentence in demo.sentences.values() for sample in (0, 1)][
        :20
    ]
    together = fitted.read(some, seed=3)
    assert [fitted.read([request], seed=3)[0] for request in reversed(some)] == together[::-1]
    assert fitted.read(some, seed=4) != together
    assert together[0] != together[1]


def test_parts_are_the_likelihood_of_the_model_and_the_boundaries(
    demo: Corpus, fitted: SimplifiedSwift
) -> None:
    path = demo.scanpaths[5]
    sentence = demo.sentences[path.sentence_id]
    parts = fitted.log_prob_parts(sentence, path)
    frequencies = [float(f) for f in demo.words["frequency_per_million"][path.sentence_id]]
    share = [math.log(f) / math.log(69_974) for f in frequencies]
    whole = log_likelihood(path.positions, path.durations, share, fitted.parameters)
    assert parts.location + parts.duration == pytest.approx(whole)
    assert parts.boundaries == pytest.approx(fitted.boundaries.log_prob(path.positions, sentence.n_words))
    assert fitted.log_prob(sentence, path) == parts.location + parts.boundaries == parts.words
    assert parts.total == pytest.approx(whole + parts.boundaries)


def test_every_human_path_has_a_finite_log_probability(demo: Corpus, fitted: SimplifiedSwift) -> None:
    sentence = Sentence("new", "A sentence nobody has read 100 times.")
    for words in ((3,), (6, 0), (0, 6, 5, 6, 2), (0,) * 50, (0, 6, 0, 6)):
        human = Scanpath("someone", "new", words, (250.0,) * len(words))
        assert -math.inf < fitted.log_prob(sentence, human) < 0.0
    assert fitted.log_prob(sentence, Scanpath("someone", "new", ())) == -math.inf


def test_published_rules_are_kept_on_request(demo: Corpus) -> None:
    few = demo.restricted_to({(p.reader_id, p.sentence_id) for p in demo.scanpaths[:20]})
    model = SimplifiedSwift(learn_boundaries=False).fit(few, seed=1)
    sentence = Sentence("s", "One two three")
    for path in model.read([Request(sentence, sample=n) for n in range(50)], seed=1):
        assert path.positions[0] == 0
        assert path.positions.index(2) == path.n_fixations - 1
    assert model.log_prob(sentence, Scanpath("r", "s", (0, 2, 1), (200.0,) * 3)) == -math.inf


def test_durations_of_draws_are_as_the_model_says(fitted: SimplifiedSwift) -> None:
    sentence = Sentence("s", "Only")
    drawn = fitted.read([Request(sentence, sample=n) for n in range(800)], seed=1)
    exact = np.random.default_rng(1).gamma(9, fitted.parameters.mu / 9, 5000)
    assert ks_2samp([path.durations[0] for path in drawn], exact).pvalue > 1e-3


def test_readers_have_parameters_of_their_own(
    demo: Corpus, by_reader: SimplifiedSwift, fitted: SimplifiedSwift
) -> None:
    assert set(by_reader.of_reader) == {"r03", "r10", "r23"}
    true_mu = {
        reader: float(row["mu"]) for reader, row in demo.readers.items() if reader in by_reader.of_reader
    }
    found = {reader: p.mu for reader, p in by_reader.of_reader.items()}
    assert sorted(found, key=found.__getitem__) == sorted(true_mu, key=true_mu.__getitem__)
    judged = [
        sum(model.log_prob_parts(demo.sentences[p.sentence_id], p).total for p in demo.scanpaths)
        for model in (by_reader, fitted)
    ]
    assert judged[0] > judged[1] + 50
    stranger = replace(demo.scanpaths[0], reader_id="stranger")
    sentence = demo.sentences[stranger.sentence_id]
    assert by_reader.log_prob(sentence, stranger) == fitted.log_prob(sentence, stranger)


def test_without_durations_it_says_so(fitted: SimplifiedSwift) -> None:
    silent = Corpus(Card(name="silent"), {"s": Sentence("s", "a b")}, (Scanpath("r", "s", (0, 1)),))
    with pytest.raises(ScandlError, match="needs fixation durations; corpus 'silent' has none"):
        SimplifiedSwift().fit(silent, seed=1)
    with pytest.raises(ScandlError, match="to judge a path; reader 'r', sentence 's' has none"):
        fitted.log_prob(silent.sentences["s"], silent.scanpaths[0])


@pytest.mark.slow
def test_fits_human_readers_better_than_the_published_defaults(shared) -> None:
    human = read_corpus(shared("schilling"))
    model = SimplifiedSwift().fit(human, seed=1)
    published = replace(model, parameters=SimplifiedSwift().parameters)
    gain = [
        model.log_prob(human.sentences[p.sentence_id], p)
        - published.log_prob(human.sentences[p.sentence_id], p)
        for p in human.scanpaths
    ]
    assert np.mean(gain) > 5
    assert 0.2 < model.parameters.nu < 0.6
    assert 200 < model.parameters.mu < 280


def test_counts_by_hand() -> None:
    found = PathBoundaries.learned([((0, 1, 2), 3), ((1, 2, 0), 3), ((0, 0), 3)])
    assert found.end == {
        Stage.BEFORE: (1 + 0.5) / (5 + 1),
        Stage.LAST: (1 + 0.5) / (2 + 1),
        Stage.AFTER: (1 + 0.5) / (1 + 1),
    }
    assert found.first_probs(2) == pytest.approx([(2 + 1 / 2) / 4, (1 + 1 / 2) / 4])


def test_paths_up_to_a_length_and_those_going_on_sum_to_one() -> None:
    found = PathBoundaries.learned([((0, 1, 2), 3), ((1, 2, 0), 3), ((0, 0), 3)])
    total = 0.0
    for n in range(1, 9):
        for words in product(range(3), repeat=n):
            # Uniform next words: (1/3) ** (n - 1) for each path.
            total += math.exp(found.log_prob(words, 3)) / 3 ** (n - 1)
    longer = 1.0 - total
    assert 0.0 < longer < 0.15
    assert found.log_prob((), 3) == -math.inf


def test_without_data_only_the_published_rule_is_possible() -> None:
    rule = PathBoundaries()
    assert rule.log_prob((0, 1, 0, 2), 3) == 0.0
    for impossible in ((1, 2), (0, 2, 2), (0, 1), (0, 2, 1)):
        assert rule.log_prob(impossible, 3) == -math.inf


def test_with_data_every_path_is_possible() -> None:
    found = PathBoundaries.learned([((0, 1, 2), 3)])
    for words in ((2,), (0, 2, 1, 0), (1, 1)):
        assert -math.inf < found.log_prob(words, 3) < 0.0
