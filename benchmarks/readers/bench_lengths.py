"""Energy distance and reach by sentence length, from the predictions of a run.

``python benchmarks/readers/bench_lengths.py runs/across/predictions/*/cross.csv`` prints, for each file
and each class of sentence lengths, the energy distance, the share of the sentence that is reached, and
fixations per word (mean and standard deviation) of model and readers.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from scandl.files.prediction_files import read_predictions
from scandl.records import Prediction, Scanpath
from scandl.statistics.energy import energy_terms

CLASSES = (1, 10, 20, 30, 40, 50, 10_000)


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per file and length class."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("predictions", nargs="+", type=Path)
    args = parser.parse_args(argv)
    print("model, words, paths: energy, reach, fixations per word (human reach, fixations per word)")
    for path in args.predictions:
        predictions = read_predictions(path)
        for low, high in pairwise(CLASSES):
            part = [p for p in predictions if low <= len((p.text or "").split()) < high]
            if part:
                print(f"{part[0].model}, {low}–{high - 1}, {len(part)}: {describe(part)}", flush=True)


def describe(part: Sequence[Prediction]) -> str:
    """Return the numbers of one class."""
    human = [Scanpath(p.reader_id or "", p.sentence_id, p.human or ()) for p in part]
    model = [Scanpath(p.reader_id or "", p.sentence_id, p.predicted) for p in part]
    terms = energy_terms(_by_sentence(human), {"model": _by_sentence(model)})
    distance = float("nan") if terms is None else float(terms.distances[0])
    n_words = {p.sentence_id: len((p.text or "").split()) for p in part}
    ours, theirs = (_numbers(paths, n_words) for paths in (model, human))
    return f"{distance:.3f}, {ours} ({theirs})"


def _by_sentence(paths: Sequence[Scanpath]) -> dict[str, list[Scanpath]]:
    found: dict[str, list[Scanpath]] = {}
    for path in paths:
        found.setdefault(path.sentence_id, []).append(path)
    return found


def _numbers(paths: Sequence[Scanpath], n_words: dict[str, int]) -> str:
    reach = [(max(p.words) + 1) / n_words[p.sentence_id] for p in paths if p.words]
    ratio = [p.n_fixations / n_words[p.sentence_id] for p in paths]
    return f"{np.mean(reach):.2f}, {np.mean(ratio):.2f} ± {np.std(ratio):.2f}"


if __name__ == "__main__":
    main()
