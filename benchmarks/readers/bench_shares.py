"""Whether simulated readers should be like people of one laboratory or of two.

``python benchmarks/readers/bench_shares.py reading-brain-l1 provo reading-brain-l2`` lets the shipped model
read 60 texts of a corpus for its first 40 readers, as single sentences. A share of the simulated readers has
the style of readers of Provo, the others that of ``reading-brain-l1``. Printed are energy distances by share,
mean and standard deviation over three draws of styles. All three corpora were trained on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from bench_tables import by_sentence

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.generators import Request
from scandl.pointer.condition import SENTENCE
from scandl.pointer.people import GROUP
from scandl.pointer.people_generator import people_model
from scandl.statistics.energy import energy_terms

N_READERS, N_TEXTS, SEEDS = 40, 60, (1, 2, 3)
SHARES = (0.0, 0.25, 0.5, 1.0)
KERNELS = ("nld", "nld-time")


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per corpus and share."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    for name in parser.parse_args(argv).corpora:
        corpus = open_corpus(name)
        texts = set(np.random.default_rng(1).permutation(sorted(corpus.sentences))[:N_TEXTS].tolist())
        readers = set(sorted(corpus.reader_ids)[:N_READERS])
        tested = corpus.restricted_to([p for p in corpus.by_pair if p[0] in readers and p[1] in texts])
        for share in SHARES:
            found = np.array([distances(tested, share, seed) for seed in SEEDS])
            means, sds = found.mean(axis=0), found.std(axis=0, ddof=1)
            told = ", ".join(f"{mean:.4f} (sd {sd:.4f})" for mean, sd in zip(means, sds, strict=True))
            print(f"{name}, {share:.2f} like readers of Provo: energy, energy-time {told}", flush=True)


def distances(tested: Corpus, share: float, seed: int) -> list[float]:
    """Return the energy distances of one draw of styles."""
    model, rng = people_model(), np.random.default_rng(seed)
    names = list(model.conditions.readers)
    readers = sorted(tested.reader_ids)
    n_elsewhere = round(share * len(readers))
    pools = (("reading-brain-l1/", len(readers) - n_elsewhere), ("provo", n_elsewhere))
    drawn = [
        str(name)
        for start, n in pools
        for name in rng.permutation([own for own in names if own.startswith(start)])[:n]
    ]
    like = dict(zip(rng.permutation(readers).tolist(), drawn, strict=True))
    requests = [
        Request(
            tested.sentences[path.sentence_id], f"like {path.reader_id}", group=GROUP, task=SENTENCE,
            style=model.conditions.style(like[path.reader_id]),
        )
        for path in tested.scanpaths
    ]  # fmt: skip
    paths = model.generate(requests, seed=seed)
    made = by_sentence([replace(p, reader_id=p.reader_id.removeprefix("like ")) for p in paths])
    terms = [energy_terms(by_sentence(tested.scanpaths), {"model": made}, kernel) for kernel in KERNELS]
    return [float(each.distances[0]) for each in terms if each is not None]


if __name__ == "__main__":
    main()
