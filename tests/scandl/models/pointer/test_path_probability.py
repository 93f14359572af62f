"""Likelihoods against enumeration: they sum to one, and the bound is the mean over all sets of hidden places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
import pytest
from scipy.special import log_softmax

from scandl.corpora import Corpus
from scandl.models.model import Request
from scandl.models.pointer.drawing import masked_logits
from scandl.models.pointer.mixtures import length_log_prob, length_parameters, length_probabilities
from scandl.models.pointer.path_batch import padded
from scandl.models.pointer.path_probability import hide, in_order_logits, log_prob_bounds
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath, Sentence

MakeModel = Callable[..., PointerModel]
TWO = Sentence("two", "Dogs bark.")


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_all_paths_of_a_length_have_the_probability_of_the_length(make_model: MakeModel, n: int) -> None:
    model = make_model()
    paths = [Scanpath("a", "two", path) for path in product((0, 1), repeat=n)]
    total = np.exp(model.log_probs([TWO] * len(paths), paths)).sum()
    parameters = length_parameters(model.network, model.text_batch([Request(TWO, "a")], 1))[0]
    assert total == pytest.approx(length_probabilities(parameters, 2, n)[-1], rel=1e-9)


def test_given_parts_have_the_probability_one_in_all(make_model: MakeModel) -> None:
    """Over all completions of two hidden places, whatever is given."""
    model = make_model()
    batch = model.text_batch([Request(TWO, "a")], 1)
    known = np.array([[False, True, False, True]])
    total = 0.0
    for first, second in product((0, 1), repeat=2):
        words, n = padded([(first, 1, second, 0)])
        logits = log_softmax(in_order_logits(model.network, batch, words, n, known)[0], axis=1)
        total += np.exp(logits[0, first] + logits[2, second])
    assert total == pytest.approx(1.0)


def exact_bound(model: PointerModel, path: tuple[int, ...]) -> float:
    """Average over how many and which places are hidden, all of them."""
    batch = model.text_batch([Request(TWO, "a")], 1)
    text = model.network.read_texts(batch).of(batch.row)
    words, n_fixations = padded([path])
    n, total = len(path), 0.0
    for k in range(1, n + 1):
        sets = list(combinations(range(n), k))
        for hidden in sets:
            known = ~np.isin(np.arange(n), hidden)[None]
            table = log_softmax(
                masked_logits(model.network, text, batch, words, known, n_fixations)[0], axis=1
            )
            total += sum(table[i, path[i]] for i in hidden) * n / k / len(sets) / n
    return total


@pytest.mark.parametrize("path", [(0, 1), (1, 1), (0, 1, 0)])
def test_the_bound_is_that_of_enumeration(make_model: MakeModel, path: tuple[int, ...]) -> None:
    model = make_model("random")
    batch = model.text_batch([Request(TWO, "a")], 1)
    length = length_log_prob(length_parameters(model.network, batch)[0], 2, len(path))
    estimates = [
        log_prob_bounds(model.network, batch, [path], [np.random.default_rng(seed)], draws=250)[0]
        for seed in range(4)
    ]
    error = np.std(estimates, ddof=1) / 2
    assert error < 0.3
    assert np.mean(estimates) - length == pytest.approx(exact_bound(model, path), abs=5 * error + 1e-6)


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


@pytest.mark.parametrize("order", ["time", "random"])
def test_many_paths_are_as_likely_as_each(make_model: MakeModel, corpus: Corpus, order: str) -> None:
    model = make_model(order)
    sentences = [corpus.sentences[path.sentence_id] for path in corpus.scanpaths]
    together = model.log_probs(sentences, corpus.scanpaths)
    alone = [model.log_probs([s], [p])[0] for s, p in zip(sentences, corpus.scanpaths, strict=True)]
    assert together == pytest.approx(alone, abs=1e-6)
    assert all(value < 0 for value in together)
