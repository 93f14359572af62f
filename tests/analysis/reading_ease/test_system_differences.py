"""Differences between systems: intervals that hold what they say, Holm's correction, sentences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from scandl_analysis.reading_ease.system_differences import difference, differences, in_words


def system(
    rng: np.random.Generator, readers: np.ndarray, n: int, mean: float = 250.0
) -> dict[str, np.ndarray]:
    """Return times of texts that differ, read by readers who differ, with chance."""
    texts = rng.normal(mean, 20, n)
    return {str(k): texts[k] + readers + rng.normal(0, 30, len(readers)) for k in range(n)}


def test_systems_that_are_equal_differ_in_five_of_a_hundred() -> None:
    rng = np.random.default_rng(5)
    holds = [0, 0]
    for _ in range(200):
        readers = rng.normal(0, 60, 24)
        a, b = system(rng, readers, 30), system(rng, readers, 30)
        found = difference(a, b, relative=True)
        holds[0] += found["low"] <= 0 <= found["high"]
        holds[1] += found["percent_low"] <= 0 <= found["percent_high"]
    assert all(0.92 <= each / 200 <= 0.98 for each in holds)


def test_the_same_texts_do_not_differ_at_all() -> None:
    a = system(np.random.default_rng(1), np.zeros(4), 5)
    found = difference(a, a, relative=True)
    assert (found["difference"], found["low"], found["high"], found["p"]) == (0.0, 0.0, 0.0, 1.0)
    assert (found["percent"], found["higher"]) == (0.0, 0.5)


def test_without_readers_it_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(5, 1, 20), rng.normal(4, 1, 20)
    a, b = ({str(k): np.array([v]) for k, v in enumerate(each)} for each in (x, y))
    found = difference(a, b, relative=False)
    test = stats.ttest_rel(x, y)
    assert found["p"] == pytest.approx(test.pvalue, rel=1e-6)
    assert (found["low"], found["high"]) == pytest.approx(tuple(test.confidence_interval()), rel=1e-5)
    assert found["higher"] == np.mean(x > y)
    assert "percent" not in found


def test_items_and_values_that_are_missing_are_left_out() -> None:
    a = {"1": np.array([2.0, np.nan]), "2": np.array([3.0, 5.0]), "9": np.array([1.0, 1.0])}
    b = {"1": np.array([1.0, 7.0]), "2": np.array([1.0, 1.0])}
    found = difference(a, b, relative=False)
    assert found["n_items"] == 2
    assert found["difference"] == pytest.approx((1 + 2 + 4) / 3)
    assert difference({"1": np.array([np.nan])}, {"1": np.array([1.0])}, relative=False) == {"n_items": 0}


def test_pairs_are_corrected_by_holm_within_a_measure() -> None:
    rng = np.random.default_rng(3)
    systems = {
        name: system(rng, np.zeros(6), 12, mean) for name, mean in zip("ABC", (250, 260, 300), strict=True)
    }
    table = differences({"L1": {"ms_per_word": systems}}, ["ms_per_word"])
    assert list(zip(table["a"], table["b"], strict=True)) == [("A", "B"), ("A", "C"), ("B", "C")]
    p = np.sort(table["p"])
    expected = np.maximum.accumulate(np.minimum(p * [3, 2, 1], 1))
    assert np.sort(table["p_holm"]) == pytest.approx(expected)


def test_a_difference_is_said_as_what_it_is() -> None:
    row = {
        "a": "A",
        "b": "B",
        "percent": -4.0,
        "percent_low": -6.0,
        "percent_high": -2.0,
        "higher": 0.2,
        "n_items": 9,
    }
    assert in_words(row) == "A takes 4.0 % less time per word than B [2.0, 6.0]; longer in 20 % of 9 items"
    assert in_words({**row, "percent_high": 1.0}).startswith("A and B cannot be told apart: ")
