"""Paths per CPU-second of the word-pointing network, and time per fixation in texts of 50 and 1,000 words.

Run ``OMP_NUM_THREADS=1 python benchmarks/speed/bench_pointer.py``. It draws from the model that ships, in
both orders for a sentence, in order of time for texts. The last lines have the largest memory of the process.
"""

from __future__ import annotations

import resource
import time

from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.records import Sentence

TEXT = "The old lighthouse keeper counted every ship that passed the rocky harbour."
N_PATHS = 2048
N_READERS = 50


def main() -> None:
    """Print one line per order, and one per length of a text."""
    requests = [Request(Sentence("s", TEXT), f"r{k % 64}", k) for k in range(N_PATHS)]
    for name in ("people", "people-masked"):
        seconds, n_fixations = measured(name, requests)
        print(
            f"{name}: {N_PATHS / seconds:.0f} paths per CPU-second, mean length {n_fixations / N_PATHS:.1f}"
        )
    for n_words in (50, 1000):
        words = (f"{TEXT} " * (n_words // 12 + 1)).split()[:n_words]
        text = Sentence("long", " ".join(words))
        seconds, n_fixations = measured("people", [Request(text, f"r{k}") for k in range(N_READERS)])
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"people, {n_words} words, {N_READERS} readers: {seconds:.1f} CPU-seconds,"
            f" {1e3 * seconds / n_fixations:.3f} ms per fixation, {memory:.0f} MB"
        )


def measured(name: str, requests: list[Request]) -> tuple[float, int]:
    """Return CPU seconds and the number of fixations drawn, once the model is open."""
    model = open_model(name)
    model.read(requests[:2], seed=2)
    start = time.process_time()
    paths = model.read(requests, seed=1)
    return time.process_time() - start, sum(path.n_fixations for path in paths)


if __name__ == "__main__":
    main()
