"""A trained Eyettention: it comes back from its file, draws what its network says, and knows probabilities."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.baselines.step_walks import StepProbabilities
from scandl.models.eyettention.eyettention_model import (
    PathSampler,
    TrainedEyettention,
    path_log_probs,
    sample_paths,
)
from scandl.models.eyettention.eyettention_network import SaccadeClasses
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    RecurrentConfig,
)
from scandl.models.eyettention.eyettention_training import make_task
from scandl.models.model import Request
from scandl.records import Sentence
from scandl.training.checkpoint import write_checkpoint

TEXT = "An owl sat on it."
PATHS = [(0, 1, 2, 1, 4), (), (3,), (4, 0, 4, 0, 1, 2), (2, 2, 2)]
CLASSES = SaccadeClasses(24)
SMALL = RecurrentConfig(
    word_layers=1,
    word_units=4,
    fixation_layers=1,
    fixation_units=8,
    decoder=(8,),
    positions=32,
    input_dropout=0.0,
    dropout=0.0,
)
DEMO = open_corpus("demo")


def log_softmax(logits):
    return logits - np.log(np.exp(logits).sum())


def test_by_class_it_is_the_sum_of_log_softmax(tiny):
    paths = [tiny.path(TEXT, words) for words in PATHS]
    classes = SaccadeClasses(tiny.config.max_words)
    found = path_log_probs(tiny.network, paths, classes, outcome=False)
    for path, words, value in zip(paths, PATHS, found, strict=True):
        # Steps of more than −2 … 3 count as the longest; END is class 6.
        steps = np.diff([0, *(word + 1 for word in words)])
        targets = [*(min(max(step, -2), 3) + 2 for step in steps), 6]
        rows = [log_softmax(row) for row in tiny.slow_logits(path)]
        assert value == pytest.approx(
            math.fsum(row[k] for row, k in zip(rows, targets, strict=True)), rel=1e-9
        )


def test_by_outcome_it_is_that_of_the_baselines_walk(builder, tiny):
    follow = builder(replace(tiny.config, max_words=24))
    paths = [follow.path(TEXT, words) for words in PATHS]
    found = path_log_probs(follow.network, paths, SaccadeClasses(24))
    for path, words, value in zip(paths, PATHS, found, strict=True):
        at, slow = -1, 0.0
        for logits, to in zip(follow.slow_logits(path), (*words, 5), strict=True):
            slow += math.log(StepProbabilities(np.exp(log_softmax(logits)).tolist()).probability(at, to, 5))
            at = to
        assert value == pytest.approx(slow, rel=1e-9)


def test_drawn_paths_are_as_frequent_as_their_probability(tiny):
    n = 6000
    sentence = tiny.path("We understood it.", ()).sentence
    uniforms = torch.from_numpy(np.random.default_rng(4).random((n, 59)))
    classes = SaccadeClasses(tiny.config.max_words)
    drawn = Counter(sample_paths(tiny.network, [sentence] * n, [0] * n, uniforms, classes))
    common = [words for words, _ in drawn.most_common(25)]
    paths = [tiny.path("We understood it.", words, "stranger", gaze=False) for words in common]
    chi, cells = 0.0, 0
    for words, log_prob in zip(common, path_log_probs(tiny.network, paths, classes), strict=True):
        expected = n * math.exp(log_prob)
        if expected > 20:
            chi, cells = chi + (drawn[words] - expected) ** 2 / expected, cells + 1
    assert cells >= 3
    assert chi < cells + 5 * math.sqrt(2 * cells)


def test_longer_saccades_than_the_longest_are_not_impossible(tiny):
    path = tiny.path("one two three four five six seven eight nine ten", (9, 0, 9))
    (found,) = path_log_probs(tiny.network, [path], SaccadeClasses(tiny.config.max_words))
    assert math.isfinite(found)


def always(follow, chosen: int) -> None:
    """Let the network be all but sure of one class."""
    with torch.no_grad():
        last = follow.network.decoder[-1]
        last.weight.zero_()
        last.bias.zero_()
        last.bias[chosen] = 50.0


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (1, (0, 1, 2, 3, 4, 5)),
        (2, (1, 3, 5)),
        (4, (3,)),
        (7, ()),  # beyond the last word at once
        (22, ()),
        (0, (0,) * 59),  # from CLS to before the first word: on it, and on and on
        (-3, (0,) * 59),
        (None, ()),  # END
    ],
)
def test_clipping_end_and_the_limit(builder, tiny, step, expected):
    follow = builder(replace(tiny.config, max_words=24))
    always(follow, CLASSES.end if step is None else step + 21)
    inputs = [follow.maker.sentence(Sentence("s", "We saw the end of it."))] * 3
    uniforms = torch.full((3, 59), 0.5, dtype=torch.float64)
    assert sample_paths(follow.network, inputs, [0, 1, 2], uniforms, CLASSES) == [expected] * 3


def test_each_path_reads_its_own_sentence(builder, tiny):
    follow = builder(replace(tiny.config, max_words=24))
    always(follow, 22)
    texts = ["One.", "We saw it.", "One.", "And then we saw it all."]
    inputs = [follow.maker.sentence(Sentence(text, text)) for text in texts]
    uniforms = torch.from_numpy(np.random.default_rng(1).uniform(0.1, 0.9, (4, 59)))
    found = sample_paths(follow.network, inputs, [0] * 4, uniforms, CLASSES)
    assert found == [tuple(range(len(text.split()))) for text in texts]


def batch(follow, n: int):
    texts = ["We saw it.", "And then we saw it all again.", "One."]
    inputs = [follow.maker.sentence(Sentence(text, text)) for text in texts]
    uniforms = torch.from_numpy(np.random.default_rng(7).random((n, 59)))
    return [inputs[k % 3] for k in range(n)], [k % 2 for k in range(n)], uniforms


@pytest.mark.parametrize("reader_embedding", [False, True])
def test_paths_that_come_the_same_way_are_as_if_followed_alone(builder, tiny, reader_embedding):
    follow = builder(replace(tiny.config, reader_embedding=reader_embedding))
    classes = SaccadeClasses(follow.config.max_words)
    inputs, readers, uniforms = batch(follow, 60)
    together = sample_paths(follow.network, inputs, readers, uniforms, classes)
    alone = [
        sample_paths(follow.network, [inputs[k]], [readers[k]], uniforms[k : k + 1], classes)[0]
        for k in range(60)
    ]
    assert together == alone
    assert len(set(together)) > 5


@pytest.mark.parametrize("margin", [0.5, 0.01, 1e-6])
def test_what_is_in_doubt_is_drawn_in_double_precision(builder, tiny, margin):
    exact = builder(tiny.config)
    rounded = builder(tiny.config).network.float()
    classes = SaccadeClasses(exact.config.max_words)
    drawn = batch(exact, 300)
    reference = sample_paths(exact.network, *drawn, classes)
    certain = sample_paths(rounded, *drawn, classes, margin=margin)
    assert (None in certain) == (margin >= 0.01)  # few random numbers fall near a border
    assert PathSampler(rounded, exact.network, classes, margin).sample(*drawn) == reference


def test_a_network_that_rounds_badly_is_in_doubt_where_it_errs(builder, tiny):
    """A coarse network stands for rounding: within its margin it may decide otherwise, outside never."""
    exact, coarse = builder(tiny.config), builder(tiny.config)
    with torch.no_grad():
        coarse.network.decoder[-1].bias += 1e-3
        coarse.network.decoder[-1].bias[0] -= 3e-3
    classes = SaccadeClasses(exact.config.max_words)
    drawn = batch(exact, 600)
    reference = sample_paths(exact.network, *drawn, classes)
    assert sample_paths(coarse.network, *drawn, classes) != reference
    certain = sample_paths(coarse.network, *drawn, classes, margin=0.005)
    assert all(path in (None, right) for path, right in zip(certain, reference, strict=True))
    assert PathSampler(coarse.network, exact.network, classes, 0.005).sample(*drawn) == reference


@pytest.fixture(scope="module")
def saved() -> dict[str, object]:
    part = DEMO.restricted_to([(path.reader_id, path.sentence_id) for path in DEMO.scanpaths[:6]])
    task = make_task(EyettentionConfig(network=SMALL, learning=LearningConfig()), part, part)
    return {**task.contents(), "weights": task.module.state_dict()}


def test_it_comes_back_from_its_file(saved: dict[str, object], tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model.pt", saved)
    model = TrainedEyettention.load(tmp_path / "model.pt")
    for name, value in model.sampler.network.state_dict().items():
        torch.testing.assert_close(value, saved["weights"][name])  # type: ignore[index]
    sentence = DEMO.sentences[DEMO.scanpaths[0].sentence_id]
    (path,) = model.read([Request(sentence, "r01")], seed=1)
    assert all(0 <= word < sentence.n_words for word in path.positions)
    (by_words,) = model.log_probs([sentence], [path])
    (by_classes,) = model.log_probs([sentence], [path], outcome=False)
    assert by_classes <= by_words <= 0  # several classes can lead to the same word


def test_another_encoder_is_refused(saved: dict[str, object], tmp_path: Path) -> None:
    write_checkpoint(tmp_path / "model.pt", saved | {"encoders": ["lexical/1", "lexical/3"]})
    with pytest.raises(ScandlError, match="trained with encoder lexical/1, found lexical/3"):
        TrainedEyettention.load(tmp_path / "model.pt")
