"""E-Z Reader as a generator."""

from __future__ import annotations

from scandl.corpora import Card, Corpus
from scandl.models.ezreader.ezreader_generator import READER_SD, EZReader
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
