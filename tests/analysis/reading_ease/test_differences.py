"""Differences between systems and groups: intervals that hold what they say, Holm's correction, flags."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl_analysis.reading_ease.differences import (
    difference,
    differences,
    group_differences,
    in_words,
    system_means,
    welch,
    words_of,
)


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
    assert in_words({**row, "p_holm": 0.06}).startswith("A and B cannot be told apart: ")


def words(texts: list[str]) -> pd.DataFrame:
    rows = [
        (text, group, word, ms)
        for text in texts
        for group, times in (("L1", (100, 100, 100)), ("L2", (150, 600, 150)))
        for word, ms in zip(("the", "abstruse", "cat"), times, strict=True)
    ]
    return pd.DataFrame(rows, columns=["text_id", "group", "word", "total_ms"])


def test_welch_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(1.2, 0.3, 12), rng.normal(1, 0.1, 30)
    value, low, high, p = welch(a, b)
    test = stats.ttest_ind(a, b, equal_var=False)
    assert p == pytest.approx(test.pvalue, rel=1e-6)
    assert (low, high) == pytest.approx(tuple(test.confidence_interval()), rel=1e-5)
    assert value == pytest.approx(a.mean() - b.mean())
    assert welch(a[:1], b)[3] == 1.0


def test_the_text_that_was_made_harder_is_flagged_with_its_word() -> None:
    rng = np.random.default_rng(2)
    texts = [f"t{k}" for k in range(20)]
    hard = rng.normal(250, 30, 20)
    speed = {"L1": rng.normal(1, 0.2, 40), "L2": rng.normal(1.5, 0.3, 40)}
    times = {
        group: {text: hard[k] * own * rng.normal(1, 0.05, 40) for k, text in enumerate(texts)}
        for group, own in speed.items()
    }
    times["L2"]["t7"] = times["L2"]["t7"] * 1.15
    found = group_differences(times, words(texts)).set_index("text_id")
    assert found.index[found["flagged"]].tolist() == ["t7"]
    assert found.loc["t7", "words"] == "abstruse"
    assert found.loc["t7", "low"] < 15 < found.loc["t7", "high"] + 2
    assert (found["words"].drop("t7") == "").all()


def test_a_slower_group_alone_flags_nothing() -> None:
    times = {"L1": {"a": np.array([200.0, 210.0]), "b": np.array([300.0, 310.0])}}
    times["L2"] = {text: 2 * values for text, values in times["L1"].items()}
    assert not group_differences(times, words(["a", "b"]))["flagged"].any()
    assert words_of(words(["a"]), "a", "L1", "L1") == []


def test_the_mean_of_a_system_has_the_interval_of_its_readers_and_items() -> None:
    rng = np.random.default_rng(6)
    holds = 0
    for _ in range(200):
        own = system(rng, rng.normal(0, 60, 24), 30)
        found = system_means({"L1": {"ms_per_word": {"A": own, "B": {k: v + 9 for k, v in own.items()}}}})
        assert found["system"].tolist() == ["B", "A"]
        holds += found["low"][1] <= 250 <= found["high"][1]
    assert 0.9 <= holds / 200 <= 0.985
