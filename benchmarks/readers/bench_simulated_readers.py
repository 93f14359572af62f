"""How much simulated readers differ from each other, beside how much people do.

``python benchmarks/readers/bench_simulated_readers.py reading-brain-l1 provo`` lets 48 simulated readers of
the shipped model read 40 sentences of each corpus, told what its readers were, and prints standard deviations
between readers, of people and simulated, with their ratio; intervals resample readers on both sides.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.condition import STYLE, by_reader, style_of
from scandl.models.pointer.people import TASKS
from scandl.models.trained_model import open_trained
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream

SHOWN = ("log_fixations_per_word", "never_fixated", "regressions", "refixations", "log_duration")
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


def _table(paths: Sequence[Scanpath], sentences: dict[str, Sentence]) -> Array:
    columns = [STYLE.index(name) for name in SHOWN]
    own = by_reader(paths).values()
    return np.array([[style_of(of_reader, sentences).values[c] for c in columns] for of_reader in own])


if __name__ == "__main__":
    main()
