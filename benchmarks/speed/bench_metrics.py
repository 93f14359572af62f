"""Measure metrics and distribution metrics side by side with what they are built on, in CPU time.

Run it with ``python benchmarks/speed/bench_metrics.py``. Alternatives are interleaved in one run and
the fastest of several rounds is kept, since only ratios hold on a shared machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import textdistance
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist, cpdist

from scandl.measures.pair.alignment import scasim
from scandl.measures.pair.nld import paired, pairwise
from scandl.records import Positions, Scanpath
from scandl.statistics.energy import energy_terms, permutation_p

ROUNDS = 5


def random_paths(n: int, seed: int) -> list[Positions]:
    rng = np.random.default_rng(seed)
    return [tuple(rng.integers(0, 14, rng.integers(5, 22)).tolist()) for _ in range(n)]


def interleaved(**ways: Callable[[], object]) -> dict[str, float]:
    best = dict.fromkeys(ways, math.inf)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.process_time()
            way()
            best[name] = min(best[name], time.process_time() - start)
    return best


def nld_pairs() -> None:
    a, b = random_paths(100_000, 1), random_paths(100_000, 2)
    packed_a, packed_b = ["".join(map(chr, path)) for path in a], ["".join(map(chr, path)) for path in b]
    few = 1000
    naive = textdistance.Levenshtein(external=False)
    found = interleaved(
        ours=lambda: paired(a, b),
        bare=lambda: cpdist(packed_a, packed_b, scorer=Levenshtein.distance),
        pack=lambda: (list(map(bytes, a)), list(map(bytes, b))),
        textdistance=lambda: [naive.normalized_distance(x, y) for x, y in zip(a[:few], b[:few], strict=True)],
    )
    per_pair = found["textdistance"] / few * len(a)
    print(f"NLD, 100,000 pairs of tuples        {found['ours']:.3f} s")
    print(f"  textdistance / ours               {per_pair / found['ours']:.0f}×")
    print(f"  ours / bare cpdist, packed before {found['ours'] / found['bare']:.2f}×")
    print(f"  of that turning tuples into bytes {found['pack'] / found['bare']:.2f}×")
    packed = interleaved(
        ours=lambda: paired(a, b),
        bare=lambda: cpdist(list(map(bytes, a)), list(map(bytes, b)), scorer=Levenshtein.distance),
    )
    print(f"  ours / cpdist that packs too      {packed['ours'] / packed['bare']:.2f}×")


def ceiling() -> None:
    sentences = [random_paths(69, seed) for seed in range(78)]
    packed = [["".join(map(chr, path)) for path in paths] for paths in sentences]
    found = interleaved(
        ours=lambda: [pairwise(paths, paths) for paths in sentences],
        bare=lambda: [cdist(paths, list(paths), scorer=Levenshtein.distance) for paths in packed],
    )
    print(f"all pairs, 69 readers × 78 sentences {found['ours']:.3f} s")
    print(f"  ours / bare cdist                 {found['ours'] / found['bare']:.2f}×")


def energies() -> None:
    def side(seed: int) -> dict[str, list[Scanpath]]:
        paths = iter(random_paths(205 * 43, seed))
        return {f"s{s}": [Scanpath(f"r{r}", f"s{s}", next(paths)) for r in range(43)] for s in range(205)}

    def interval() -> object:
        terms = energy_terms(human, {"m": model})
        return None if terms is None else terms.distance_uncertainty.interval(0.0, [1.0])

    human, model = side(1), side(2)
    found = interleaved(
        point=lambda: energy_terms(human, {"m": model}),
        interval=interval,
        test=lambda: permutation_p(human, model),
    )
    print("energy, 205 sentences × 43 readers × 43 samples")
    print(f"  estimate                          {found['point']:.2f} s")
    print(f"  estimate with interval            {found['interval']:.2f} s")
    print(f"  permutation test (999)            {found['test']:.2f} s")


def scasims() -> None:
    rng = np.random.default_rng(3)
    timed = [[(w, float(rng.uniform(80, 400))) for w in path] for path in random_paths(20_000, 4)]
    pairs = list(zip(timed[::2], timed[1::2], strict=True))
    scasim(*pairs[0])  # compiled before the clock starts
    found = interleaved(ours=lambda: [scasim(a, b) for a, b in pairs])
    print(f"scasim, 10,000 pairs                {found['ours']:.2f} s")


def scaling() -> None:
    sizes = (10_000, 30_000, 100_000, 300_000)
    a, b = random_paths(max(sizes), 5), random_paths(max(sizes), 6)
    ways = {str(n): (lambda n=n: paired(a[:n], b[:n])) for n in sizes}
    seconds = interleaved(**ways)
    slope = np.polyfit(np.log(sizes), np.log([seconds[str(n)] for n in sizes]), 1)[0]
    print(f"NLD time ~ pairs^{slope:.2f}")


def main() -> None:
    for part in (nld_pairs, ceiling, energies, scasims, scaling):
        part()


if __name__ == "__main__":
    main()
