"""Every generator by name: probabilities sum to one, learning helps, company changes nothing."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.fold_predictions import (
    baseline_names,
    baseline_predictions,
    cross_fitted,
    find_generator,
    predict,
)
from scandl.models.model import HasLikelihood, Request, SentenceGenerator
from scandl.records import WHOLE, Positions, Scanpath, Sentence
from scandl.splits import make_cross, make_folds


class Spy(SentenceGenerator):
    """Remember what it was given."""

    trained: Corpus
    stimuli: set[str]

    def with_stimuli(self, words):
        self.stimuli = {key for by_sentence in words.values() for key in by_sentence}
        return self

    def fit(self, training, *, seed):
        self.trained = training
        return self

    def draw(self, request, rng):
        assert request.sentence.sentence_id in self.stimuli
        self.last = request
        return (0,)


def test_a_generator_sees_its_training_part_and_no_more():
    corpus = open_corpus("demo")
    fold = make_folds(corpus, "nrns")[2]
    spy = Spy()
    found = predict(lambda: spy, fold, corpus, model="spy", samples=2)
    assert {(p.reader_id, p.sentence_id) for p in spy.trained.scanpaths} == set(fold.train)
    assert Counter((p.reader_id, p.sentence_id) for p in found) == dict.fromkeys(fold.test, 2)
    assert {(p.setting, p.fold, p.model) for p in found} == {("nrns", "2", "spy")}
    assert all(p.human == corpus.by_pair[p.reader_id, p.sentence_id].words for p in found)
    assert all(p.text == corpus.sentences[p.sentence_id].text for p in found)


def test_a_generator_is_told_the_group_and_the_task_of_a_reader():
    sentences = {key: Sentence(key, "It rained.") for key in "ab"}
    paths = tuple(Scanpath(reader, key, (0,)) for reader in ("1", "2") for key in sentences)
    told = {"1": {"group": "L2", "task": "part"}, "2": {"age": "30"}}
    corpus = Corpus(Card(name="here"), sentences, paths, readers=told)
    other = replace(corpus, card=Card(name="there"), readers={"1": {"group": "L1"}})
    wanted: dict[str, tuple[str, str]] = {}

    class Told(Spy):
        def draw(self, request, rng):
            wanted[request.reader_id] = request.group, request.task
            return (0,)

    predict(Told, make_cross(corpus, other), corpus, model="told", test_corpus=other)
    # Readers of another corpus are other people, so what is known of their namesakes is not theirs.
    assert wanted == {"there/1": ("L1", ""), "there/2": ("", "")}
    wanted.clear()
    predict(Told, make_cross(other, corpus), other, model="told", test_corpus=corpus)
    assert wanted == {"here/1": ("L2", "part"), "here/2": ("", "")}


def test_cross_fitting_covers_the_corpus_and_no_sentence_trains_itself():
    corpus = open_corpus("demo")
    spies = []

    def factory():
        spies.append(Spy())
        return spies[-1]

    found = cross_fitted(factory, corpus, model="spy")
    assert {p.setting for p in found} == {WHOLE}
    assert {(p.reader_id, p.sentence_id) for p in found} == set(corpus.by_pair)
    for number, spy in enumerate(spies):
        tested = {p.sentence_id for p in found if p.fold == str(number)}
        assert tested
        assert not tested & set(spy.trained.sentences)


def test_across_datasets_the_test_pairs_come_from_the_other_corpus(shared):
    corpus, other = open_corpus("demo"), open_corpus(str(shared("schilling")))
    spy = Spy()
    found = predict(lambda: spy, make_cross(corpus, other), corpus, model="spy", test_corpus=other)
    assert {p.sentence_id for p in found} == set(other.by_sentence)
    assert set(spy.trained.sentences) <= set(corpus.sentences)


def test_too_few_paths_from_a_generator_are_refused():
    class Lazy(Spy):
        def generate(self, requests, *, seed):
            return []

    corpus = open_corpus("demo")
    with pytest.raises(ScandlError, match="generator 'lazy' returned 0 scanpaths for"):
        predict(Lazy, make_folds(corpus, "ns")[0], corpus, model="lazy")


@pytest.mark.parametrize("value", [0.3, math.nan, -1e12])
def test_what_is_no_log_probability_is_refused_where_it_is_made(value):
    class Odd(Spy):
        def log_prob(self, sentence, scanpath):
            return value

    corpus = open_corpus("demo")
    fold = make_folds(corpus, "ns")[0]
    reader, sentence = fold.test[0]
    expected = (
        f"generator 'odd': log_prob of the path of reader {reader!r}, sentence {sentence!r}: found {value}, "
        "expected a natural log-probability from -1e9 to 0, or -inf"
    )
    with pytest.raises(ScandlError) as refused:
        predict(Odd, fold, corpus, model="odd")
    assert str(refused.value) == expected


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"setting": "ns", "fold": 7}, "no fold 7 of setting 'ns'; known: 0 to 4"),
        ({"fold": 1}, "fold 1 of which setting"),
        ({"setting": "nsnr"}, "no setting 'nsnr'; did you mean 'ns'|no setting 'nsnr'; did you mean 'nrns'"),
        ({"samples": 0}, "samples: found 0"),
    ],
)
def test_bad_requests_are_one_line(options, text):
    with pytest.raises(ScandlError, match=text):
        baseline_predictions("left-to-right", "demo", **options)


class Namer(Spy):
    """Remember whose paths it was asked for, and whose it was shown."""

    def __init__(self):
        self.asked, self.shown = set(), set()

    def draw(self, request, rng):
        self.asked.add(request.reader_id)
        return (0,)

    def log_prob(self, sentence, scanpath):
        self.shown.add(scanpath.reader_id)
        return -1.0


def test_a_namesake_in_another_corpus_is_somebody_else():
    corpus = open_corpus("demo")
    other = replace(corpus, card=replace(corpus.card, name="other"))
    one = corpus.reader_ids[0]
    learned = corpus.restricted_to([pair for pair in corpus.by_pair if pair[0] == one])
    namer = Namer()
    assert isinstance(namer, HasLikelihood)
    found = predict(lambda: namer, make_cross(learned, other), learned, model="namer", test_corpus=other)
    expected = {f"other/{one}", *corpus.reader_ids[1:]}
    assert namer.asked == namer.shown == expected
    # The tables know them by their own names.
    assert {(p.reader_id, p.sentence_id) for p in found} == set(other.by_pair)
    assert all(p.log_prob == -1.0 for p in found)
    assert all(p.human == other.by_pair[p.reader_id, p.sentence_id].words for p in found)
    within = Namer()
    predict(lambda: within, make_folds(corpus, "ns")[0], corpus, model="namer")
    assert within.asked <= set(corpus.reader_ids)


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
