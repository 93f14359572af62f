"""Likelihoods: the sum of log-softmax by class; by outcome, the probability of what is generated."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
import torch

from scandl.models.baselines.step_walks import Row
from scandl.models.eyettention.eyettention_likelihood import path_log_probs
from scandl.models.eyettention.eyettention_sampling import sample_paths
from scandl.models.eyettention.saccade_classes import SaccadeClasses

TEXT = "An owl sat on it."
PATHS = [(0, 1, 2, 1, 4), (), (3,), (4, 0, 4, 0, 1, 2), (2, 2, 2)]


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
            slow += math.log(Row(np.exp(log_softmax(logits)).tolist()).probability(at, to, 5))
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
