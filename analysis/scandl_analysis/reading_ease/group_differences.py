"""Texts that are harder for one group of readers by more than others are, and the words that make them so."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.statistics.bootstrap import holm
from scandl.statistics.clustered import t_quantile, two_sided_t

Array = NDArray[np.float64]
ByText = Mapping[str, Array]
"""Text -> ms per word of each reader."""

COLUMNS = ("text_id", "group", "than", "percent", "low", "high", "p_holm", "flagged", "words")
_WORDS = 3


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
    return pd.DataFrame(rows, columns=list(COLUMNS))


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
