"""How much faster the bootstrap in matrix form is than a loop over resamples, side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scandl.statistics.bootstrap import RESAMPLES, bootstrap_means

N = 10_000
LOOPED = 20  # resamples of the slow way; its time is scaled up


def main() -> None:
    rng = np.random.default_rng(1)
    values = rng.random(N)
    print(f"{N} instances, {RESAMPLES} resamples, CPU seconds (median of 3, interleaved)")
    print("readers × sentences | matrix | loop (scaled) | ratio")
    for n_readers, n_sentences in ((69, 145), (69, 5456), (1000, 10_000)):
        readers = [f"r{i}" for i in rng.integers(0, n_readers, N)]
        sentences = [f"s{i}" for i in rng.integers(0, n_sentences, N)]
        fast, slow = [], []
        for _ in range(3):
            fast.append(_cpu(partial(bootstrap_means, values, readers, sentences, seed=1)))
            slow.append(_cpu(partial(_loop, values, readers, sentences)) * RESAMPLES / LOOPED)
        a, b = sorted(fast)[1], sorted(slow)[1]
        print(f"{n_readers:>7} × {n_sentences:<9} | {a:6.3f} | {b:13.1f} | {b / a:5.0f}")


def _loop(values: NDArray[np.float64], readers: Sequence[str], sentences: Sequence[str]) -> None:
    """Resample the way one would write it first: dictionaries of counts, one resample at a time."""
    rng = np.random.default_rng(1)
    clusters = [sorted(set(readers)), sorted(set(sentences))]
    for _ in range(LOOPED):
        counts = []
        for names in clusters:
            drawn = dict.fromkeys(names, 0)
            for i in rng.integers(0, len(names), len(names)):
                drawn[names[i]] += 1
            counts.append(drawn)
        weights = [counts[0][r] * counts[1][s] for r, s in zip(readers, sentences, strict=True)]
        np.average(values, weights=weights)


def _cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
