"""What ``scandl-eval nld`` costs from the shell, beside bare Python and ``import pandas``."""

from __future__ import annotations

import csv
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 3
N_READERS, N_SENTENCES = 69, 145  # 10,005 rows


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        bare, full = Path(folder) / "bare.csv", Path(folder) / "full.csv"
        _write(bare, full)
        score = ["-c", "import sys; from scandl_eval.cli import main; sys.exit(main(sys.argv[1:]))"]
        ways = {
            "python": ["-c", "pass"],
            "import numpy": ["-c", "import numpy"],
            "import pandas": ["-c", "import pandas"],
            "nld --help": [*score, "nld", "--help"],
            "nld, 10,005 bare rows": [*score, "nld", "--quiet", "--pred", str(bare)],
            "nld, 10,005 rows with text": [*score, "nld", "--quiet", "--pred", str(full)],
        }
        found: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for way, arguments in ways.items():
                found[way].append(_run(arguments))
    numpy = sorted(found["import numpy"])[ROUNDS // 2][0]
    print("way                        | CPU s | ratio to import numpy | peak MB")
    for way, costs in found.items():
        cpu, peak = sorted(costs)[ROUNDS // 2]
        print(f"{way:<26} | {cpu:5.2f} | {cpu / numpy:21.1f} | {peak:7.0f}")


def _run(arguments: Sequence[str]) -> tuple[float, float]:
    """Return CPU seconds and peak megabytes of one Python process, its output discarded."""
    process = os.fork()
    if process == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(sys.executable, [sys.executable, *arguments])
    _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(arguments)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _write(bare: Path, full: Path) -> None:
    rng = random.Random(1)
    words = ("the", "cat", "walked", "slowly", "home")
    texts = [" ".join(rng.choices(words, k=rng.randint(8, 14))) for _ in range(N_SENTENCES)]
    with bare.open("w", newline="") as narrow, full.open("w", newline="") as wide:
        short, long = csv.writer(narrow), csv.writer(wide)
        short.writerow(["sentence_id", "predicted", "human"])
        long.writerow(["reader_id", "sentence_id", "fold", "text", "predicted", "human"])
        for reader in range(N_READERS):
            for sentence, text in enumerate(texts):
                predicted, human = (_path(rng, len(text.split())) for _ in range(2))
                short.writerow([sentence, predicted, human])
                long.writerow([reader, sentence, sentence % 5, text, predicted, human])


def _path(rng: random.Random, n_words: int) -> str:
    path: list[int] = []
    word = 0
    while word < n_words and len(path) < 50:
        path.append(word)
        word = max(0, word + rng.choice((-1, 0, 1, 1, 1, 2)))
    return " ".join(map(str, path))


if __name__ == "__main__":
    main()
