"""Saccade classes: the alphabet, where each leads, what is drawn how often."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from scandl.models.baselines import step_walks as steps
from scandl.models.baselines.step_walks import LAPSE, Row
from scandl.models.eyettention.saccade_classes import SaccadeClasses

PUBLISHED = SaccadeClasses(24)


def test_the_published_alphabet_is_that_of_the_baselines():
    assert (PUBLISHED.longest_back, PUBLISHED.longest_forward) == (steps.LONGEST_BACK, steps.LONGEST_FORWARD)
    assert (PUBLISHED.end, len(PUBLISHED)) == (steps.END, steps.N_CLASSES)
    taken = torch.arange(-60, 61)
    assert PUBLISHED.of_steps(taken).tolist() == [steps.step_class(step) for step in taken.tolist()]


def test_hand_made_landings():
    # From CLS, word 2 and the last word of four: before the first word is the first, beyond the last is SEP.
    found = SaccadeClasses(6).landings(torch.tensor([0, 2, 4]), torch.tensor([4, 4, 4]))
    assert found.tolist() == [
        # −3 −2 −1  0  1  2  3  4 END
        [1, 1, 1, 1, 1, 2, 3, 4, 5],
        [1, 1, 1, 2, 3, 4, 5, 5, 5],
        [1, 2, 3, 4, 5, 5, 5, 5, 5],
    ]


def test_end_is_the_end_of_each_sentence_in_a_batch():
    found = SaccadeClasses(4).landings(torch.tensor([0, 7, 0]), torch.tensor([1, 9, 40]))
    assert found[:, -1].tolist() == [2, 10, 41]


@given(
    n_words=st.integers(1, 60),
    share=st.floats(0, 1),
    seed=st.integers(0, 10_000),
)
def test_outcomes_are_those_of_the_walk_of_the_baselines(n_words, share, seed):
    at = round(share * n_words)
    probs = np.random.default_rng(seed).dirichlet(np.full(45, 0.3))
    row = Row(probs.tolist())
    log_probs = torch.from_numpy(np.log(np.maximum(probs, 1e-300)))[None]
    to = torch.arange(1, n_words + 2)
    n = len(to)
    found = PUBLISHED.outcome_log_probs(
        log_probs.expand(n, -1), torch.full((n,), at), to, torch.full((n,), n_words)
    )
    slow = [math.log(row.probability(at - 1, word - 1, n_words)) for word in to.tolist()]
    assert found.tolist() == pytest.approx(slow, rel=1e-9, abs=1e-9)
    assert math.fsum(found.exp().tolist()) == pytest.approx(1.0)
    u = np.random.default_rng(seed).random(20)
    drawn = PUBLISHED.draw(
        PUBLISHED.thresholds(torch.from_numpy(probs)[None].expand(20, -1)),
        torch.full((20,), at),
        torch.full((20,), n_words),
        torch.from_numpy(u),
    )
    assert drawn.tolist() == [row.draw(at - 1, n_words, x) + 1 for x in u.tolist()]


def test_drawn_classes_are_as_frequent_as_the_softmax_says():
    rng = np.random.default_rng(5)
    probs = torch.from_numpy(rng.normal(size=45)).softmax(dim=0)
    n, at, n_words = 40_000, 30, 80  # every class but END leads to a word of its own
    drawn = PUBLISHED.draw(
        PUBLISHED.thresholds(probs.expand(n, -1)),
        torch.full((n,), at),
        torch.full((n,), n_words),
        torch.from_numpy(rng.random(n)),
    )
    places = [*(at + step for step in range(-21, 23)), n_words + 1]
    counts = np.array([(drawn == place).sum().item() for place in places])
    assert n - counts.sum() < 5 * LAPSE * n  # what lapsed went anywhere
    assert chisquare(counts, probs.numpy() * counts.sum()).pvalue > 0.001


def test_a_lapse_goes_to_every_word_and_the_end():
    probs = torch.zeros(4, 45)
    probs[:, 0] = 1.0
    u = torch.tensor([0.0, 0.3, 0.6, 0.9], dtype=torch.float64) * LAPSE
    drawn = PUBLISHED.draw(PUBLISHED.thresholds(probs), torch.full((4,), 3), torch.full((4,), 3), u)
    assert drawn.tolist() == [1, 2, 3, 4]
