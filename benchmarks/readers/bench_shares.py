"""Whether simulated readers should read as in one laboratory, as in another, or as in one between the two.

``python benchmarks/readers/bench_shares.py schilling mertzen`` lets the shipped network read 60 texts of a
corpus for its first 40 readers, as single sentences. Its simulated readers are like the natives of Reading
Brain, moved by a share of the way from their mean style to that of the natives of Provo. Printed are energy
distances by share, mean and standard deviation over three draws of simulated readers.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from bench_tables import by_sentence

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.condition import SENTENCE
from scandl.models.pointer.people import GROUP, displays, wanted_styles
from scandl.models.pointer.people_generator import people_model
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.pointer.style_calibration import calibrated
from scandl.statistics.energy import energy_terms

N_READERS, N_TEXTS, SEEDS = 40, 60, (1, 2, 3)
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
KERNELS = ("nld", "nld-time")


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per share and corpus."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    tested = {name: some_of(open_corpus(name)) for name in parser.parse_args(argv).corpora}
    brain, provo = open_corpus("reading-brain-l1"), open_corpus("provo")
    shipped = people_model()
    for share in SHARES:
        told = calibrated(shipped, displays([brain]), wanted_styles([brain, provo], share))
        model = shipped.told(told)
        for name, corpus in tested.items():
            found = np.array([distances(model, corpus, seed) for seed in SEEDS])
            means, sds = found.mean(axis=0), found.std(axis=0, ddof=1)
            shown = ", ".join(f"{mean:.4f} (sd {sd:.4f})" for mean, sd in zip(means, sds, strict=True))
            print(f"{share:.2f} of the way to Provo, {name}: energy, energy-time {shown}", flush=True)


def some_of(corpus: Corpus) -> Corpus:
    """Return some readers and texts of a corpus."""
    texts = set(np.random.default_rng(1).permutation(sorted(corpus.sentences))[:N_TEXTS].tolist())
    readers = set(sorted(corpus.reader_ids)[:N_READERS])
    return corpus.restricted_to([pair for pair in corpus.by_pair if pair[0] in readers and pair[1] in texts])


def distances(model: PointerModel, tested: Corpus, seed: int) -> list[float]:
    """Return the energy distances of one draw of simulated readers."""
    requests = [
        Request(tested.sentences[path.sentence_id], path.reader_id, group=GROUP, task=SENTENCE)
        for path in tested.scanpaths
    ]
    made = by_sentence(model.generate(requests, seed=seed))
    terms = [energy_terms(by_sentence(tested.scanpaths), {"model": made}, kernel) for kernel in KERNELS]
    return [float(each.distances[0]) for each in terms if each is not None]


if __name__ == "__main__":
    main()
