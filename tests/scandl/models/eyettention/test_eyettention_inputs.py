"""What Eyettention is told of a scanpath: gaze, readers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scandl.corpora import Corpus, read_corpus
from scandl.corpora.demo import FOLDER
from scandl.models.eyettention.eyettention_generator import Eyettention
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    NetworkConfig,
)
from scandl.records import Scanpath, Sentence

CONFIG = EyettentionConfig(
    network=NetworkConfig(word_layers=1, word_units=4, fixation_layers=2, fixation_units=8, decoder=(16,)),
    learning=LearningConfig(epochs=4, batch=32, lr=1e-2),
)

SENTENCE = Sentence("new", "We understood it after a while.")


def corpus() -> Corpus:
    whole = read_corpus(FOLDER)
    sentences, readers = list(whole.by_sentence)[:10], whole.reader_ids[:8]
    return whole.restricted_to([(reader, sentence) for reader in readers for sentence in sentences])


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    return Eyettention(CONFIG, cache=tmp_path_factory.mktemp("cache")).fit(corpus(), seed=1)


def test_gaze_inputs_are_used_where_they_are_on(tmp_path):
    looking = replace(CONFIG, network=replace(CONFIG.network, gaze_inputs=True))
    fitted = Eyettention(looking, cache=tmp_path).fit(corpus(), seed=1)
    slow, fast = (Scanpath("r", "new", (0, 1, 3), (ms,) * 3) for ms in (600.0, 100.0))
    assert fitted.log_prob(SENTENCE, slow) != fitted.log_prob(SENTENCE, fast)


def test_durations_are_not_looked_at_by_default(fitted):
    slow, fast = (Scanpath("r", "new", (0, 1, 3), (ms,) * 3) for ms in (600.0, 100.0))
    assert fitted.log_prob(SENTENCE, slow) == fitted.log_prob(SENTENCE, fast)


def test_readers_differ_where_they_have_an_embedding(tmp_path):
    personal = replace(CONFIG, network=replace(CONFIG.network, reader_embedding=True))
    data = corpus()
    fitted = Eyettention(personal, cache=tmp_path).fit(data, seed=1)
    paths = [Scanpath(reader, "new", (0, 1, 3)) for reader in (*data.reader_ids[:2], "x", "y")]
    one, two, x, y = (fitted.log_prob(SENTENCE, path) for path in paths)
    assert one != two
    assert x == y
