"""What Eyettention learns from: the loss is a likelihood, and batches can be shared."""

from __future__ import annotations

import pytest
import torch

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.eyettention.eyettention_likelihood import path_log_probs
from scandl.models.eyettention.eyettention_settings import (
    EyettentionConfig,
    LearningConfig,
    NetworkConfig,
)
from scandl.models.eyettention.eyettention_task import EyettentionTask
from scandl.models.eyettention.eyettention_training import make_task

SMALL = NetworkConfig(
    word_layers=1,
    word_units=4,
    fixation_layers=1,
    fixation_units=8,
    decoder=(8,),
    positions=32,
    input_dropout=0.0,
    dropout=0.0,
)


@pytest.fixture(scope="module")
def task() -> EyettentionTask:
    demo = open_corpus("demo")
    pairs = [(path.reader_id, path.sentence_id) for path in demo.scanpaths[:6]]
    corpus = demo.restricted_to(pairs)
    return make_task(EyettentionConfig(network=SMALL, learning=LearningConfig()), corpus, corpus)


def test_the_loss_is_minus_the_likelihood_per_event(task: EyettentionTask) -> None:
    loss = task.loss(task.module, range(6), range(6), step=0).plain
    likelihood = path_log_probs(task.module, task.examples, task.classes, outcome=False)
    torch.testing.assert_close(
        loss.detach().double(),
        -torch.tensor(likelihood, dtype=torch.float64) / task.mean_events,
        rtol=1e-4,
        atol=1e-5,
    )


def test_halves_of_a_batch_have_the_losses_of_the_whole(task: EyettentionTask) -> None:
    whole = task.loss(task.module, range(6), range(6), step=0).plain
    halves = [task.loss(task.module, range(k, k + 3), range(k, k + 3), step=0).plain for k in (0, 3)]
    torch.testing.assert_close(torch.cat(halves), whole)


def test_validation_is_the_mean_over_events(task: EyettentionTask) -> None:
    likelihood = path_log_probs(task.module, task.held_out, task.classes, outcome=False)
    events = sum(len(path.at) for path in task.held_out)
    assert task.validate(0)["validation"] == pytest.approx(-sum(likelihood) / events)


def test_a_batch_is_named(task: EyettentionTask) -> None:
    assert task.describe([0, 1], 0) == f"batch {'/'.join(task.names[0])}, {'/'.join(task.names[1])}"
