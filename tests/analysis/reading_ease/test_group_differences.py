"""Texts that are harder for one group: found again where made so, and hardly elsewhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from scandl_analysis.reading_ease.group_differences import group_differences, welch, words_of


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
