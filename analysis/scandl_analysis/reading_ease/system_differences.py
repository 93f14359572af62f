"""Which system's texts take longer to read: paired differences over the items that both wrote."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.statistics.bootstrap import holm
from scandl.statistics.clustered import means_uncertainty, ratio_uncertainty, t_quantile

Array = NDArray[np.float64]
ByItem = Mapping[str, Array]
"""Item -> one value per reader, or a single one where nobody has to read."""

COLUMNS = (
    *("group", "measure", "a", "b", "n_items", "mean_a", "mean_b"),
    *("difference", "low", "high", "p", "p_holm"),
    *("percent", "percent_low", "percent_high", "higher", "higher_low", "higher_high"),
)
_Z = t_quantile(0.975, 1e9)


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


def share_interval(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of ``n`` (Wilson).

    >>> [round(end, 3) for end in share_interval(0.6, 100)]
    [0.502, 0.691]
    """
    middle = (share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
    reach = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n * n)) / (1 + _Z**2 / n)
    return middle - reach, middle + reach


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


def in_words(row: Mapping[str, float | str]) -> str:
    """Return a difference in ms per word as a sentence.

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
    if low <= 0 <= high:
        return f"{row['a']} and {row['b']} cannot be told apart: {row['a']} {what} {row['b']} {ends}; {share}"
    return f"{row['a']} {what} {row['b']} {ends}; {share}"
