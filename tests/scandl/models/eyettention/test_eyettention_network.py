"""The network equals its definition; its sizes are those written out here."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch.func import functional_call

from scandl.models.eyettention.eyettention_inputs import collate
from scandl.models.eyettention.eyettention_likelihood import class_losses
from scandl.models.eyettention.eyettention_network import EyettentionNetwork
from scandl.models.eyettention.eyettention_settings import NetworkConfig
from scandl.models.eyettention.saccade_classes import SaccadeClasses

TEXT = "An owl sat on it."


# With the vectors of BERT (768): gates × units × (input + units + two biases), and so on.
PUBLISHED = {
    "words.lstm": 2 * 4 * 64 * (768 + 64 + 2) + 7 * 2 * 4 * 64 * (128 + 64 + 2),
    "fixations.position": 512 * 768,
    "fixations.norm": 2 * 768,
    "fixations.lstm": 4 * 128 * (770 + 128 + 2) + 7 * 4 * 128 * (128 + 128 + 2),
    "attention.project": 129 * 128 + 129,
    "decoder": 512 * 258 + 256 * 513 + 2 * 256 * 257 + 45 * 257,
}


def sizes(network: EyettentionNetwork) -> dict[str, int]:
    counted = dict.fromkeys(PUBLISHED, 0)
    for name, parameter in network.named_parameters():
        (part,) = (part for part in PUBLISHED if name.startswith(f"{part}."))
        counted[part] += parameter.numel()
    return counted


def test_parameters_of_the_published_network():
    network = EyettentionNetwork(NetworkConfig(), 768, 768)
    assert sizes(network) == PUBLISHED
    assert sum(PUBLISHED.values()) == 3_325_742
    shapes = {name: tuple(parameter.shape) for name, parameter in network.named_parameters()}
    assert shapes["attention.project.weight"] == (129, 128)
    decoder = [shape for name, shape in shapes.items() if name.startswith("decoder.") and len(shape) == 2]
    assert decoder == [(512, 257), (256, 512), (256, 256), (256, 256), (45, 256)]


@pytest.mark.parametrize("max_words", [3, 24, 80])
def test_classes_follow_the_longest_sentence(max_words):
    network = EyettentionNetwork(NetworkConfig(max_words=max_words, word_layers=1, fixation_layers=1), 8, 8)
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
