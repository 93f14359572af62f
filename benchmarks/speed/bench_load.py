"""What scoring costs as each size of a prediction file grows: CPU seconds and peak memory of whole processes.

One size grows at a time: rows, readers per sentence, sentences, models, words per text. ``--score`` measures
every metric instead of NLD and energy, ``--large`` also the largest of each size.
"""

from __future__ import annotations

import argparse
import csv
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bench_commands import ROOT, _run, command


@dataclass(frozen=True, slots=True)
class Load:
    """The sizes of a prediction file."""

    sentences: int = 50
    readers: int = 20
    models: int = 1
    words: int = 10

    @property
    def rows(self) -> int:
        """How many predictions the file has."""
        return self.sentences * self.readers * self.models


SIZES = {
    "rows": [Load(n // 20) for n in (1_000, 10_000, 100_000)],
    "readers per sentence": [Load(1, n) for n in (1_000, 2_000, 4_000, 10_000)],
    "sentences": [Load(n, 2) for n in (500, 5_000, 50_000)],
    "models": [replace(Load(), models=n) for n in (1, 10, 50)],
    "words per text": [Load(10, 10, words=n) for n in (10, 100, 1_000)],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--score", action="store_true", help="every metric of score instead of nld")
    parser.add_argument("--large", action="store_true", help="also the largest of each size, minutes")
    args = parser.parse_args()
    name = "score" if args.score else "nld"
    print(f"{name + ': load':<40}{'rows':>10}{'CPU s':>8}{'peak MB':>10}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "paths.csv"
        for size, loads in SIZES.items():
            for load in loads if args.large else loads[:2]:
                _write(path, load)
                cpu, peak = _run(command("scandl_eval", name, "--quiet", "--pred", str(path)), ROOT)
                print(f"{size:<40}{load.rows:>10,}{cpu:>8.2f}{peak:>10.0f}", flush=True)


def _write(path: Path, load: Load) -> None:
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["model", "reader_id", "sentence_id", "text", "predicted", "human"])
        writer.writerows(_rows(load))


def _rows(load: Load) -> Iterator[list[str]]:
    """Yield predictions; each reader has one path of a sentence, whatever the models make of it."""
    rng = random.Random(1)
    text = " ".join(["word"] * load.words)
    for sentence in range(load.sentences):
        for reader in range(load.readers):
            human = _walk(rng, load.words)
            for model in range(load.models):
                made = _walk(rng, load.words)
                yield [f"m{model}", f"r{reader}", f"s{sentence}", text, made, human]


def _walk(rng: random.Random, n_words: int) -> str:
    """Return a path as long as its text is."""
    path, word = [0], 0
    while word < n_words - 1 and len(path) < 3 * n_words:
        word = min(max(0, word + rng.choice((-1, 0, 1, 1, 1, 2))), n_words - 1)
        path.append(word)
    return " ".join(map(str, path))


if __name__ == "__main__":
    main()
