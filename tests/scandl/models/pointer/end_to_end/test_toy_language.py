"""A language of paths whose every probability is known: what is learned in each order, and of given parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from scipy.special import log_softmax

from scandl.config import TrainingConfig
from scandl.corpora import Card, Corpus
from scandl.models.model import Request
from scandl.models.pointer.drawing import masked_logits
from scandl.models.pointer.given import CANDIDATES, fill
from scandl.models.pointer.path_batch import padded
from scandl.models.pointer.path_probability import in_order_logits
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.pointer_settings import NetworkConfig, PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.records import Positions, Scanpath, Sentence

pytestmark = pytest.mark.slow

SENTENCE = Sentence("s", "One two three.")
PATHS = list(product(range(3), repeat=4))
START = np.array([0.6, 0.3, 0.1])
NEXT = np.array([[0.2, 0.6, 0.2], [0.3, 0.1, 0.6], [0.5, 0.3, 0.2]])  # from each word


def probability(path: Sequence[int]) -> float:
    """Return the probability of a path: who comes back to the word before the last one does it twice as often."""
    found = START[path[0]]
    for k in range(1, len(path)):
        row = NEXT[path[k - 1]].copy()
        if k > 1:
            row[path[k - 2]] *= 2
        found *= row[path[k]] / row.sum()
    return float(found)


LAW = np.array([probability(path) for path in PATHS])


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> PointerModel:
    rng = np.random.default_rng(1)
    drawn = rng.choice(len(PATHS), 40_000, p=LAW)
    paths = tuple(Scanpath(f"r{k % 50}", "s", PATHS[i]) for k, i in enumerate(drawn.tolist()))
    corpus = Corpus(Card(name="toy"), {"s": SENTENCE}, paths)
    network = NetworkConfig(width=32, dropout=0.0, word_noise=0.0)
    training = TrainingConfig(
        steps=3000,
        batch=128,
        lr=3e-3,
        ema_decay=0.99,
        warmup=50,
        save_every=10_000,
        seed=1,
        validation="none",
    )
    folder: Path = tmp_path_factory.mktemp("toy")
    return load(train(PointerConfig(network=network, training=training), corpus, folder))


def distance(one: np.ndarray, other: np.ndarray) -> float:
    """Return the total variation distance."""
    return float(np.abs(one - other).sum() / 2)


def in_order(
    model: PointerModel, paths: Sequence[Positions], known: Sequence[bool] = (False,) * 4
) -> np.ndarray:
    """Return the probability of the unknown places of each path, drawn from left to right."""
    batch = model.text_batch([Request(SENTENCE)] * len(paths), 1)
    words, n = padded(paths)
    table = log_softmax(
        in_order_logits(model.network, batch, words, n, np.array([known] * len(paths))), axis=2
    )
    chosen = np.take_along_axis(table, words[..., None], axis=2)[..., 0]
    return np.exp(np.where(known, 0.0, chosen).sum(axis=1))


def by_order(model: PointerModel, order: Sequence[int]) -> np.ndarray:
    """Return the probability of each path whose places become known in an order."""
    batch = model.text_batch([Request(SENTENCE)] * len(PATHS), 1)
    text = model.network.read_texts(batch).of(batch.row)
    words, n = padded(PATHS)
    total = np.zeros(len(PATHS))
    for k, place in enumerate(order):
        known = np.tile(np.isin(np.arange(4), order[:k]), (len(PATHS), 1))
        table = log_softmax(masked_logits(model.network, text, batch, words, known, n)[:, place], axis=1)
        total += table[np.arange(len(PATHS)), words[:, place]]
    return np.exp(total)


def test_paths_in_order_of_time_are_those_of_the_language(model: PointerModel) -> None:
    found = in_order(model, PATHS)
    assert found.sum() == pytest.approx(1.0)
    assert distance(found, LAW) < 0.04


@pytest.mark.parametrize("known", [(1, 0, 0, 1), (1, 0, 1, 1), (0, 1, 0, 1), (0, 0, 0, 1)])
def test_given_parts_leave_the_conditional_distribution(model: PointerModel, known: tuple[int, ...]) -> None:
    """In one pass nearly so; by the candidates that one call draws nearer than .02."""
    flags, in_time = [bool(value) for value in known], in_order(model, PATHS)
    distances, weights = [], []
    for given in {_given(path, flags) for path in PATHS}:
        chosen = [i for i, path in enumerate(PATHS) if _given(path, flags) == given]
        exact = LAW[chosen] / LAW[chosen].sum()
        one_pass = in_order(model, [PATHS[i] for i in chosen], flags)
        called = resampled(one_pass, in_time[chosen] / one_pass, CANDIDATES)
        distances.append((distance(one_pass, exact), distance(called, exact)))
        weights.append(LAW[chosen].sum())
    one_pass, called = np.average(distances, axis=0, weights=weights)
    print(f"given {known}: total variation in one pass {one_pass:.4f}, of one call {called:.4f}")
    assert one_pass < 0.12
    assert called < 0.02


def resampled(proposal: np.ndarray, weight: np.ndarray, n: int, draws: int = 400_000) -> np.ndarray:
    """Return how often importance resampling among ``n`` draws of a proposal takes each of its outcomes."""
    rng = np.random.default_rng(1)
    drawn = rng.choice(len(proposal), (draws, n), p=proposal / proposal.sum())
    share = (weight[drawn] / weight[drawn].sum(axis=1, keepdims=True)).cumsum(axis=1)
    taken = (share < rng.random((draws, 1))).sum(axis=1).clip(max=n - 1)
    return np.bincount(drawn[np.arange(draws), taken], minlength=len(proposal)) / draws


def test_one_call_draws_by_that_resampling(model: PointerModel) -> None:
    """What ``fill`` returns is distributed as the law says, up to the noise of 6,000 draws."""
    given = (0, None, None, 1)
    paths = fill(model, SENTENCE, given, 6000, 1)
    chosen = [i for i, path in enumerate(PATHS) if (path[0], path[3]) == (0, 1)]
    counts = Counter(path.positions for path in paths)
    found = np.array([counts[PATHS[i]] for i in chosen]) / 6000
    exact = LAW[chosen] / LAW[chosen].sum()
    noise = np.sqrt(2 * exact * (1 - exact) / np.pi / 6000).sum() / 2  # expected of exact draws
    print(f"one call, 6,000 draws: total variation {distance(found, exact):.4f}, of which noise {noise:.4f}")
    assert distance(found, exact) < 0.02 + noise


def _given(path: Positions, flags: Sequence[bool]) -> Positions:
    return tuple(word for word, flag in zip(path, flags, strict=True) if flag)


def test_the_order_hardly_matters(model: PointerModel) -> None:
    """Drawn in any order the language is the same, but for the network's own inconsistency."""
    found = {order: by_order(model, order) for order in permutations(range(4))}
    assert all(table.sum() == pytest.approx(1.0) for table in found.values())
    mean = np.mean(list(found.values()), axis=0)
    apart = [distance(table, mean) for table in found.values()]
    in_time = distance(mean, in_order(model, PATHS))
    print(
        f"one order from the mean of all: {np.mean(apart):.4f}, largest {max(apart):.4f}; in time {in_time:.4f}"
    )
    assert distance(mean, LAW) < 0.04
    assert max(apart) < 0.1
