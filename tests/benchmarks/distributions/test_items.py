from __future__ import annotations

import numpy as np
import pytest

from scandl.records import Scanpath
from scandl_eval.distributions.items import crossed_weights, matched, multiplicities, reader_multiplicities


def test_sides_are_matched_by_sentence_and_the_rest_is_named():
    human = [Scanpath("a", "s", (0,)), Scanpath("b", "s", (1,)), Scanpath("a", "t", (2,))]
    model = [Scanpath("a", "s", (3,)), Scanpath("a", "u", (4,))]
    found = matched(human, model)
    assert [(item.sentence_id, item.paths) for item in found.items] == [("s", [(0,), (1,), (3,)])]
    assert found.left_out == ("t", "u")
    assert matched(human, model, min_model=2).items == ()


def test_every_resample_has_as_many_clusters_as_there_are():
    drawn = multiplicities(np.random.default_rng(1), 7, 5000)
    assert (drawn.sum(axis=1) == 7).all()
    assert drawn.mean(axis=0) == pytest.approx(1.0, abs=0.06)
    assert drawn.var() == pytest.approx(6 / 7, abs=0.05)  # of a binomial (7, 1/7)


def test_a_path_counts_as_often_as_its_sentence_times_its_reader():
    sentences, readers = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    weights = np.concatenate(list(crossed_weights(sentences, readers, 250, np.random.default_rng(2))))
    assert weights.shape == (250, 4)
    # With two of each the four products are (s, 2−s) × (r, 2−r).
    assert (weights.sum(axis=1) == 4).all()
    assert (weights[:, 0] * weights[:, 3] == weights[:, 1] * weights[:, 2]).all()


def test_all_paths_of_a_reader_are_drawn_together():
    paths = [Scanpath(reader, sentence, (0,)) for reader in "ba" for sentence in "st"]
    found = reader_multiplicities(paths, np.random.default_rng(3), 10)
    assert list(found) == ["a", "b"]
    assert (found["a"] + found["b"] == 2).all()
    assert reader_multiplicities([], np.random.default_rng(3), 10) == {}
