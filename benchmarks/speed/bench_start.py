"""How long a user waits before anything happens, and for a file of 100,000 predictions.

CPU seconds of whole processes, interleaved, the median of the rounds:
``python benchmarks/speed/bench_start.py``.
"""

from __future__ import annotations

import csv
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 5
ROWS = 100_000

STARTS = {
    "python itself": "pass",
    "scandl --help": "from scandl.cli import main; main(['--help'])",
    "scandl-eval --help": "from scandl_eval.cli import main; main(['--help'])",
    "scandl-analysis --help": "from scandl_analysis.cli import main; main(['--help'])",
    "import scandl": "import scandl",
    "import pandas (for comparison)": "import pandas",
}
READ = "from scandl.files.prediction_files import read_predictions; print(len(read_predictions({path!r})))"
READS = {
    "read_predictions, checked": READ,
    "csv.reader alone": "import csv; print(len(list(csv.reader(open({path!r})))))",
    "pandas.read_csv alone": "import pandas; print(len(pandas.read_csv({path!r})))",
}


def main() -> None:
    """Print both tables."""
    _table("start", STARTS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "preds.csv"
        _write(path)
        _table(f"{ROWS:,} predictions", {name: code.format(path=str(path)) for name, code in READS.items()})


def _table(title: str, snippets: dict[str, str]) -> None:
    times: dict[str, list[float]] = {name: [] for name in snippets}
    memory: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, code in snippets.items():
            seconds, megabytes = _measure(code)
            times[name].append(seconds)
            memory[name] = megabytes
    print(f"{title:<34}{'CPU s':>8}{'peak MB':>10}")
    for name, seen in times.items():
        print(f"{name:<34}{statistics.median(seen):>8.2f}{memory[name]:>10.0f}")
    print()


def _measure(code: str) -> tuple[float, float]:
    """Return CPU seconds and peak memory of a fresh interpreter that runs ``code``."""
    report = (
        "import resource, sys\n"
        f"try:\n    {code}\nexcept SystemExit:\n    pass\n"
        "u = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(u.ru_utime + u.ru_stime, u.ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    seconds, kilobytes = done.stderr.split()[-2:]
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return float(seconds), float(kilobytes) / unit


def _write(path: Path) -> None:
    rng = random.Random(1)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["reader_id", "sentence_id", "predicted", "human", "text", "model"])
        for i in range(ROWS):
            n = rng.randint(5, 20)
            paths = [" ".join(str(rng.randrange(n)) for _ in range(12)) for _ in range(2)]
            writer.writerow([f"r{i % 69}", f"s{i // 69}", *paths, " ".join(["word"] * n), "m"])


if __name__ == "__main__":
    main()
