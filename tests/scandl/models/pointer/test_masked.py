"""The absorbing process against enumeration: marginals, bound, and what is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations, product

import numpy as np
import pytest
import torch
from scipy.special import log_softmax
from scipy.stats import lognorm

from scandl.models.model import Request
from scandl.models.pointer import objective
from scandl.models.pointer.masked import (
    N_PARAMETERS,
    _logits,
    hidden_states,
    hide,
    length_log_prob,
    length_probabilities,
    log_prob_bounds,
    longest,
)
from scandl.models.pointer.path_batch import TextBatch, padded
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

MakeModel = Callable[..., PointerModel]
TWO = Sentence("two", "Dogs bark.")


def batch_of(model: PointerModel, sentence: Sentence) -> TextBatch:
    return model._text_batch([sentence], [model.reader_of(Request(sentence, "a"), 1)])


def conditional(model: PointerModel, path: tuple[int, ...], hidden: tuple[int, ...]) -> np.ndarray:
    """Return log p(word | known) at each place, when the places ``hidden`` are hidden."""
    batch = batch_of(model, TWO)
    words, n = padded([path])
    flags = np.isin(np.arange(len(path)), hidden)[None]
    logits = _logits(model.network, model.network.read_batch(batch), batch, words, flags, n)
    return np.asarray(log_softmax(logits, axis=2)[0])


def exact_bound(model: PointerModel, path: tuple[int, ...]) -> float:
    """Average over how many and which places are hidden, all of them."""
    n = len(path)
    total = 0.0
    for k in range(1, n + 1):
        for hidden in combinations(range(n), k):
            table = conditional(model, path, hidden)
            total += sum(table[i, path[i]] for i in hidden) * n / k / len(list(combinations(range(n), k))) / n
    return total


def by_orders(model: PointerModel, path: tuple[int, ...]) -> list[float]:
    """Return log p(path | order) for every order in which its places may become known."""
    found = []
    for order in permutations(range(len(path))):
        steps = [conditional(model, path, order[k:])[i, path[i]] for k, i in enumerate(order)]
        found.append(float(sum(steps)))
    return found


def test_every_set_of_places_is_hidden_as_often() -> None:
    """With n of N hidden all sets of n are alike, and n is uniform: the marginals of the process."""
    rng = np.random.default_rng(0)
    hidden, weights = hide(np.full(60_000, 3), 3, rng.random((60_000, 4)))
    counts = Counter(map(tuple, hidden.tolist()))
    assert len(counts) == 7
    for places, count in counts.items():
        n_sets = {1: 3, 2: 3, 3: 1}[sum(places)]
        assert count / 60_000 == pytest.approx(1 / 3 / n_sets, abs=0.008)
    assert np.allclose(weights, 3 / hidden.sum(axis=1))


def test_places_after_the_end_are_never_hidden() -> None:
    hidden, _ = hide(np.array([1, 3]), 3, np.random.default_rng(0).random((2, 4)))
    assert not hidden[0, 1:].any()


@pytest.mark.parametrize("path", [(0, 1), (1, 1), (0, 1, 0)])
def test_the_bound_is_that_of_enumeration_and_below_the_likelihood(
    make_model: MakeModel, path: tuple[int, ...]
) -> None:
    model = make_model("absorbing")
    bound, orders = exact_bound(model, path), by_orders(model, path)
    # The mean over sets of hidden places is the mean over orders, term by term.
    assert bound == pytest.approx(np.mean(orders), abs=1e-5)
    exact = np.log(np.mean(np.exp(orders)))
    assert bound <= exact + 1e-9
    # The estimate is unbiased: many draws come to it.
    batch = batch_of(model, TWO)
    estimates = [
        log_prob_bounds(model.network, batch, [path], [np.random.default_rng(seed)], draws=250)[0]
        for seed in range(6)
    ]
    parameters = model.network.lengths(model.network.read_batch(batch).gist, batch.conditions)[0]
    length = np.log(length_probabilities(parameters, 2)[len(path) - 1])
    error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
    assert error < 0.3
    assert np.mean(estimates) - length == pytest.approx(bound, abs=4 * error)


def test_paths_are_drawn_as_often_as_their_probability(make_model: MakeModel) -> None:
    """Over all paths of two fixations: the mean over orders of the product of what each step gives."""
    model = make_model("absorbing")
    expected = {path: float(np.mean(np.exp(by_orders(model, path)))) for path in product((0, 1), repeat=2)}
    assert sum(expected.values()) == pytest.approx(1.0, abs=1e-6)
    paths = model.read([Request(TWO, "a", k) for k in range(6000)], seed=1)
    drawn = Counter(path.positions for path in paths if path.n_fixations == 2)
    for path, probability in expected.items():
        assert drawn[path] / drawn.total() == pytest.approx(probability, abs=0.05)


def test_a_bound_is_the_same_whenever_it_is_asked_for(make_model: MakeModel, corpus) -> None:
    model = make_model("absorbing")
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    together = model.log_probs(sentences, corpus.scanpaths)
    alone = [model.log_probs([s], [p])[0] for s, p in zip(sentences, corpus.scanpaths, strict=True)]
    assert together == pytest.approx(alone, abs=1e-4)
    assert all(value < 0 for value in together)


def test_few_steps_draw_whole_paths(make_model: MakeModel) -> None:
    model = make_model("absorbing", steps=2)
    sentence = Sentence("long", " ".join(["word"] * 40))
    for path in model.read([Request(sentence, "", k) for k in range(20)], seed=1):
        assert isinstance(path, Scanpath)
        assert all(0 <= word < 40 for word in path.positions)


@pytest.mark.parametrize("seed", range(10))
def test_references_are_the_nearest_known_fixations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_words = rng.integers(1, 8, 3)
    paths = [tuple(rng.integers(0, m, rng.integers(1, 10)).tolist()) for m in n_words]
    words, n_fixations = padded(paths)
    hidden = (rng.random(words.shape) < 0.6) & (np.arange(words.shape[1]) < n_fixations[:, None])
    states = hidden_states(words, hidden, n_fixations, n_words, int(n_words.max()))
    for b, path in enumerate(paths):
        known = [k for k in range(len(path)) if not hidden[b, k]]
        for i in range(len(path)):
            before = max((k for k in known if k < i), default=-1)
            after = min((k for k in known if k > i), default=len(path))
            left = path[before] if before >= 0 else -1
            right = path[after] if after < len(path) else int(n_words[b])
            assert states.references[b, i, :2].tolist() == [left, right]
            if i in known:
                assert states.anchor[b, i] == path[i]
            else:
                between = left + (right - left) * (i - before) / (after - before)
                assert states.anchor[b, i] == np.clip(np.rint(between), 0, n_words[b] - 1)


def test_hidden_words_are_not_looked_at() -> None:
    words, n = np.array([[0, 1, 2, 3]]), np.array([4])
    hidden = np.array([[False, True, True, False]])
    other = np.array([[0, 3, 0, 3]])
    one, two = (hidden_states(w, hidden, n, n, 4) for w in (words, other))
    for name in ("references", "counts", "anchor", "scalars"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


@pytest.mark.parametrize("n_words", [1, 7, 60])
def test_probabilities_sum_to_one(n_words: int) -> None:
    parameters = np.random.default_rng(n_words).normal(size=N_PARAMETERS).astype(np.float32)
    probabilities = length_probabilities(parameters, n_words)
    assert len(probabilities) == longest(n_words)
    assert probabilities.sum() == pytest.approx(1.0)
    assert (probabilities >= 0).all()


def test_one_component_is_scipy_s_log_normal() -> None:
    parameters = np.array([0, -40, -40, 0.2, 0, 0, -0.7, 0, 0], dtype=np.float32)
    law = lognorm(s=np.exp(-0.7), scale=np.exp(0.2))
    expected = law.cdf((4 + 0.5) / 6) - law.cdf((4 - 0.5) / 6)
    assert length_log_prob(parameters, 6, 4) == pytest.approx(np.log(expected), abs=1e-6)


def test_what_is_trained_is_what_is_drawn_from() -> None:
    rng = np.random.default_rng(0)
    parameters = rng.normal(size=(20, N_PARAMETERS)).astype(np.float32)
    n_words, n_fixations = rng.integers(1, 30, 20), rng.integers(1, 30, 20)
    learned = objective.length_log_prob(*map(torch.from_numpy, (parameters, n_words, n_fixations)))
    drawn = [
        length_log_prob(*case)
        for case in zip(parameters, n_words.tolist(), n_fixations.tolist(), strict=True)
    ]
    assert learned.tolist() == pytest.approx(drawn, abs=1e-4)
