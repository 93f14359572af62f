"""When two conditions part: survival curves of first fixations, and the point from which they differ.

The survival curve of a condition is the share of fixations that last longer than t ms, for each reader,
averaged over readers. The fixations of each reader and condition are drawn anew, many times. In each sample
the divergence point is the first of five successive milliseconds in which one curve is at least 1.5
percentage points above the other. Its median and the 2.5 and 97.5 % quantiles are reported (Reingold &
Sheridan, 2014, Frontiers in Psychology 5, 1432). Chance opens such gaps too: first ask ``fit`` whether there
is an effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scandl.errors import ConfigError, did_you_mean
from scandl.extras import need
from scandl.seeds import stream
from scandl.statistics.bootstrap import Floats

if TYPE_CHECKING:
    import pandas as pd

GAP, RUN = 0.015, 5
"""How far apart the curves must be, and for how many milliseconds in a row."""
_FEWEST = 0.5
"""Share of samples in which the curves part, below which no point is reported."""


@dataclass(frozen=True)
class Divergence:
    """Where the survival curves of two conditions part."""

    longer: str
    shorter: str
    point: float | None  # ms; None where the curves part in fewer than half of the samples
    low: float | None
    high: float | None
    share: float  # of the samples in which the curves part
    n_readers: int  # those who have fixations in both conditions
    curves: pd.DataFrame  # ms, the share that survives in either condition, their difference with interval

    def __str__(self) -> str:
        if self.point is None:
            return f"{self.longer} and {self.shorter} do not part ({self.share:.0%} of samples)"
        ends = f"[{self.low:.0f}, {self.high:.0f}]"
        where = f"at {self.point:.0f} ms {ends} ({self.share:.0%} of samples)"
        return f"{self.longer} parts from {self.shorter} {where}"


def divergence_point(
    words: pd.DataFrame,
    by: str,
    levels: Sequence[str] = (),
    *,
    measure: str = "FFD",
    reader: str = "reader",
    longest: int = 1000,
    resamples: int = 1000,
    seed: int = 1,
) -> Divergence:
    """Return from which millisecond on the fixations of two conditions differ.

    Parameters
    ----------
    words
        A row per reader and word, such as ``word_table`` makes; rows without the measure are left out.
    by
        The column of the condition.
    levels
        Two of its levels; by default it has two.
    measure
        A column of durations in ms.
    reader
        The column of readers. Those without fixations in both conditions are left out.
    longest
        Where curves end, in ms.
    resamples
        How often fixations are drawn anew.
    seed
        The seed of the draws.

    Returns
    -------
    Divergence
        The point with its 95 % interval, and the curves.

    Examples
    --------
    >>> import pandas as pd
    >>> words = pd.DataFrame({"reader": ["r1", "r2"] * 2, "condition": ["easy"] * 2 + ["hard"] * 2})
    >>> print(divergence_point(words.assign(FFD=[200.0, 200.0, 260.0, 260.0]), "condition", resamples=9))
    hard parts from easy at 200 ms [200, 200] (100% of samples)
    """
    for name in (by, measure, reader):
        if name not in words:
            raise ConfigError(
                f"the table has no column {name!r}{did_you_mean(name, map(str, words.columns))}"
            )
    chosen = list(levels) or sorted(map(str, words[by].dropna().unique()))
    if len(chosen) != 2:
        raise ConfigError(f"{by} has the levels {', '.join(chosen)}: name two of them")
    kept = words.dropna(subset=[measure])
    parts = [kept[kept[by].astype(str) == level] for level in chosen]
    readers = sorted(set(parts[0][reader]) & set(parts[1][reader]))
    if not readers:
        raise ConfigError(f"no {reader} has {measure} in both {chosen[0]} and {chosen[1]}")
    parts = [part[part[reader].isin(readers)] for part in parts]
    means = [part.groupby(reader)[measure].mean().mean() for part in parts]
    longer, shorter = (0, 1) if means[0] > means[1] else (1, 0)
    rng = stream(seed, "divergence", measure)
    counts = [_counts(part, reader, measure, longest) for part in parts]
    seen = [_survival(each[:, None]) for each in counts]
    drawn = [_survival(_again(each, resamples, rng)) for each in counts]
    difference = drawn[longer] - drawn[shorter]
    points = _first_runs(difference >= GAP)
    share = float((points >= 0).mean())
    ends: tuple[float | None, ...] = (None, None, None)
    if share >= _FEWEST:
        ends = tuple(map(float, np.quantile(points[points >= 0], [0.5, 0.025, 0.975])))
    low, high = np.quantile(difference, [0.025, 0.975], axis=0)
    curves = {"ms": np.arange(longest + 1)} | {
        level: each[0] for level, each in zip(chosen, seen, strict=True)
    }
    curves |= {"difference": (seen[longer] - seen[shorter])[0], "low": low, "high": high}
    table = need("pandas", "analysis").DataFrame(curves)
    names = chosen[longer], chosen[shorter]
    return Divergence(*names, ends[0], ends[1], ends[2], share, len(readers), table)


def _counts(part: pd.DataFrame, reader: str, measure: str, longest: int) -> Floats:
    """Return how many fixations of each reader last so many ms, (reader, ms); longer ones are the last."""
    ms = np.minimum(part[measure].to_numpy(float), longest).astype(int)
    rows = np.unique(part[reader].astype(str), return_inverse=True)[1]
    counts = np.zeros((rows.max() + 1, longest + 1))
    np.add.at(counts, (rows, ms), 1.0)
    return counts


def _again(counts: Floats, samples: int, rng: np.random.Generator) -> Floats:
    """Return counts of fixations drawn anew within each reader, (reader, sample, ms)."""
    n = counts.sum(axis=1).astype(int)
    return np.stack([rng.multinomial(k, row / k, size=samples) for k, row in zip(n, counts, strict=True)])


def _survival(counts: Floats) -> Floats:
    """Return the share of fixations that last longer, the mean over readers: (sample, ms)."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.asarray((1.0 - counts.cumsum(axis=-1) / total).mean(axis=0))


def _first_runs(apart: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return where the first run of five begins in each row, −1 where there is none.

    >>> _first_runs(np.array([[0, 1, 1, 1, 1, 1], [1, 1, 1, 0, 1, 1]], dtype=bool))
    array([ 1, -1])
    """
    runs = np.lib.stride_tricks.sliding_window_view(apart, RUN, axis=1)
    whole: NDArray[np.bool_] = np.asarray(runs.all(axis=2))
    return np.where(whole.any(axis=1), whole.argmax(axis=1), -1)
