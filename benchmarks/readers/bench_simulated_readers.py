"""How much simulated readers differ from each other, beside how much people do.

``python benchmarks/readers/bench_simulated_readers.py reading-brain-l1 provo`` lets 48 simulated readers of
the shipped model read 40 sentences of each corpus, told what its readers were, and prints standard
deviations between readers, of people and simulated, with their ratio; intervals resample readers on both
sides. Then come the standard deviations on which the power of a planned experiment rests, of mixed models
of some words with reader, reader by word length, and word: their mean ratio is what ``reader_spread`` of
the card says.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.condition import STYLE, by_reader, style_of
from scandl.models.pointer.people import TASKS
from scandl.models.trained_model import open_trained
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl_analysis.piloting.mixed_model import CrossedRows, GroupTerms, fit_mixed
from scandl_analysis.piloting.reading_pool import PlannedMeasure, planned_measure, region_measures

SHOWN = ("log_fixations_per_word", "never_fixated", "regressions", "refixations", "log_duration")
PLANNED = ("sr", "FPRT", "TFT", "tfc")
WORDS, SHORTEST = 150, 4
RESAMPLES = 2000
Array = NDArray[np.float64]


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per corpus and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument(
        "--readers", type=int, default=48, help="simulated ones; people are all of the corpus"
    )
    parser.add_argument("--sentences", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    for name in args.corpora:
        corpus = open_corpus(name)
        rng = stream(args.seed, "sentences", name)
        chosen = [str(key) for key in rng.permutation(sorted(corpus.sentences))[: args.sentences]]
        people = [path for path in corpus.scanpaths if path.sentence_id in chosen]
        group = corpus.readers.get(people[0].reader_id, {}).get("group", "L1")
        made = open_trained("people").network.read(
            [
                Request(corpus.sentences[key], f"sim{k + 1}", group=group, task=TASKS.get(name, ""))
                for k in range(args.readers)
                for key in chosen
            ],
            seed=args.seed,
        )
        n_people = len(by_reader(people))
        print(f"{name}, {group}: {n_people} people, {args.readers} simulated, {len(chosen)} sentences")
        compare(_table(people, corpus.sentences), _table(made, corpus.sentences), args.seed)
        compare_planned(people, made, corpus.sentences, rng)


def compare(people: Array, simulated: Array, seed: int) -> None:
    """Print the standard deviations between readers, (readers, measures) on each side."""
    rng = stream(seed, "bootstrap")
    drawn = [
        np.std(side[rng.integers(0, len(side), (RESAMPLES, len(side)))], axis=1, ddof=1)
        for side in (people, simulated)
    ]
    for column, name in enumerate(SHOWN):
        human, model = (float(np.std(side[:, column], ddof=1)) for side in (people, simulated))
        low, high = np.percentile(drawn[1][:, column] / drawn[0][:, column], [2.5, 97.5])
        ratio = f"ratio {model / human:.2f} [{low:.2f}, {high:.2f}]"
        print(f"  {name}: {human:.3f} people, {model:.3f} simulated, {ratio}")


def compare_planned(
    people: Sequence[Scanpath],
    made: Sequence[Scanpath],
    sentences: Mapping[str, Sentence],
    rng: np.random.Generator,
) -> None:
    """Print the standard deviations of mixed models of some words of medium length."""
    chosen = list(dict.fromkeys(path.sentence_id for path in people))
    places = [
        (key, k)
        for key in chosen
        for k, word in enumerate(sentences[key].words)
        if 0 < k < sentences[key].n_words - 1 and len(word) >= SHORTEST
    ]
    places = [places[i] for i in rng.permutation(len(places))[:WORDS]]
    for name in PLANNED:
        measure = planned_measure(name)
        found = [_components(paths, places, sentences, measure) for paths in (people, made)]
        told = ", ".join(
            f"{of} {a:.3f} people, {b:.3f} simulated, ratio {b / a if a else np.nan:.2f}"
            for of, a, b in zip(("reader", "reader by length", "residual"), *found, strict=True)
        )
        print(f"  planned {name} ({measure.scale}): {told}", flush=True)


def _components(
    paths: Sequence[Scanpath],
    places: Sequence[tuple[str, int]],
    sentences: Mapping[str, Sentence],
    measure: PlannedMeasure,
) -> tuple[float, float, float]:
    """Return the standard deviations of readers, of their slopes of length, and of the residual."""
    names = {name: k for k, name in enumerate(dict.fromkeys(path.reader_id for path in paths))}
    lengths = np.array([len(sentences[key].words[k]) for key, k in places], dtype=float)
    scaled = (lengths - lengths.mean()) / lengths.std()
    rows = []
    for path in paths:
        for item, (key, k) in enumerate(places):
            if key == path.sentence_id:
                region = region_measures(path, sentences[key].n_words, (k, k), [measure])
                rows.append((names[path.reader_id], item, region["critical", measure.name]))
    reader, item, y = np.array(rows).T
    known = ~np.isnan(y)
    reader, item, y = reader[known].astype(np.int64), item[known].astype(np.int64), y[known]
    x = np.column_stack([np.ones(len(y)), scaled[item]])
    _, item = np.unique(item, return_inverse=True)
    groups = (GroupTerms(reader, (0, 1)), GroupTerms(item, (0,)))
    found = fit_mixed(CrossedRows(np.log(y) if measure.kind == "gaussian" else y, x, groups), measure.kind)
    a, b = np.sqrt(found.variances[:2]).tolist()
    return a, b, float(np.sqrt(found.residual))


def _table(paths: Sequence[Scanpath], sentences: dict[str, Sentence]) -> Array:
    columns = [STYLE.index(name) for name in SHOWN]
    own = by_reader(paths).values()
    return np.array([[style_of(of_reader, sentences).values[c] for c in columns] for of_reader in own])


if __name__ == "__main__":
    main()
