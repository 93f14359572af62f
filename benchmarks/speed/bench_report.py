"""How long a report takes, how much memory and how heavy the page is: a small run and a very large one.

The large run has 5 settings, 10 models and 20,000 scanpaths of each; its tables are synthetic.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

SETTINGS = ("ns", "nr", "nrns", "cross", "all")
BUILD = """
import resource, sys, time
start = time.process_time()
from scandl_eval.reporting.run_report import write_run_report
write_run_report(sys.argv[1])
print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def write_run(folder: Path, settings: tuple[str, ...], n_models: int, n_paths: int) -> None:
    paths = _rows(n_paths)
    rng = np.random.default_rng(1)
    models = ["left-to-right", *(f"model-{k}" for k in range(1, n_models))]
    rows = []
    for setting in settings:
        for model in models:
            of = [model, setting]
            file = f"{model}/{setting}.csv"
            _write(folder / "predictions" / file, "predicted,human,text", ([*of, *k, *p] for k, p in paths))
            _write(folder / "scores" / file, "nld,nld-scandl", ([*of, *k, "0.5", "0.4"] for k, _ in paths))
            for metric in ("nld", "energy", "diversity"):
                mean = float(rng.uniform(0.3, 0.7))
                rows.append(
                    {
                        "setting": setting,
                        "model": model,
                        "kind": "model",
                        "metric": metric,
                        "n": n_paths,
                        "mean": mean,
                        "ci95": [mean - 0.02, mean + 0.02],
                        "tied_with_best": False,
                        "rank": 1,
                    }
                )
    board = {"schema": 1, "metric_spec": {}, "rows": rows, "provenance": {"command": "bench", "seed": 1}}
    (folder / "leaderboard.json").write_text(json.dumps(board))
    names = ", ".join(f'"{model}"' for model in models)
    (folder / "run.toml").write_text(f'corpus = "demo"\nmodels = [{names}]\n')


def _rows(n_paths: int) -> list[tuple[list[str], list[str]]]:
    """Return key and paths of each instance; every model gets the same."""
    from scandl.corpora.corpus_folder import open_corpus

    sentences = list(open_corpus("demo").sentences.values())
    rng = np.random.default_rng(1)
    rows = []
    for k in range(n_paths):
        sentence = sentences[k % len(sentences)]
        paths = [
            " ".join(map(str, np.sort(rng.integers(0, sentence.n_words, sentence.n_words)))) for _ in "ab"
        ]
        key = ["0", f"r{k // len(sentences)}", sentence.sentence_id, "0"]
        rows.append((key, [*paths, sentence.text]))
    return rows


def _write(path: Path, header: str, rows: Iterable[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        stream.write(f"model,setting,fold,reader_id,sentence_id,sample,{header}\n")
        csv.writer(stream, lineterminator="\n").writerows(rows)


def measure(folder: Path) -> tuple[float, float, float, float]:
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], capture_output=True, text=True, check=True
    )
    cpu, memory = map(float, done.stdout.split())
    return (
        cpu,
        time.perf_counter() - started,
        memory,
        (folder / "report.html").stat().st_size / 1e6,
    )


def main() -> None:
    print("run | scanpaths | CPU s | wall s | peak MB | page MB")
    with tempfile.TemporaryDirectory() as name:
        for title, settings, n_models, n_paths in (
            ("demo-sized", SETTINGS[:3], 14, 1000),
            ("5 settings x 10 models x 20,000", SETTINGS, 10, 20_000),
        ):
            folder = Path(name) / str(n_paths)
            folder.mkdir()
            write_run(folder, settings, n_models, n_paths)
            cpu, wall, memory, size = measure(folder)
            total = len(settings) * n_models * n_paths
            print(f"{title} | {total:,} | {cpu:.1f} | {wall:.1f} | {memory:.0f} | {size:.2f}", flush=True)


if __name__ == "__main__":
    main()
