"""How well a reader's style is caught from some of their scanpaths: readers who were not trained on.

``python benchmarks/readers/bench_styles.py CORPUS MODEL`` trains the model on the readers of all folds
but one, estimates the style of each held-out reader from ten scanpaths, and compares, on the reader's
other scanpaths, what the model says with and without the style. Intervals resample readers.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.condition import STYLE, Style, by_reader, style_of
from scandl.models.pointer.pointer_generator import ScandlMasked, ScanpathTransformer
from scandl.models.pointer.pointer_model import PointerModel
from scandl.records import Scanpath
from scandl.seeds import stream
from scandl.splits import make_folds

MODELS = {"scanpath-transformer": ScanpathTransformer, "scandl-masked": ScandlMasked}
SHOWN = ("log_fixations_per_word", "never_fixated", "regressions", "refixations", "log_duration")
RESAMPLES = 2000
Array = NDArray[np.float64]


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpus")
    parser.add_argument("model", choices=sorted(MODELS))
    parser.add_argument("--fold", type=int, default=0)
    parser.add_argument("--paths", type=int, default=10, help="scanpaths the style is estimated from")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    corpus = open_corpus(args.corpus)
    fold = make_folds(corpus, "nr", seed=args.seed)[args.fold]
    model = MODELS[args.model]().fit(corpus.restricted_to(fold.train), seed=args.seed).model
    given, rest = split_paths(corpus.restricted_to(fold.test), args.paths, args.seed)
    styles = {reader: style_of(paths, corpus.sentences) for reader, paths in given.items()}
    print(f"{corpus.name}, {args.model}, nr-{args.fold}: {len(styles)} readers, style of {args.paths} paths")
    likelihoods(model, corpus, rest, styles)
    correlations(model, corpus, rest, styles, args.seed)


def split_paths(
    tested: Corpus, n_given: int, seed: int
) -> tuple[dict[str, list[Scanpath]], dict[str, list[Scanpath]]]:
    """Return, for each reader with enough of them, the scanpaths the style is seen in and the others."""
    given, rest = {}, {}
    for reader, paths in by_reader(tested.scanpaths).items():
        if len(paths) >= 2 * n_given:
            order = stream(seed, "style", reader).permutation(len(paths))
            given[reader] = [paths[i] for i in order[:n_given]]
            rest[reader] = [paths[i] for i in order[n_given:]]
    return given, rest


def likelihoods(
    model: PointerModel, corpus: Corpus, rest: dict[str, list[Scanpath]], styles: dict[str, Style]
) -> None:
    """Print log-likelihoods per fixation, of paths and of durations, with and without style."""
    paths = [path for own in rest.values() for path in own]
    sentences = [corpus.sentences[path.sentence_id] for path in paths]
    told = [styles[path.reader_id] for path in paths]
    row = np.array([list(rest).index(path.reader_id) for path in paths])
    events = _per_reader(row, np.array([path.n_fixations + 1.0 for path in paths]))
    with_style = _per_reader(row, np.array(model.log_probs(sentences, paths, told)))
    without = _per_reader(row, np.array(model.log_probs(sentences, paths)))
    _print_gain("log-likelihood of a fixation", with_style / events, without / events)
    if all(path.durations for path in paths):
        # The first duration of a path may be the display's.
        times = [
            _per_reader(row, np.array([np.mean(d[1:]) if len(d) > 1 else np.nan for d in found]), mean=True)
            for found in (
                model.duration_log_probs(sentences, paths, told),
                model.duration_log_probs(sentences, paths),
            )
        ]
        _print_gain("log density of a duration", *times)


def correlations(
    model: PointerModel, corpus: Corpus, rest: dict[str, list[Scanpath]], styles: dict[str, Style], seed: int
) -> None:
    """Print the correlation over readers between what they do and what is simulated for them."""
    real = np.array([style_of(paths, corpus.sentences).values for paths in rest.values()])
    made = {}
    for name in ("with", "without"):
        requests = [
            # Without a style the reader's id stands for some simulated reader.
            Request(
                corpus.sentences[path.sentence_id],
                f"simulated {reader}",
                0,
                style=styles[reader] if name == "with" else None,
            )
            for reader, paths in rest.items()
            for path in paths
        ]
        found = by_reader(
            replace(path, reader_id=path.reader_id.removeprefix("simulated "))
            for path in model.read(requests, seed=seed)
        )
        made[name] = np.array([style_of(found[reader], corpus.sentences).values for reader in rest])
    rng = stream(seed, "bootstrap")
    drawn = rng.integers(0, len(real), (RESAMPLES, len(real)))
    for feature in SHOWN:
        column = STYLE.index(feature)
        cells = []
        for name, table in made.items():
            r = np.corrcoef(real[:, column], table[:, column])[0, 1]
            draws = [np.corrcoef(real[rows, column], table[rows, column])[0, 1] for rows in drawn]
            low, high = np.nanpercentile(draws, [2.5, 97.5])
            cells.append(f"{name} style r = {r:.2f} [{low:.2f}, {high:.2f}]")
        print(f"  {feature}: {'; '.join(cells)}")


def _per_reader(row: NDArray[np.int64], values: Array, *, mean: bool = False) -> Array:
    known = ~np.isnan(values)
    total = np.bincount(row[known], values[known], int(row.max()) + 1)
    return total / np.bincount(row[known], minlength=int(row.max()) + 1) if mean else total


def _print_gain(what: str, with_style: Array, without: Array) -> None:
    gain = with_style - without
    drawn = stream(1, "bootstrap").integers(0, len(gain), (RESAMPLES, len(gain)))
    low, high = np.percentile(gain[drawn].mean(axis=1), [2.5, 97.5])
    print(
        f"  {what}: {with_style.mean():.3f} with style, {without.mean():.3f} without,"
        f" gain {gain.mean():.3f} [{low:.3f}, {high:.3f}]"
    )


if __name__ == "__main__":
    main()
