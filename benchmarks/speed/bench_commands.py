"""What the commands cost from the shell: how long a user waits before anything happens, and for results.

CPU seconds and peak memory of whole processes, the median of the rounds. ``--million`` adds the last point
of the curve of ``nld``, two minutes; ``--long`` adds ``run``, ``psycholing`` and ``generate``, some minutes;
``--beside DIR`` measures another checkout of the project in turns with this one; ``--rounds 1`` is a look.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROUNDS = 3
N_READERS = 100
CURVE = (1_000, 10_000, 100_000)
LAST = 1_000_000
N_TEXTS = 10_000
ROOT = Path(__file__).parents[2]
SOURCES = (".", "analysis", "benchmarks", "reports")
Cost = tuple[float, float]
"""CPU seconds and peak megabytes."""


def command(package: str, *arguments: str) -> list[str]:
    return ["-c", f"import sys; from {package}.cli import main; sys.exit(main(sys.argv[1:]))", *arguments]


STARTS = {
    "python": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import pandas": ["-c", "import pandas"],
    "import scandl": ["-c", "import scandl"],
    "scandl --help": command("scandl", "--help"),
    "scandl-eval --help": command("scandl_eval", "--help"),
    "scandl-eval nld --help": command("scandl_eval", "nld", "--help"),
    "scandl-analysis --help": command("scandl_analysis", "--help"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", action="store_true", help=f"also {LAST:,} rows")
    parser.add_argument("--long", action="store_true", help="also run, psycholing and generate")
    parser.add_argument("--beside", metavar="DIR", type=Path, help="another checkout, measured in turns")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of each command (default {ROUNDS})")
    args = parser.parse_args()
    checkouts = {"": ROOT} | ({f" in {args.beside.name}": args.beside} if args.beside else {})
    _table("start", STARTS, checkouts, args.rounds)
    with tempfile.TemporaryDirectory() as folder:
        rows = {}
        for n in (*CURVE, LAST) if args.million else CURVE:
            for kind in ("bare", "with text"):
                path = Path(folder) / f"{n}-{kind.replace(' ', '-')}.csv"
                _write(path, n, text=kind == "with text")
                rows[f"{n:,} rows {kind}"] = command("scandl_eval", "nld", "--quiet", "--pred", str(path))
        _table("nld with ceiling and intervals; with text also baselines", rows, checkouts, args.rounds)
        if args.long:
            _table("results", _long(Path(folder)), checkouts, 1)


def _long(folder: Path) -> dict[str, list[str]]:
    """Return commands that take longer; each writes into a folder of the round's own."""
    texts = folder / "texts.txt"
    rng = random.Random(2)
    texts.write_text("".join(f"{_said(rng)}\n" for _ in range(N_TEXTS)), encoding="utf-8")
    run = ["run", "--corpus", "demo", "--settings", "nrns", "--models", "uniform,markov-text,swift"]
    effects = ["psycholing", "--run", "{out}/run", "--setting", "nrns", "--engine", "laplace"]
    return {
        "run on the demo": command("scandl_eval", *run, "--out", "{out}/run", "--quiet"),
        "psycholing on the demo": command(
            "scandl_analysis",
            *effects,
            "--design",
            "crossed",
            "--surprisal",
            "trigram",
            "--out",
            "{out}/effects",
            "--quiet",
        ),
        f"generate {N_TEXTS:,} sentences": command(
            "scandl", "generate", "--text-file", str(texts), "--out", "{out}/paths.csv", "--quiet"
        ),
    }


def _table(title: str, ways: dict[str, list[str]], checkouts: dict[str, Path], rounds: int) -> None:
    found: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for way, arguments in ways.items():
            for _ in range(1 if f"{LAST:,}" in way else rounds):
                for label, root in checkouts.items():
                    out = Path(folder) / f"out{label.replace(' ', '-')}"
                    own = [argument.replace("{out}", str(out)) for argument in arguments]
                    out.mkdir(exist_ok=True)
                    found.setdefault(f"{way}{label}", []).append(_run(own, root))
    print(f"{title:<60}{'CPU s':>8}{'peak MB':>10}")
    for way, costs in found.items():
        cpu, peak = sorted(costs)[len(costs) // 2]
        print(f"{way:<60}{cpu:>8.2f}{peak:>10.0f}", flush=True)
    print()


def _run(arguments: Sequence[str], root: Path) -> Cost:
    """Return the cost of one Python process with the sources of a checkout, its output discarded."""
    process = os.fork()
    if process == 0:
        os.environ["PYTHONPATH"] = os.pathsep.join(str((root / source).resolve()) for source in SOURCES)
        os.chdir(os.sep)  # ``python -c`` looks for packages where it stands before it looks there
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(sys.executable, [sys.executable, *arguments])
    _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(arguments)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _write(path: Path, n_rows: int, *, text: bool) -> None:
    """Write predictions of 100 readers for as many sentences as it takes."""
    rng = random.Random(1)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["reader_id", "sentence_id", "fold", *(["text"] * text), "predicted", "human"])
        for sentence in range(n_rows // N_READERS):
            said = _said(rng)
            for reader in range(N_READERS):
                paths = [_path(rng, len(said.split())) for _ in range(2)]
                writer.writerow([f"r{reader}", f"s{sentence}", sentence % 5, *([said] * text), *paths])


def _said(rng: random.Random) -> str:
    return " ".join(rng.choices(("the", "cat", "walked", "slowly", "home"), k=rng.randint(8, 14)))


def _path(rng: random.Random, n_words: int) -> str:
    path: list[int] = []
    word = 0
    while word < n_words and len(path) < 50:
        path.append(word)
        word = max(0, word + rng.choice((-1, 0, 1, 1, 1, 2)))
    return " ".join(map(str, path))


if __name__ == "__main__":
    main()
