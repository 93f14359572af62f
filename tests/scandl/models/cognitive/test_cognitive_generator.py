from __future__ import annotations

import pytest

from scandl.corpora import Card, Corpus
from scandl.models.catalogue import model_class, open_model
from scandl.models.cognitive.cognitive_generator import READER_SD, EZReader, Swift
from scandl.models.model import AVERAGE, Request
from scandl.records import Sentence

SENTENCES = {
    "a": Sentence("a", "The old captain saw an island."),
    "b": Sentence("b", "Nobody believed him at first."),
}

CORPUS = Corpus(
    Card(name="tiny"),
    SENTENCES,
    (),
    words={"cloze": {"a": ("0", "0", "0.9", "0.9", "0.9", "0.9")}, "syllables": {"a": ("1",) * 6}},
)

REQUESTS = [
    Request(SENTENCES[sentence], reader, sample)
    for sentence in "ab"
    for reader in ("r1", "r2")
    for sample in (0, 1)
]

BOTH = pytest.mark.parametrize("name", ["ezreader", "swift"])


@BOTH
def test_scanpaths_answer_their_requests(name):
    generator = open_model(name).fit(CORPUS, seed=1)
    paths = generator.read(REQUESTS, seed=5)
    for request, path in zip(REQUESTS, paths, strict=True):
        assert (path.reader_id, path.sentence_id) == (request.reader_id, request.sentence.sentence_id)
        assert min(path.positions) >= 0
        assert max(path.positions) < request.sentence.n_words
        assert len(path.durations) == path.n_fixations
        assert min(path.durations) > 0
    assert len({path.durations for path in paths}) == len(paths)


@BOTH
@pytest.mark.parametrize("options", [{}, "varied"])
def test_a_path_does_not_depend_on_the_other_requests(name, options):
    varied = {"ezreader": {"reader_sd": 0.2}, "swift": {"readers": "rabe2023-readers"}}
    generator = model_class(name)(**(varied[name] if options else {}))
    paths = generator.read(REQUESTS, seed=5)
    assert generator.read(REQUESTS[::-1], seed=5) == paths[::-1]
    assert [generator.read([request], seed=5)[0] for request in REQUESTS] == paths
    assert generator.read(REQUESTS, seed=6) != paths
    assert generator.read([], seed=5) == []


@BOTH
def test_stimuli_can_be_given_for_sentences_outside_the_training_corpus(name):
    generator = open_model(name)
    frequencies = {"frequency_per_million": {"b": ("9", "8", "7", "600", "5")}}
    given = generator.with_stimuli(frequencies).fit(CORPUS, seed=1)
    a, b = given.inputs.stimuli(SENTENCES.values())
    assert b.frequencies == (9, 8, 7, 600, 5)
    assert a.cloze == (0, 0, 0.9, 0.9, 0.9, 0.9)  # what fit knew is kept
    assert generator.inputs.words == {}  # the generator itself did not change


@BOTH
def test_a_sentence_with_the_identifier_of_a_training_sentence_does_not_get_its_norms(name):
    generator = open_model(name).fit(CORPUS, seed=1)
    other = Sentence("a", "Six other words of another corpus.")
    assert generator.inputs.stimulus(other).cloze == (0,) * 6
    assert generator.inputs.stimulus(SENTENCES["a"]).cloze[2] == 0.9


def test_predictable_words_are_skipped_by_ez_reader():
    requests = [Request(SENTENCES["a"], "r", sample) for sample in range(200)]
    blind = EZReader().read(requests, seed=1)
    informed = EZReader().with_stimuli(CORPUS.words).read(requests, seed=1)
    n_fixations = [sum(path.n_fixations for path in paths) for paths in (blind, informed)]
    assert n_fixations[1] < 0.8 * n_fixations[0]


def test_the_final_fixation_of_ez_reader_can_be_dropped():
    kept, dropped = (EZReader(include_final_fixation=keep).read(REQUESTS, seed=1) for keep in (True, False))
    assert [path.positions[:-1] for path in kept] == [path.positions for path in dropped]


def test_readers_are_asked_for_by_one_name():
    """``with_readers`` is what other packages know; a spread that was given stays."""
    assert EZReader().readers_differ == AVERAGE
    assert EZReader().with_readers().reader_sd == READER_SD
    assert EZReader(reader_sd=0.1).with_readers().reader_sd == 0.1
    assert "0.3" in EZReader().with_readers().readers_differ


def mean_durations(generator, n_readers):
    means = []
    for reader in range(n_readers):
        requests = [Request(SENTENCES["b"], f"r{reader}", sample) for sample in range(60)]
        durations = [ms for path in generator.read(requests, seed=1) for ms in path.durations]
        means.append(sum(durations) / len(durations))
    return means


@pytest.mark.parametrize(
    ("average", "varied"),
    [(EZReader(), EZReader(reader_sd=0.3)), (Swift(), Swift(readers="spread"))],
)
def test_readers_differ_on_request(average, varied):
    def spread(generator):
        means = mean_durations(generator, 12)
        return max(means) - min(means)

    assert spread(varied) > 2 * spread(average)


def test_readers_of_swift_are_asked_for_by_one_name():
    """``with_readers`` is what other packages know; a population that was chosen stays."""
    assert Swift().readers_differ == AVERAGE
    assert Swift().with_readers().readers == "spread"
    assert Swift(readers="rabe2023-readers").with_readers().readers == "rabe2023-readers"
