"""Levenshtein distances between scanpaths, normalised in the ways the literature uses.

Everything here is one edit distance LD (insert, delete, substitute a fixation, each 1) and what it
is divided by; ``KERNELS`` names the divisions. The batched forms need rapidfuzz and numpy only.

A path may also be written in time, a word once for every 50 ms it is looked at; an edit distance of
such paths counts how long a word is fixated beside which one. A fixation is written at least once, so
that short ones stay visible and a path of single bins is the path itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from scandl.errors import ScandlError, did_you_mean
from scandl.records import Positions, Scanpath

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.intp]
Kernel: TypeAlias = Callable[[Floats, Floats, Floats], Floats]
"""(edit distances, lengths of one side, lengths of the other) -> normalised distances."""
CELLS = 32_768
"""Distances that are normalised at once, which a processor's cache can hold."""
STRIP = 2**20
"""Distances that are kept at once where all paths of a sentence meet each other: 8 MB."""
Strip: TypeAlias = tuple[slice, Floats]
"""Which paths, and their distances to all."""


def levenshtein(human: Sequence[Hashable], predicted: Sequence[Hashable]) -> int:
    """Return the number of fixations to insert, delete or substitute.

    >>> levenshtein([1, 2, 3, 4, 5], [1, 3, 4, 4, 5])
    2
    """
    return Levenshtein.distance(human, predicted)


def nld(human: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Return LD / max(|S|, |Ŝ|): 0 is identical, 1 is disjoint. It is no metric.

    Parameters
    ----------
    human, predicted
        Two paths: word positions, or anything else that can be compared.

    Returns
    -------
    float
        The normalised Levenshtein distance; 0 for two empty paths.

    Examples
    --------
    >>> nld([0, 1, 2, 3], [0, 1, 1, 3])
    0.25
    >>> nld([], []), nld([], [0, 1])
    (0.0, 1.0)
    >>> nld("ab", "ba") > nld("ab", "aba") + nld("aba", "ba")  # the triangle inequality fails
    True
    """
    return levenshtein(human, predicted) / max(len(human), len(predicted), 1)


def nld_scandl(human: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Return LD / (max(|S|, |Ŝ|) + 2): NLD with a CLS before and a SEP after both paths.

    The two symbols match each other, so they only lengthen the paths. The published numbers of
    ScanDL are in this convention and therefore smaller than ``nld``.

    >>> nld_scandl([1, 2], [2, 1])
    0.5
    """
    return levenshtein(human, predicted) / (max(len(human), len(predicted)) + 2)


def yujian_bo(human: Sequence[Hashable], predicted: Sequence[Hashable]) -> float:
    """Return 2 LD / (|S| + |Ŝ| + LD), which is a metric (Yujian & Bo, 2007).

    >>> yujian_bo([1, 2], [1, 2, 1])
    0.3333333333333333
    >>> yujian_bo([], [])
    0.0
    """
    distance = levenshtein(human, predicted)
    return 2 * distance / max(len(human) + len(predicted) + distance, 1)


KERNELS: dict[str, Kernel] = {
    "levenshtein": lambda distance, m, n: distance,
    "nld": lambda distance, m, n: distance / np.maximum(np.maximum(m, n), 1.0),
    "nld-scandl": lambda distance, m, n: distance / (np.maximum(m, n) + 2.0),
    "yujian-bo": lambda distance, m, n: 2.0 * distance / np.maximum(m + n + distance, 1.0),
}


def paired(a: Sequence[Positions], b: Sequence[Positions], kernel: str = "nld") -> Floats:
    """Return the distance of each path in ``a`` to the path at the same place in ``b``.

    >>> paired([(0, 1, 2, 3), ()], [(0, 1, 1, 3), ()])
    array([0.25, 0.  ])
    """
    if len(a) != len(b):
        raise ScandlError(f"paired distances need as many paths on both sides, not {len(a)} and {len(b)}")
    normalised = _kernel(kernel)
    if not a:
        return np.zeros(0)
    left, right = _packed(a, b)
    distance = cpdist(left, right, scorer=Levenshtein.distance).astype(np.float64)
    return normalised(distance, _lengths(left), _lengths(right))


def pairwise(a: Sequence[Positions], b: Sequence[Positions], kernel: str = "nld") -> Floats:
    """Return the distances of all paths in ``a`` (rows) to all paths in ``b`` (columns).

    >>> pairwise([(0, 1), (0, 2)], [(0, 1), (1, 0), ()])
    array([[0. , 1. , 1. ],
           [0.5, 1. , 1. ]])
    """
    normalised = _kernel(kernel)
    if not a or not b:
        return np.zeros((len(a), len(b)))
    left, right = _packed(a, b)
    m, n = _lengths(left)[:, None], _lengths(right)[None, :]
    found = np.empty((len(a), len(b)))
    step = max(1, CELLS // len(b))
    for i in range(0, len(a), step):
        distance = cdist(left[i : i + step], right, scorer=Levenshtein.distance)
        found[i : i + step] = normalised(distance, m[i : i + step], n)
    return found


def strips(paths: Sequence[Positions], kernel: str = "nld") -> Iterator[Strip]:
    """Yield the distances of some paths after others to all of them; few paths are all in one strip.

    >>> [(rows, apart.shape) for rows, apart in strips([(0,), (1,), (2,)])]
    [(slice(0, 3, None), (3, 3))]
    """
    n = len(paths)
    step = max(1, STRIP // max(n, 1))
    for i in range(0, n, step):
        rows = slice(i, min(i + step, n))
        yield rows, pairwise(paths[rows], paths, kernel)


def distinct(paths: Iterable[Positions]) -> tuple[list[Positions], Codes]:
    """Return the different paths and which of them each is: constant models have one."""
    number: dict[Positions, int] = {}
    which = [number.setdefault(path, len(number)) for path in paths]
    return list(number), np.array(which, dtype=np.intp)


def _kernel(name: str) -> Kernel:
    if name not in KERNELS:
        raise ScandlError(f"no distance {name!r}{did_you_mean(name, KERNELS)}")
    return KERNELS[name]


def _packed(
    a: Sequence[Positions], b: Sequence[Positions]
) -> tuple[Sequence[Sequence[Hashable]], Sequence[Sequence[Hashable]]]:
    """Turn paths into bytes, four times as fast to compare as integers; long texts keep their integers."""
    a, b = _tuples(a), _tuples(b)
    try:
        return list(map(bytes, a)), list(map(bytes, b))
    except ValueError:  # a position above 255
        return a, b


def _tuples(paths: Sequence[Positions]) -> Sequence[Positions]:
    """Return paths whose ``bytes`` are their positions; those of an array would be its memory."""
    return paths if isinstance(paths[0], tuple) else [tuple(path) for path in paths]


def _lengths(paths: Sequence[Sequence[Hashable]]) -> Floats:
    return np.fromiter(map(len, paths), np.float64, len(paths))


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
    >>> kernel, [path.positions for path in seen["s1"]]
    ('nld', [(0, 2, 2)])
    """
    bin_ms = bin_of(kernel)
    if bin_ms is None:
        return kernel, paths
    return "nld", {
        sentence: [
            replace(path, positions=in_bins(path.positions, path.durations or (), bin_ms), durations=None)
            for path in with_durations(found)
        ]
        for sentence, found in paths.items()
    }
