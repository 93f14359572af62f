from __future__ import annotations

import numpy as np
import pytest

from scandl.measures.metric import HIGHER, LOWER, Metric, OnDemand


@pytest.mark.parametrize(("ideal", "best_first"), [(LOWER, [0, 1, 2]), (HIGHER, [2, 1, 0]), (1.0, [1, 0, 2])])
def test_values_are_ranked_by_how_bad_they_are(ideal, best_first):
    losses = Metric("m", "a number", ideal=ideal).loss(np.array([0.25, 0.75, 2.0]))
    assert np.argsort(losses).tolist() == best_first


def test_a_metric_with_a_score_is_one_of_pairs():
    assert Metric("m", "a number", OnDemand("nld")).level == "pair"
    assert Metric("m", "a number").level == "distribution"


def test_a_heading_is_short_where_there_is_a_short_name():
    assert Metric("m", "a number").heading == "m"
    assert Metric("m", "a number", short="M").heading == "M"


def test_a_definition_of_its_own_is_kept():
    assert Metric("m", "a number", definition="What it is. Lower is better.").meaning.startswith(
        "What it is."
    )
    assert Metric("m", "share of words", ideal=0.5).meaning == "Share of words. The nearer to 0.5 the better."
