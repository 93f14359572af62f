"""Fixations are lost on purpose, then dropped, interpolated or filled in: how far is each from the truth.

Run ``python benchmarks/readers/bench_imputation.py CORPUS [CORPUS …]``. Fixations are lost at random or in
blocks of three, as ``NA`` with their durations lost too. Each table has the measures of the truth and of
each way; ``filled`` is the mean of five versions by the shipped model.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import LOST, open_corpus
from scandl.files.tables import text_rows
from scandl.models.imputation import impute
from scandl.records import Scanpath, visits
from scandl.seeds import stream

SHARES, BLOCK, VERSIONS = (0.05, 0.2, 0.4), 3, 5
MEASURES = ("never fixated", "first-pass skipped", "regressions", "refixations", "first-pass time")


def with_losses(path: Scanpath, share: float, block: int, seed: int) -> Scanpath:
    """Return a path of which fixations are lost, in blocks of so many."""
    n = path.n_fixations
    starts = stream(seed, "lost", path.reader_id, path.sentence_id).random(n) < 1 - (1 - share) ** (1 / block)
    lost = np.convolve(starts, np.ones(block))[:n] > 0
    durations = tuple(math.nan if gone else ms for ms, gone in zip(path.durations or (), lost, strict=True))
    positions = tuple(LOST if gone else word for word, gone in zip(path.positions, lost, strict=True))
    return replace(path, positions=positions, durations=durations)


def dropped(path: Scanpath) -> Scanpath:
    """Return the path without the lost rows."""
    kept = [k for k, word in enumerate(path.positions) if word != LOST]
    durations = path.durations or ()
    return replace(
        path, positions=tuple(path.positions[k] for k in kept), durations=tuple(durations[k] for k in kept)
    )


def interpolated(path: Scanpath) -> Scanpath:
    """Return the path with lost words on a straight line between the known ones around them."""
    known = [k for k, word in enumerate(path.positions) if word != LOST]
    if not known:
        return dropped(path)
    durations = path.durations or ()
    every = range(path.n_fixations)
    words = np.interp(every, known, [path.positions[k] for k in known]).round().astype(int).tolist()
    times = np.interp(every, known, [durations[k] for k in known]).tolist()
    return replace(path, positions=tuple(words), durations=tuple(times))


def measures(paths: Iterable[Scanpath], corpus: Corpus) -> list[float]:
    """Return the means over words and saccades that ``MEASURES`` names."""
    words = never = skipped = saccades = back = again = first_passes = 0
    time = 0.0
    for path in paths:
        seen = visits(path.positions, corpus.sentences[path.sentence_id].n_words)
        words += len(seen)
        never += sum(v.n_fixations == 0 for v in seen)
        skipped += sum(v.skipped for v in seen)
        steps = np.diff(path.positions)
        saccades, back, again = (
            saccades + len(steps),
            back + int((steps < 0).sum()),
            again + int((steps == 0).sum()),
        )
        for word, visit in enumerate(seen):
            if visit.first_pass:
                start = path.positions.index(word)
                time += sum((path.durations or ())[start : start + visit.first_run])
                first_passes += 1
    return [never / words, skipped / words, back / saccades, again / saccades, time / first_passes]


def compared(corpus: Corpus, share: float, block: int) -> list[tuple[str, ...]]:
    """Return a row per way."""
    truth = [path for path in corpus.scanpaths if path.durations]
    broken = [with_losses(path, share, block, seed=1) for path in truth]
    lost = replace(corpus, scanpaths=tuple(broken))
    ways: list[tuple[str, Callable[[], list[Sequence[Scanpath]]]]] = [
        ("truth", lambda: [truth]),
        ("dropped", lambda: [[dropped(path) for path in broken if max(path.positions) >= 0]]),
        ("interpolated", lambda: [[interpolated(path) for path in broken]]),
        ("filled", lambda: [each.scanpaths for each in impute(lost, versions=VERSIONS).corpora]),
    ]
    rows = []
    for name, make in ways:
        means = np.mean([measures(paths, corpus) for paths in make()], axis=0)
        rows.append((name, *(f"{value:.3f}" for value in means[:-1]), f"{means[-1]:.0f}"))
    return rows


def main(names: Sequence[str]) -> None:
    """Print a table for each corpus, share and kind of loss."""
    for name in names:
        corpus = open_corpus(name)
        for block, kind in ((1, "at random"), (BLOCK, f"in blocks of {BLOCK}")):
            for share in SHARES:
                print(f"\n{corpus.name}: {share:.0%} of the fixations lost {kind}")
                print("\n".join(text_rows(("", *MEASURES), compared(corpus, share, block))))


if __name__ == "__main__":
    main(sys.argv[1:])
