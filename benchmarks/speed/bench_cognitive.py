"""Time the native E-Z Reader and SWIFT beside their scalar references, interleaved, in CPU time.

Run as ``python benchmarks/speed/bench_cognitive.py``; the sentences are made up, 8 to 14 words long.
"""

from __future__ import annotations

import resource
import runpy
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from scandl.models.cognitive.cognitive_generator import EZReader, Swift
from scandl.models.cognitive.simulator import Simulation
from scandl.models.cognitive.word_inputs import WordProperties
from scandl.models.ezreader.ezreader import simulate_ezreader
from scandl.models.ezreader.ezreader_parameters import EZREADER_10_2
from scandl.models.model import Model, Request
from scandl.models.swift.swift import simulate_swift
from scandl.models.swift.swift_parameters import SWIFT_3
from scandl.records import Sentence

SCALAR = Path(__file__).parents[2] / "tests" / "scandl" / "models"
BATCH = 5_000
TEXT = "The old captain told nobody that the island was only a long day away."
ROUNDS = 5


def sentences(n: int = 50, seed: int = 1) -> list[WordProperties]:
    """Return sentences whose words have the lengths, frequencies and cloze values of real ones."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(n):
        lengths = rng.integers(1, 11, size=rng.integers(8, 15))
        frequencies = np.exp(np.clip(rng.normal(11.0 - 1.1 * lengths, 1.5), 0.0, 11.1))
        cloze = np.where(rng.random(len(lengths)) < 0.4, 0.0, rng.beta(0.7, 1.0, len(lengths)))
        cloze[0] = 0.0
        made.append(
            WordProperties(
                str(i), tuple(lengths.tolist()), tuple(frequencies.tolist()), tuple(cloze.tolist())
            )
        )
    return made


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def race(model: str, simulate: Callable[..., Simulation], parameters: object, scalar_runs: int) -> None:
    """Print the CPU time per scanpath of both implementations, timed in turns."""
    slow = runpy.run_path(str(SCALAR / f"scalar_{model}.py"))["simulate"]
    stimuli = sentences()
    simulate(stimuli)  # compile
    native, scalar = [], []
    for seed in range(ROUNDS):
        seconds = cpu(partial(simulate, stimuli, runs=BATCH // len(stimuli), seed=seed))
        native.append(1e6 * seconds / BATCH)
        seconds = cpu(partial(slow, stimuli, scalar_runs, parameters, seed))
        scalar.append(1e6 * seconds / (scalar_runs * len(stimuli)))
    a, b = np.median(native), np.median(scalar)
    print(f"{model:10} {a:10.1f} {b:10.1f} {b / a:6.0f}×")


def weigh(model: str, generator: Model) -> None:
    """Print the peak memory of the process after 100,000 scanpaths."""
    requests = [Request(Sentence(str(i), TEXT), "r", sample) for i in range(50) for sample in range(2_000)]
    paths = generator.read(requests, seed=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{model:10} peak memory {peak:.0f} MB after {len(paths):,} scanpaths as records")


def main() -> None:
    print(f"{'model':10} {'native µs':>10} {'scalar µs':>10} {'ratio':>7}   per scanpath, batches of {BATCH}")
    race("ezreader", simulate_ezreader, EZREADER_10_2, scalar_runs=4)
    race("swift", simulate_swift, SWIFT_3, scalar_runs=1)
    weigh("ezreader", EZReader())
    weigh("swift", Swift())


if __name__ == "__main__":
    main()
