"""Fixations are lost on purpose, then dropped, interpolated or filled in: how far is each from the truth.

Run ``python benchmarks/readers/bench_imputation.py CORPUS [CORPUS …]``. Fixations are lost at random or in
blocks of three, as ``NA`` with their durations lost too. Each table has the measures of the truth and of
each way; ``filled`` is the mean of five versions by the shipped model. With ``--studies N`` the tables say
in how many of N simulated studies a 95 % interval holds the truth.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import LOST, open_corpus
from scandl.files.tables import text_rows
from scandl.measures.word_measures import timed_measures, word_measures
from scandl.models.imputation import impute
from scandl.records import Scanpath, visits
from scandl.seeds import stream
from scandl.statistics.clustered import codes
from scandl.statistics.pooling import pool

SHARES, BLOCK, VERSIONS = (0.05, 0.2, 0.4), 3, 5
MEASURES = ("never fixated", "first-pass skipped", "regressions", "refixations", "first-pass time")
READERS, SENTENCES = 20, 8  # of a simulated study
EFFECTS = ("skipping", "regressions", "gaze", "length on skipping", "on regressions", "on gaze")


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


def ways(corpus: Corpus, share: float, block: int, seed: int = 1) -> dict[str, list[Sequence[Scanpath]]]:
    """Return the paths of the truth and of each way to treat what was lost; several versions if filled."""
    truth = [path for path in corpus.scanpaths if path.durations]
    broken = [with_losses(path, share, block, seed) for path in truth]
    versions = impute(replace(corpus, scanpaths=tuple(broken)), versions=VERSIONS, seed=seed).corpora
    return {
        "truth": [truth],
        "dropped": [[dropped(path) for path in broken if max(path.positions) >= 0]],
        "interpolated": [[interpolated(path) for path in broken]],
        "filled": [each.scanpaths for each in versions],
    }


def compared(corpus: Corpus, share: float, block: int) -> list[tuple[str, ...]]:
    """Return a row per way."""
    rows = []
    for name, made in ways(corpus, share, block).items():
        means = np.mean([measures(paths, corpus) for paths in made], axis=0)
        rows.append((name, *(f"{value:.3f}" for value in means[:-1]), f"{means[-1]:.0f}"))
    return rows


def coverage(corpus: Corpus, share: float, block: int, studies: int) -> list[tuple[str, ...]]:
    """Return how often a 95 % interval holds the truth, a row per way.

    A study has ``READERS`` readers, drawn with replacement from those of the corpus, whose own values are the
    truth, and the same few sentences. Errors are clustered by readers.
    """
    readers = corpus.reader_ids
    items = sorted({path.sentence_id for path in corpus.scanpaths})
    items = items[:: len(items) // SENTENCES][:SENTENCES]
    whole = corpus.restricted_to([pair for pair in corpus.by_pair if pair[1] in items])
    truth = [mean for mean, _ in estimates(whole.scanpaths, whole)]
    held: dict[str, list[list[bool]]] = {}
    for study in range(studies):
        drawn = stream(study, "study").choice(len(readers), READERS)
        paths = [
            replace(path, reader_id=f"r{k}")
            for k, reader in enumerate(drawn)
            for item in items
            if (path := whole.by_pair.get((readers[reader], item))) is not None and path.durations
        ]
        for name, made in ways(replace(whole, scanpaths=tuple(paths)), share, block, seed=study).items():
            each = [estimates(version, whole) for version in made]
            ends = [interval([one[k] for one in each]) for k in range(len(truth))]
            held.setdefault(name, []).append(
                [a <= true <= b for (a, b), true in zip(ends, truth, strict=True)]
            )
    return [(name, *(f"{x:.3f}" for x in np.mean(found, axis=0))) for name, found in held.items()]


def interval(found: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the 95 % interval of an estimate, pooled where there are several versions."""
    means, errors = zip(*found, strict=True)
    if len(found) > 1:
        return pool(means, errors).interval()
    return means[0] - 1.96 * errors[0], means[0] + 1.96 * errors[0]


def estimates(paths: Iterable[Scanpath], corpus: Corpus) -> list[tuple[float, float]]:
    """Return mean skipping, first-pass regressions and gaze, and the slopes of ``EFFECTS``, with errors."""
    rows: list[tuple[Any, ...]] = []  # reader, length, sr, fpr, FPRT
    for path in paths:
        words = corpus.sentences[path.sentence_id].words
        found = word_measures(path.positions, len(words), "firstpass")
        times = timed_measures(path.positions, path.durations, len(words), names=("FPRT",))["FPRT"]
        rows += [
            (path.reader_id, len(word), *(math.nan if x is None else float(x) for x in values))
            for word, *values in zip(words, found["sr"], found["fpr"], times, strict=True)
        ]
    reader = codes([row[0] for row in rows])
    length = np.array([row[1] for row in rows], dtype=float)
    outcomes = np.array([row[2:] for row in rows]).T
    means = [_ols(y, np.ones((len(y), 1)), reader) for y in outcomes]
    with_length = np.column_stack([length, np.ones(len(length))])
    return means + [_ols(y, with_length, reader) for y in outcomes]


def _ols(y: np.ndarray, x: np.ndarray, reader: np.ndarray) -> tuple[float, float]:
    """Return the first coefficient of a least-squares regression, and its error clustered by readers."""
    there = ~np.isnan(y)
    x, y, reader = x[there], y[there], reader[there]
    bread = np.linalg.inv(x.T @ x)
    beta = bread @ x.T @ y
    score = np.zeros((reader.max() + 1, x.shape[1]))
    np.add.at(score, reader, x * (y - x @ beta)[:, None])
    n = len(np.unique(reader))
    variance = bread @ (score.T @ score) @ bread * n / (n - 1)
    return float(beta[0]), float(variance[0, 0] ** 0.5)


def main(argv: Sequence[str] | None = None) -> None:
    """Print a table for each corpus, share and kind of loss."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--studies", type=int, default=0, help="simulated studies for coverage; 0: none")
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--blocks", type=int, nargs="+", default=(1, BLOCK), help="sizes; 1 is at random")
    parser.add_argument("--readers", type=int, help="only so many of the readers")
    args = parser.parse_args(argv)
    for corpus in map(open_corpus, args.corpora):
        some = set(corpus.reader_ids[: args.readers])
        corpus = corpus.restricted_to([pair for pair in corpus.by_pair if pair[0] in some])
        for block in args.blocks:
            kind = "at random" if block == 1 else f"in blocks of {block}"
            for share in args.shares:
                print(f"\n{corpus.name}: {share:.0%} of the fixations lost {kind}")
                if args.studies:
                    lines = text_rows(("", *EFFECTS), coverage(corpus, share, block, args.studies))
                else:
                    lines = text_rows(("", *MEASURES), compared(corpus, share, block))
                print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
