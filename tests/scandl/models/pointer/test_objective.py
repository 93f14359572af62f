from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from scandl.models.pointer import mixtures
from scandl.models.pointer.mixtures import duration_log_density
from scandl.models.pointer.objective import length_log_prob, log_duration_density
from scandl.models.pointer.path_batch import TextBatch, padded, word_features
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_network import PointerNetwork, tokens, visible
from scandl.models.pointer.states import states
from scandl.models.torch_arithmetic import TorchArithmetic

RNG = np.random.default_rng(1)


@pytest.mark.parametrize("n_words", [1, 7, 40])
def test_lengths_are_learned_with_the_probabilities_they_are_drawn_with(n_words: int) -> None:
    parameters = RNG.normal(size=mixtures.N_LENGTH_PARAMETERS).astype(np.float32)
    for n in (1, 2, n_words, 3 * n_words):
        found = length_log_prob(
            torch.from_numpy(parameters[None]), torch.tensor([n_words]), torch.tensor([n])
        )
        assert float(found) == pytest.approx(mixtures.length_log_prob(parameters, n_words, n), abs=1e-4)


def test_durations_are_learned_with_the_density_they_are_drawn_from() -> None:
    """Here of log ms, there per ms: they differ by the logarithm of the duration."""
    parameters = RNG.normal(size=(50, 6)).astype(np.float32)
    ms = np.exp(RNG.normal(5.4, 0.5, 50))
    found = log_duration_density(
        torch.from_numpy(parameters), torch.from_numpy(np.log(ms).astype(np.float32))
    )
    np.testing.assert_allclose(found.numpy(), duration_log_density(parameters, ms) + np.log(ms), atol=2e-4)


def test_the_density_of_log_durations_is_one_in_all() -> None:
    parameters = torch.from_numpy(np.tile(RNG.normal(size=(1, 6)).astype(np.float32), (4001, 1)))
    grid = torch.linspace(-5.0, 15.0, 4001)
    assert float(log_duration_density(parameters, grid).exp().sum() * (20.0 / 4000)) == pytest.approx(
        1.0, abs=1e-3
    )


def test_torch_learns_what_numpy_reads(make_model: Callable[..., PointerModel]) -> None:
    """One network on two libraries: every function gives the same numbers."""
    model = make_model()
    weights = {name: torch.from_numpy(value) for name, value in model.network.weights.items()}
    network = PointerNetwork(2, weights, TorchArithmetic())
    texts = [word_features(tuple(text.split())) for text in ("The cat sat.", "Well, it fell down 3 times.")]
    batch = TextBatch.of([texts[k] for k in (1, 0, 1)], RNG.random((3, model.conditions.width)))
    words, n_fixations = padded([(0, 2, 5, 1), (0,), (3, 3, 3)])
    known = RNG.random(words.shape) < 0.5
    found = states(words, known, n_fixations, batch.n_words, batch.n_columns)
    here = model.network.read_texts(batch).of(batch.row)
    given = [batch.features.astype(np.float64), batch.inside, batch.lines, batch.lined]
    there = network.read(*map(torch.from_numpy, given)).of(torch.from_numpy(batch.row))
    told = [tokens(here.near, found), batch.conditions, visible(n_fixations, words.shape[1], in_order=False)]
    x, y = model.network.places(*told), network.places(*map(torch.from_numpy, told))
    pointed = [found.references, found.gap, found.visits.astype(np.int64)]
    rows = RNG.random((5, weights["duration.0.weight"].shape[1]))
    means = RNG.random((3, mixtures.N_OF_TEXT))
    for mine, theirs in (
        (here.near, there.near),
        (
            model.network.point(here, x, *pointed),
            network.point(there, y, *map(torch.from_numpy, pointed)),
        ),
        (model.network.durations(rows), network.durations(torch.from_numpy(rows))),
        (
            model.network.lengths(means, batch.conditions),
            network.lengths(*map(torch.from_numpy, (means, batch.conditions))),
        ),
    ):
        np.testing.assert_allclose(mine, theirs.numpy(), rtol=1e-9, atol=1e-9)
