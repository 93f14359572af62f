"""How fast simplified SWIFT is, beside its definition run fixation by fixation.

Interleaved in one run, CPU time, median of the rounds: ``python benchmarks/speed/bench_simplified_swift.py``.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable

import numpy as np

from scandl.corpora import read_corpus
from scandl.corpora.demo import FOLDER
from scandl.models.simplified_swift.path_likelihood import Reading, exposure, log_likelihoods
from scandl.models.simplified_swift.simulation import (
    SHAPE,
    Parameters,
    ceilings,
    duration_rate,
    salience,
    simulate,
)
from scandl.text.word_facts import log_frequency_share

ROUNDS = 7
PARAMETERS = Parameters(nu=0.65, r=5.5, mu=265.0, eta=-2.3, beta=0.7)


def stepwise(reading: Reading, p: Parameters) -> float:
    """Return the log-likelihood of one reading by running the model along it."""
    words, durations, share = reading
    ceiling, total = ceilings(share, p.beta), 0.0
    a, s = [0.0] * len(share), [p.floor] * len(share)
    for i, (k, duration) in enumerate(zip(words, durations, strict=True)):
        rate = duration_rate(a[k], s[:k], p)
        total += SHAPE * math.log(rate) + (SHAPE - 1) * math.log(duration) - rate * duration
        total -= math.lgamma(SHAPE)
        for distance, share_of_rate in p.rates:
            n = k + distance
            if 0 <= n < len(share):
                a[n] = min(ceiling[n], a[n] + p.r * share_of_rate * duration / 1000.0)
        s = [salience(x, top, p.floor) for x, top in zip(a, ceiling, strict=True)]
        if i + 1 < len(words):
            weights = [x**p.gamma for x in s]
            total += math.log(weights[words[i + 1]] / sum(weights))
    return total


def cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    frequencies = read_corpus(FOLDER).word_numbers("frequency_per_million") or {}
    shares = [log_frequency_share(values) for values in frequencies.values()]
    rng = np.random.default_rng(1)

    def draw() -> list[Reading]:
        return [(*simulate(share, PARAMETERS, rng), share) for share in (shares * 13)[:1000]]

    readings = draw()
    data = exposure(readings)
    fast, slow = log_likelihoods(data, PARAMETERS).sum(), sum(stepwise(r, PARAMETERS) for r in readings)
    print(f"log-likelihood of 1,000 paths: closed form {fast:.6f}, stepwise {slow:.6f}")
    work: dict[str, Callable[[], object]] = {
        "simulate": draw,
        "likelihood, stepwise": lambda: [stepwise(reading, PARAMETERS) for reading in readings],
        "exposure times, once": lambda: exposure(readings),
        "likelihood, closed form": lambda: log_likelihoods(data, PARAMETERS),
    }
    times: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, run in work.items():
            times[name].append(cpu(run))
    base = statistics.median(times["likelihood, stepwise"])
    print(f"{'1,000 paths':<26}{'CPU ms':>9}{'stepwise / this':>18}")
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"{name:<26}{1000 * median:>9.1f}{base / median:>18.1f}")


if __name__ == "__main__":
    main()
