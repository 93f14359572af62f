"""CPU time of drawing scanpaths and of their likelihood, per baseline, beside an iid draw of words."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.fold_predictions import baseline_names, find_generator
from scandl.models.model import HasLikelihood, Request

ROUNDS = 5
REFERENCE = "uniform-m"


def main() -> None:
    corpus = open_corpus("demo")
    requests = [
        Request(corpus.sentences[path.sentence_id], path.reader_id, n_fixations=path.n_fixations)
        for path in corpus.scanpaths
    ]
    generators = {name: find_generator(name)().fit(corpus, seed=1) for name in baseline_names()}
    for generator in generators.values():
        generator.generate(requests[:1], seed=0)  # compiled code is compiled now
    spent = dict.fromkeys(generators, 0.0)
    scored = dict.fromkeys(generators, 0.0)
    for n in range(ROUNDS):
        for name, generator in generators.items():
            spent[name] += _seconds(partial(generator.generate, requests, seed=n))
            if isinstance(generator, HasLikelihood):
                scored[name] += _seconds(partial(_likelihoods, generator, corpus))
    per = 1e6 / (ROUNDS * len(requests))
    print(f"{'baseline':<18} µs/path  ratio to {REFERENCE}  µs/log_prob")
    for name in spent:
        likelihood = f"{scored[name] * per:11.1f}" if scored[name] else "          –"
        print(f"{name:<18} {spent[name] * per:7.1f} {spent[name] / spent[REFERENCE]:18.2f}  {likelihood}")


def _likelihoods(generator: HasLikelihood, corpus: Corpus) -> None:
    for path in corpus.scanpaths:
        generator.log_prob(corpus.sentences[path.sentence_id], path)


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
