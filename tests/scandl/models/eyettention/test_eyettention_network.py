"""The network equals its definition: classes of saccades, attention by loops, sizes written out here."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from torch.func import functional_call

from scandl.models.baselines import step_walks as steps
from scandl.models.baselines.step_walks import LAPSE, StepProbabilities
from scandl.models.eyettention.eyettention_inputs import collate
from scandl.models.eyettention.eyettention_model import class_losses
from scandl.models.eyettention.eyettention_network import EyettentionNetwork, SaccadeClasses, WindowAttention
from scandl.models.eyettention.eyettention_settings import RecurrentConfig

PUBLISHED = SaccadeClasses(24)
TEXT = "An owl sat on it."
# With the vectors of BERT (768): gates × units × (input + units + two biases), and so on.
PUBLISHED_SIZES = {
    "words.lstm": 2 * 4 * 64 * (768 + 64 + 2) + 7 * 2 * 4 * 64 * (128 + 64 + 2),
    "fixations.position": 512 * 768,
    "fixations.norm": 2 * 768,
    "fixations.lstm": 4 * 128 * (770 + 128 + 2) + 7 * 4 * 128 * (128 + 128 + 2),
    "attention.project": 129 * 128 + 129,
    "decoder": 512 * 258 + 256 * 513 + 2 * 256 * 257 + 45 * 257,
}


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
    row = StepProbabilities(probs.tolist())
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


@pytest.mark.parametrize(
    ("window", "sigma", "renormalise"), list(product((0, 1, 2), (0.5, 3.0), (False, True)))
)
def test_attention_equals_a_loop(window, sigma, renormalise):
    config = RecurrentConfig(fixation_units=5, window=window, sigma=sigma, renormalise_window=renormalise)
    torch.manual_seed(3)
    attention = WindowAttention(config, 7).double().requires_grad_(False)
    words = torch.randn(2, 6, 7, dtype=torch.float64)
    last = [5, 3]  # the second sentence is shorter; what stands behind it must not be seen
    row, at = torch.tensor([0, 0, 1, 1, 0]), torch.tensor([0, 3, 3, 1, 5])
    fixation = torch.randn(5, 5, dtype=torch.float64)
    found = attention(fixation, words, row, at, torch.tensor(last)[row])
    for n in range(5):
        s, p = int(row[n]), int(at[n])
        query = attention.project.weight @ fixation[n] + attention.project.bias
        near = [k for k in range(p - window, p + window + 1) if 0 <= k <= last[s]]
        scores = [math.exp(float(query @ words[s, k])) for k in near]
        weights = [
            score / sum(scores) * math.exp(-((k - p) ** 2) / (2 * sigma**2))
            for k, score in zip(near, scores, strict=True)
        ]
        if renormalise:
            weights = [weight / sum(weights) for weight in weights]
        slow = sum(weight * words[s, k] for weight, k in zip(weights, near, strict=True))
        torch.testing.assert_close(found[n], slow, rtol=1e-10, atol=1e-12)


def test_published_weights_do_not_sum_to_one():
    attention = WindowAttention(RecurrentConfig(fixation_units=2), 1).requires_grad_(False)
    torch.nn.init.zeros_(attention.project.weight)  # all scores equal
    torch.nn.init.zeros_(attention.project.bias)
    ones = torch.ones(1, 9, 1)
    found = attention(torch.ones(1, 2), ones, torch.tensor([0]), torch.tensor([4]), torch.tensor([8]))
    assert found.item() == pytest.approx((1 + 2 * math.exp(-2)) / 3)


def sizes(network: EyettentionNetwork) -> dict[str, int]:
    counted = dict.fromkeys(PUBLISHED_SIZES, 0)
    for name, parameter in network.named_parameters():
        (part,) = (part for part in PUBLISHED_SIZES if name.startswith(f"{part}."))
        counted[part] += parameter.numel()
    return counted


def test_parameters_of_the_published_network():
    network = EyettentionNetwork(RecurrentConfig(), 768, 768)
    assert sizes(network) == PUBLISHED_SIZES
    assert sum(PUBLISHED_SIZES.values()) == 3_325_742
    shapes = {name: tuple(parameter.shape) for name, parameter in network.named_parameters()}
    assert shapes["attention.project.weight"] == (129, 128)
    decoder = [shape for name, shape in shapes.items() if name.startswith("decoder.") and len(shape) == 2]
    assert decoder == [(512, 257), (256, 512), (256, 256), (256, 256), (45, 256)]


@pytest.mark.parametrize("max_words", [3, 24, 80])
def test_classes_follow_the_longest_sentence(max_words):
    network = EyettentionNetwork(RecurrentConfig(max_words=max_words, word_layers=1, fixation_layers=1), 8, 8)
    assert network.decoder[-1].out_features == 2 * max_words - 3


def test_hidden_readers_are_trained_as_the_unknown_one(builder, tiny):
    follow = builder(
        replace(tiny.config, reader_embedding=True, reader_dropout=1.0, input_dropout=0, dropout=0)
    )
    batch = collate([follow.path(TEXT, (0, 1), "r1")], torch.float64)
    stranger = collate([follow.path(TEXT, (0, 1), "stranger")], torch.float64)
    hidden = follow.network.train()(batch)
    torch.testing.assert_close(hidden, follow.network.eval()(stranger), rtol=1e-12, atol=1e-12)
    assert not torch.allclose(hidden, follow.network(batch))


def test_gradients_are_those_of_finite_differences(builder, tiny):
    config = replace(
        tiny.config,
        word_layers=1,
        word_units=1,
        fixation_layers=1,
        fixation_units=2,
        decoder=(3,),
        positions=2,
        reader_embedding=True,
    )
    follow = builder(config)
    batch = collate([follow.path("A cat sat.", (0, 2, 1)), follow.path("Go on.", (1,), "r2")], torch.float64)
    names, weights = zip(*follow.network.named_parameters(), strict=True)
    few = [n for n, weight in enumerate(weights) if weight.numel() <= 16]
    assert len(few) >= 10, "all biases, the norm of the small layers, the decoder"

    def loss(*changed: torch.Tensor) -> torch.Tensor:
        own = {name: weight.detach() for name, weight in zip(names, weights, strict=True)}
        own |= {names[n]: value for n, value in zip(few, changed, strict=True)}
        logits = functional_call(follow.network, own, (batch,))
        return class_losses(logits, batch, SaccadeClasses(config.max_words)).sum()

    inputs = [weights[n].detach().clone().requires_grad_() for n in few]
    assert torch.autograd.gradcheck(loss, inputs, eps=1e-6, atol=1e-5)
