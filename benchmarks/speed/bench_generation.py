"""Generation for a long file of texts: scanpaths per CPU-second, and memory as the file grows.

Run: python benchmarks/speed/bench_generation.py [most texts, default 20000] [model, default each]
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.trained_model import shipped_models


def write_texts(path: Path, n: int) -> None:
    """Write texts that differ, each of two pieces of demo sentences: 11 words on average."""
    chance = random.Random(1)
    sentences = [sentence.words for sentence in open_corpus("demo").sentences.values()]
    with path.open("w") as stream:
        for k in range(n):
            first, second = chance.choice(sentences), chance.choice(sentences)
            words = (*first[: len(first) // 2], *second[len(second) // 2 :])
            stream.write(" ".join((*words[:-1], f"w{k}", words[-1])) + "\n")


def measured(command: list[str]) -> tuple[float, float]:
    """Return CPU seconds and the largest memory in MB of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    script = "import resource, sys; from scandl.cli import main; code = main(sys.argv[1:]);"
    script += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3); sys.exit(code)"
    done = subprocess.run(
        [sys.executable, "-c", script, *command], check=True, capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    return after - before, float(done.stdout.splitlines()[-1])


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print("model   texts    CPU s  scanpaths per CPU-s  largest memory, MB")
    for name in sys.argv[2:] or shipped_models():
        for n in (most // 10, most // 3, most):
            with tempfile.TemporaryDirectory() as folder:
                texts = Path(folder, "texts.txt")
                write_texts(texts, n)
                seconds, memory = measured(
                    [
                        "generate",
                        "--model",
                        name,
                        "--text-file",
                        str(texts),
                        "--out",
                        f"{folder}/p.csv",
                        "--quiet",
                    ]
                )
            print(f"{name:7} {n:7,} {seconds:7.1f} {n / seconds:12,.0f} {memory:22,.0f}", flush=True)


if __name__ == "__main__":
    main()
