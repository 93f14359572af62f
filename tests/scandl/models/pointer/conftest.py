"""A small network with random weights: nothing was learned, so any law must hold of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from scandl.corpora import Card, Corpus
from scandl.models.pointer.condition import Conditions
from scandl.models.pointer.people import TASKS
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import PointerNetwork
from scandl.models.pointer.pointer_settings import NetworkConfig, Order, PointerConfig, SamplingConfig
from scandl.models.pointer.pointer_training import initial_weights
from scandl.records import Scanpath, Sentence

SENTENCES = {
    "s": Sentence("s", "The cat sat."),
    "t": Sentence("t", "Well, the (old) horse fell down 3 times."),
}


def two_readers() -> Corpus:
    """Return a corpus of two readers with groups and durations."""
    paths = (
        Scanpath("a", "s", (0, 1, 2), (200.0, 180.0, 220.0)),
        Scanpath("a", "t", (0, 2, 3, 5, 7), (210.0, 170.0, 230.0, 190.0, 200.0)),
        Scanpath("b", "s", (0, 0, 1, 0, 2, 1), (300.0, 310.0, 290.0, 330.0, 280.0, 250.0)),
        Scanpath("b", "t", (0, 1, 2, 1, 3, 4, 4, 5, 6, 7, 3), (300.0,) * 11),
    )
    return Corpus(Card(name="two"), SENTENCES, paths, readers={"a": {"group": "L1"}, "b": {"group": "L2"}})


@pytest.fixture
def corpus() -> Corpus:
    return two_readers()


@pytest.fixture
def make_model(corpus: Corpus) -> Callable[..., PointerModel]:
    """Return a model with random weights, by the order in which it draws and the number of steps and draws."""

    def make(order: Order = "time", *, steps: int = 20, draws: int = 8, seed: int = 1) -> PointerModel:
        config = PointerConfig(
            network=NetworkConfig(width=16, heads=2, word_layers=1, path_layers=2),
            sampling=SamplingConfig(order=order, steps=steps, bound_draws=draws),
        )
        conditions = Conditions.of(corpus)
        torch.manual_seed(seed)
        weights = initial_weights(config.network, conditions)
        with torch.no_grad():
            for name, parameter in weights.named_parameters():
                # Durations stay within what eyes do: of minutes, a rounding error is milliseconds.
                spread = 0.03 if name.startswith("duration") else 0.3
                parameter.add_(spread * torch.randn_like(parameter))
        network = PointerNetwork.of(2, {name: value.numpy() for name, value in weights.state_dict().items()})
        return PointerModel(config, conditions, network, timed=True)

    return make


@pytest.fixture
def four_corpora() -> list[Corpus]:
    """Return corpora with the names of those that the shipped model learns from."""
    sentences = {"1": Sentence("1", "The cat sat."), "2": Sentence("2", "Well, it fell down 3 times.")}
    paths = tuple(
        Scanpath(reader, key, tuple(range(sentence.n_words)), (200.0,) * sentence.n_words)
        for reader in ("x", "y")
        for key, sentence in sentences.items()
    )
    return [
        Corpus(Card(name=name, licence="CC0"), sentences, paths, readers={"x": {"group": "L1"}})
        for name in TASKS
    ]
