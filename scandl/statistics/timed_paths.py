"""Scanpaths written in time: a word once for every 50 ms it is looked at.

An edit distance of such paths counts how long a word is fixated beside which one. A fixation is
written at least once, so that short ones stay visible and a path of single bins is the path itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from scandl.records import Positions, Scanpath

BIN_MS = 50.0
TIMED = "nld-time"
"""The kernel of timed paths in bins of 50 ms; ``nld-time-25ms`` is that in bins of 25 ms."""
_BINS = re.compile(rf"{TIMED}(?:-([0-9.]+)ms)?")


def timed_kernel(bin_ms: float) -> str:
    """Return the name of the kernel of paths in bins of so many ms.

    >>> timed_kernel(50.0), timed_kernel(25.0)
    ('nld-time', 'nld-time-25ms')
    """
    return TIMED if bin_ms == BIN_MS else f"{TIMED}-{bin_ms:g}ms"


def bin_of(kernel: str) -> float | None:
    """Return the length of the bins of a timed kernel in ms; None for any other kernel.

    >>> bin_of("nld-time"), bin_of("nld-time-25ms"), bin_of("nld")
    (50.0, 25.0, None)
    """
    found = _BINS.fullmatch(kernel)
    return None if found is None else float(found[1] or BIN_MS)


def in_bins(words: Sequence[int], durations: Sequence[float], bin_ms: float = BIN_MS) -> Positions:
    """Repeat each word max(1, d / bin) times, rounded with halves up.

    >>> in_bins([0, 3, 4], [100, 125, 20])
    (0, 0, 3, 3, 3, 4)
    """
    return tuple(
        word
        for word, ms in zip(words, durations, strict=True)
        for _ in range(max(1, math.floor(ms / bin_ms + 0.5)))
    )


def with_durations(paths: Iterable[Scanpath]) -> list[Scanpath]:
    """Return the paths whose durations are known."""
    return [path for path in paths if path.durations is not None]


def seen_by(
    kernel: str, paths: Mapping[str, Sequence[Scanpath]]
) -> tuple[str, Mapping[str, Sequence[Scanpath]]]:
    """Return the paths of each sentence as a kernel sees them, and the edit distance it takes of them.

    A timed kernel sees the paths that have durations, written in bins; any other sees what there is.

    >>> paths = {"s1": [Scanpath("r1", "s1", (0, 2), (60, 110)), Scanpath("r2", "s1", (0,))]}
    >>> kernel, seen = seen_by("nld-time", paths)
    >>> kernel, [path.words for path in seen["s1"]]
    ('nld', [(0, 2, 2)])
    """
    bin_ms = bin_of(kernel)
    if bin_ms is None:
        return kernel, paths
    return "nld", {
        sentence: [
            replace(path, words=in_bins(path.words, path.durations or (), bin_ms), durations=None)
            for path in with_durations(found)
        ]
        for sentence, found in paths.items()
    }
