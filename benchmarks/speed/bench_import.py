"""Importing a fixation report of CELER's size: time, memory, and the ratio to merely reading it.

Run with ``python benchmarks/speed/bench_import.py [ROWS]``. The report is generated; each
measurement runs in its own process, the two kinds in turn, and the ratio is of CPU times.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

IMPORT = """
import json, resource, sys, time
from pathlib import Path
from scandl.corpora import write_corpus
from scandl.corpora.importers import import_dataviewer
folder = Path(sys.argv[1])
started = time.perf_counter()
corpus = import_dataviewer(folder / "fixations.tsv", folder / "areas.tsv")
read = time.perf_counter() - started
write_corpus(corpus, folder / "corpus")
"""
PLAIN = """
import json, resource, sys, time
from pathlib import Path
import pandas as pd
started = time.perf_counter()
frame = pd.read_csv(Path(sys.argv[1]) / "fixations.tsv", sep="\\t")
for _, trial in frame.groupby(["RECORDING_SESSION_LABEL", "sentenceid"]):
    tuple(trial["CURRENT_FIX_INTEREST_AREA_ID"])
read = time.perf_counter() - started
"""
TAIL = """
usage = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({"read": read, "all": time.perf_counter() - started,
                  "cpu": usage.ru_utime + usage.ru_stime, "peak_mb": usage.ru_maxrss / 1024}))
"""


def main(n_rows: int = 1_500_000, rounds: int = 3) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(folder, n_rows)
        size = (folder / "fixations.tsv").stat().st_size / 2**20
        print(f"{n_rows:,} fixations, {size:,.0f} MB")
        runs = [(_measure(IMPORT, folder), _measure(PLAIN, folder)) for _ in range(rounds)]
    print(f"{'':<34}{'read, s':>9}{'all, s':>9}{'CPU, s':>9}{'peak MB':>9}")
    for k, what in enumerate(("scandl corpus import (and write)", "pandas.read_csv + groupby")):
        best = min((run[k] for run in runs), key=lambda result: result["cpu"])
        print(f"{what:<34}{best['read']:>9.1f}{best['all']:>9.1f}{best['cpu']:>9.1f}{best['peak_mb']:>9.0f}")
    ratios = sorted(ours["cpu"] / plain["cpu"] for ours, plain in runs)
    shown = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"CPU ratio import / plain: {ratios[len(ratios) // 2]:.2f} (runs {shown})")


def generate(folder: Path, n_rows: int, n_readers: int = 365, n_sentences: int = 5_500) -> None:
    """Write Data Viewer reports with as many columns as are needed and ten that are not."""
    import numpy as np

    rng = np.random.default_rng(1)
    vocabulary = np.array([f"word{n}" for n in range(20_000)])
    lengths = rng.integers(6, 20, n_sentences)
    sentences = [vocabulary[rng.integers(0, len(vocabulary), length)] for length in lengths]
    filler = "\t".join(["12.5"] * 10)
    extra = "\t".join(f"CURRENT_FIX_EXTRA_{n}" for n in range(10))
    with (folder / "fixations.tsv").open("w", encoding="utf-8") as stream:
        stream.write(
            "RECORDING_SESSION_LABEL\tsentenceid\tCURRENT_FIX_INDEX\tCURRENT_FIX_INTEREST_AREA_ID\t"
            f"CURRENT_FIX_INTEREST_AREA_LABEL\tCURRENT_FIX_DURATION\t{extra}\n"
        )
        trials = n_readers * 156
        per_trial = -(-n_rows // trials)
        for trial in range(trials):
            reader, sentence = trial // 156, (trial // 156 * 78 + trial % 156) % n_sentences
            words = sentences[sentence]
            where = rng.integers(0, len(words) + 1, min(per_trial, n_rows - trial * per_trial))
            for n, at in enumerate(where.tolist(), start=1):
                word = f"{at}\t{words[at - 1]}" if at else ".\t."
                stream.write(f"r{reader}\ts{sentence}\t{n}\t{word}\t{180 + n}\t{filler}\n")
            if (trial + 1) * per_trial >= n_rows:
                break
    with (folder / "areas.tsv").open("w", encoding="utf-8") as stream:
        stream.write("sentenceid\tIA_ID\tIA_LABEL\n")
        for number, words in enumerate(sentences):
            stream.writelines(f"s{number}\t{n}\t{word}\n" for n, word in enumerate(words, start=1))


def _measure(code: str, folder: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", code + TAIL, str(folder)], capture_output=True, text=True, check=True
    )
    result: dict[str, float] = json.loads(done.stdout)
    return result


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
