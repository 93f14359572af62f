"""What Eyettention is given of a scanpath: packed sequences, scales, gaze, readers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from scandl.corpora import Corpus, read_corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.corpora.demo import FOLDER
from scandl.models.eyettention.eyettention_generator import Eyettention
from scandl.models.eyettention.eyettention_inputs import InputScale, Scales, collate
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    RecurrentConfig,
)
from scandl.records import Scanpath, Sentence

TEXT = "An owl sat on it."

PATHS = [(0, 1, 2, 1, 4), (), (3,), (2, 2, 0, 0, 1, 4, 3, 2), (4, 0)]
CONFIG = EyettentionConfig(
    network=RecurrentConfig(word_layers=1, word_units=4, fixation_layers=2, fixation_units=8, decoder=(16,)),
    learning=LearningConfig(epochs=4, batch=32, lr=1e-2),
)
SENTENCE = Sentence("new", "We understood it after a while.")


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"renormalise_window": True},
        {"window": 0},
        {"window": 3, "sigma": 2.0},
        {"reader_embedding": True},
        {"positions": 2},
        {"word_layers": 1, "fixation_layers": 1},
    ],
)
def test_packed_batches_equal_the_slow_definition(builder, tiny, change):
    follow = builder(replace(tiny.config, **change))
    paths = [
        follow.path(text, words, reader)
        for text, words, reader in zip(
            [TEXT, TEXT, "One word more than before, here.", TEXT, "We do not know."],
            PATHS,
            ["r1", "r2", "r1", "nobody", "r2"],
            strict=True,
        )
        if max(words, default=0) < len(text.split())
    ]
    assert len(paths) >= 4
    batch = collate(paths, torch.float64)
    with torch.no_grad():
        logits = follow.network(batch).numpy()
    for n, path in enumerate(paths):
        own = logits[(batch.fixations.packing.member == n).numpy()]
        np.testing.assert_allclose(own, follow.slow_logits(path), rtol=1e-9, atol=1e-12)


def test_a_sentence_is_in_a_batch_once(tiny):
    batch = collate([tiny.path(TEXT, words) for words in PATHS])
    assert len(batch.sentences.last) == 1
    assert batch.sentences.last.tolist() == [6]
    assert len(batch.fixations.at) == sum(len(words) + 1 for words in PATHS)


def test_scaled_values_have_mean_0_and_sd_1() -> None:
    demo = open_corpus("demo")
    scales = Scales.of(demo)
    durations = np.array([ms for path in demo.scanpaths for ms in path.durations or ()])
    lengths = np.array([1 / len(word) for s in demo.sentences.values() for word in s.words])
    for scale, values in ((scales.duration, durations), (scales.inverse_length, lengths)):
        scaled = np.array([scale(value) for value in values])
        assert scaled.mean() == pytest.approx(0.0, abs=1e-9)
        assert scaled.std() == pytest.approx(1.0)


def test_equal_and_no_values_are_not_divided_by_zero() -> None:
    assert InputScale.of([5.0, 5.0])(7.0) == 2.0
    assert InputScale.of([]) == InputScale()


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
