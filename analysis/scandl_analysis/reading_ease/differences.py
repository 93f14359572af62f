"""Differences: between systems that wrote the same items, and between groups of readers of the same texts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.statistics.bootstrap import holm
from scandl.statistics.clustered import (
    means_uncertainty,
    ratio_uncertainty,
    share_interval,
    t_quantile,
    two_sided_t,
)

Array = NDArray[np.float64]
ByItem = Mapping[str, Array]
"""Item -> one value per reader, or a single one where nobody has to read."""
ByText = Mapping[str, Array]
"""Text -> ms per word of each reader."""

COLUMNS = (
    *("group", "measure", "a", "b", "n_items", "mean_a", "mean_b"),
    *("difference", "low", "high", "p", "p_holm"),
    *("percent", "percent_low", "percent_high", "higher", "higher_low", "higher_high"),
)
GROUP_COLUMNS = ("text_id", "group", "than", "percent", "low", "high", "p_holm", "flagged", "words")
_WORDS = 3


def difference(a: ByItem, b: ByItem, *, relative: bool) -> dict[str, float]:
    """Return how much higher a measure is in the texts of one system than in those of another.

    Parameters
    ----------
    a, b
        The measure in the texts of either; items that one of them lacks are left out.
    relative
        Whether to say it in percent of ``b`` too: the ratio of the means, as of times.

    Returns
    -------
    dict
        The columns of the table from ``n_items`` on. Intervals are over readers and items, where there are
        two or more; ``higher`` is the share of items in which ``a`` is higher, a draw counted half.
    """
    items = sorted(a.keys() & b.keys())
    x, y = (np.stack([each[item] for item in items]) for each in (a, b))
    known = ~(np.isnan(x) | np.isnan(y))
    kept = known.any(axis=1)
    x, y, known = x[kept], y[kept], known[kept]
    if not len(x):
        return {"n_items": 0}
    item, reader = np.nonzero(known)
    who = reader if x.shape[1] > 1 else None
    top, bottom = x[known][:, None], y[known][:, None]
    value = float((top - bottom).mean())
    sure = means_uncertainty(top - bottom, who, item)
    low, high = sure.interval(value, [1.0]) or (math.nan, math.nan)
    p = sure.p_value(value, [1.0])
    found = {
        "n_items": len(x),
        "mean_a": float(top.mean()),
        "mean_b": float(bottom.mean()),
        "difference": value,
        "low": low,
        "high": high,
        "p": math.nan if p is None else p,
    }
    if relative:
        ratio = float(top.sum() / bottom.sum())
        ends = ratio_uncertainty(top, bottom, who, item).interval(ratio, [1.0]) or (math.nan, math.nan)
        percents = (100 * (r - 1) for r in (ratio, *ends))
        found |= zip(("percent", "percent_low", "percent_high"), percents, strict=True)
    by_item = np.where(known, x - y, 0.0).sum(axis=1) / known.sum(axis=1)
    higher = float((by_item > 0).mean() + 0.5 * (by_item == 0).mean())
    least, most = share_interval(higher, len(x))
    return found | {"higher": higher, "higher_low": least, "higher_high": most}


def differences(
    values: Mapping[str, Mapping[str, Mapping[str, ByItem]]], relative: Sequence[str]
) -> pd.DataFrame:
    """Return every pair of systems in every measure; p-values are Holm's over the pairs of a measure.

    ``values`` are by group, measure and system; ``relative`` names the measures that are said in percent.
    """
    rows: list[dict[str, object]] = []
    for group, measures in values.items():
        for measure, systems in measures.items():
            own = [
                {
                    "group": group,
                    "measure": measure,
                    "a": a,
                    "b": b,
                    **difference(systems[a], systems[b], relative=measure in relative),
                }
                for a, b in combinations(systems, 2)
            ]
            tested = [row for row in own if not math.isnan(float(row.get("p", math.nan)))]  # type: ignore[arg-type]
            for row, p in zip(tested, holm([float(row["p"]) for row in tested]), strict=True):  # type: ignore[arg-type]
                row["p_holm"] = p
            rows += own
    return pd.DataFrame(rows, columns=list(COLUMNS))


def system_means(values: Mapping[str, Mapping[str, Mapping[str, ByItem]]]) -> pd.DataFrame:
    """Return ms per word of each system and group, that which takes longest first, with intervals.

    They are over readers and items. ``values`` are by group, measure and system.
    """
    rows = []
    for group, measures in values.items():
        for system, by_item in measures.get("ms_per_word", {}).items():
            table = np.stack(list(by_item.values()))  # (items, readers)
            item, reader = np.nonzero(table == table)
            value = float(table.mean())
            sure = means_uncertainty(table.ravel()[:, None], reader if table.shape[1] > 1 else None, item)
            low, high = sure.interval(value, [1.0]) or (math.nan, math.nan)
            rows.append((group, system, len(table), value, low, high))
    found = pd.DataFrame(rows, columns=["group", "system", "n_items", "ms_per_word", "low", "high"])
    return found.sort_values("ms_per_word", ascending=False, kind="stable", ignore_index=True)


def in_words(row: Mapping[str, float | str]) -> str:
    """Return a difference in ms per word as a sentence; what Holm's p does not show is not told apart.

    >>> in_words({"a": "A", "b": "B", "percent": 4.04, "percent_low": 3.1, "percent_high": 5.0,
    ...     "higher": 0.75, "n_items": 60})
    'A takes 4.0 % longer per word than B [3.1, 5.0]; longer in 75 % of 60 items'
    """
    percent, low, high = (float(row[name]) for name in ("percent", "percent_low", "percent_high"))
    less = percent < 0
    size = f"{abs(percent):.1f} %"
    ends = f"[{-high:.1f}, {-low:.1f}]" if less else f"[{low:.1f}, {high:.1f}]"
    share = f"longer in {100 * float(row['higher']):.0f} % of {row['n_items']} items"
    what = f"takes {size} {'less time' if less else 'longer'} per word than"
    if low <= 0 <= high or float(row.get("p_holm", 0.0)) >= 0.05:
        return f"{row['a']} and {row['b']} cannot be told apart: {row['a']} {what} {row['b']} {ends}; {share}"
    return f"{row['a']} {what} {row['b']} {ends}; {share}"


def group_differences(times: Mapping[str, ByText], words: pd.DataFrame) -> pd.DataFrame:
    """Return by how many percent each text is harder for a group than the first group's times let expect.

    A reader's time for a text is divided by the reader's mean over all texts, so that slow readers do not
    count as much as hard texts do. The groups' means of that are compared (Welch's t). Texts are flagged
    whose p-value, corrected by Holm over the texts, is below .05 and whose difference is above 0; the words
    are those whose share of the group's time exceeds that of the first group most.
    """
    reference, *others = times
    rows = []
    for group in others:
        a, b = (relative(times[name]) for name in (reference, group))
        found = [(text, *welch(b[text], a[text])) for text in a]
        corrected = holm([p for *_, p in found])
        for (text, value, low, high, _), p in zip(found, corrected, strict=True):
            flagged = p < 0.05 and value > 0
            named = ", ".join(words_of(words, text, group, reference)) if flagged else ""
            rows.append((text, group, reference, 100 * value, 100 * low, 100 * high, p, flagged, named))
    return pd.DataFrame(rows, columns=list(GROUP_COLUMNS))


def relative(times: ByText) -> dict[str, Array]:
    """Return the times of each reader in units of the reader's mean over all texts.

    >>> relative({"a": np.array([100.0, 300.0]), "b": np.array([300.0, 300.0])})["a"].tolist()
    [0.5, 1.0]
    """
    means = np.mean(list(times.values()), axis=0)
    return {text: values / means for text, values in times.items()}


def welch(a: Array, b: Array) -> tuple[float, float, float, float]:
    """Return the difference of the means, its 95 % interval, and the p-value (Welch's t)."""
    parts = [float(each.var(ddof=1)) / len(each) if len(each) > 1 else math.nan for each in (a, b)]
    value, variance = float(a.mean() - b.mean()), sum(parts)
    if math.isnan(variance):
        return value, math.nan, math.nan, 1.0
    if variance == 0.0:
        return value, value, value, float(value == 0.0)
    df = variance**2 / sum(
        part**2 / (len(each) - 1) for part, each in zip(parts, (a, b), strict=True) if part
    )
    reach = t_quantile(0.975, df) * math.sqrt(variance)
    return value, value - reach, value + reach, two_sided_t(value / math.sqrt(variance), df)


def words_of(words: pd.DataFrame, text: str, group: str, reference: str, n: int = _WORDS) -> list[str]:
    """Return the words of a text on which a group spends more of its time than the first group does."""
    own = words[words["text_id"] == text]
    a, b = (own[own["group"] == name]["total_ms"].to_numpy() for name in (reference, group))
    more = b - a * (b.sum() / max(a.sum(), 1.0))
    named = own[own["group"] == group]["word"].tolist()
    return [named[k] for k in np.argsort(-more, kind="stable")[:n] if more[k] > 0]
