"""Scoring of 10,000 scanpaths in time beside the same without: CPU seconds, and the memory of the process.

``python benchmarks/speed/bench_times.py``. Each side runs in a process of its own, twice in turn; compared is
``scandl-eval score`` with NLD, energy and diversity, of positions and of paths written in time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from scandl.corpora.corpus_folder import open_corpus
from scandl.files.prediction_files import write_predictions
from scandl.records import Prediction
from scandl.seeds import stream

SIDES = {"untimed": "nld,energy,diversity", "timed": "nld-time,energy-time,diversity-time"}
ROWS = 10_000
_CHILD = """
import resource, sys, time
from scandl_eval.cli import main
started = time.process_time()
code = main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"\\n{code} {time.process_time() - started:.2f} {used:.0f}")
"""


def write_rows(path: Path) -> None:
    """Write readings of the demo corpus, each under another reader's name, until there are enough."""
    corpus = open_corpus("demo")
    rng = stream(1, "times")
    rows: list[Prediction] = []
    while len(rows) < ROWS:
        for own in corpus.scanpaths[: ROWS - len(rows)]:
            ms = tuple(float(x) for x in rng.gamma(9, 25, len(own.positions)).round() + 1)
            rows.append(
                Prediction(
                    own.sentence_id,
                    own.positions,
                    reader_id=own.reader_id,
                    sample=len(rows) // 2140,
                    durations=ms,
                    model="made",
                )
            )
    write_predictions(path, [replace(row, sample=k // len(corpus.scanpaths)) for k, row in enumerate(rows)])


def measured(path: Path, metrics: str) -> tuple[float, float]:
    """Return CPU seconds and MB of one call."""
    arguments = ["score", "--pred", str(path), "--corpus", "demo", "--metrics", metrics, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *arguments], capture_output=True, text=True, check=True
    )
    code, seconds, memory = done.stdout.strip().splitlines()[-1].split()
    assert code == "0", done.stderr
    return float(seconds), float(memory)


def main() -> None:
    """Compare."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        write_rows(path)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in SIDES}
        for _ in range(2):
            for name, metrics in SIDES.items():
                found[name].append(measured(path, metrics))
                time.sleep(0.1)
    best = {name: min(seconds for seconds, _ in runs) for name, runs in found.items()}
    for name, runs in found.items():
        print(f"{name:8} {best[name]:6.2f} CPU s  {max(memory for _, memory in runs):4.0f} MB")
    print(f"timed over untimed: {best['timed'] / best['untimed']:.2f} ×, {ROWS:,} rows")


if __name__ == "__main__":
    main()
