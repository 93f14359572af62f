"""What a setting of the word-pointing models is worth, on texts and lengths held out of a training fold.

``python benchmarks/readers/bench_choices.py text CORPUS network.width=64`` trains on the training part of
fold ns-0 of a corpus without one of its items and tests on that item. With ``length`` in place of ``text`` it
trains on the sentences of at most 16 words and tests on those of at least 25. The test part of the fold is
never read, so that settings can be chosen.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from bench_tables import by_sentence

from scandl.config import read_config, to_table
from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.model import Request
from scandl.models.pointer.pointer_generator import one_thread
from scandl.models.pointer.pointer_settings import PointerConfig
from scandl.models.pointer.pointer_training import load, train
from scandl.records import Sentence
from scandl.splits import make_folds
from scandl.statistics.energy import energy_terms

SHORT, LONG = 16, 25


def main(argv: Sequence[str] | None = None) -> None:
    """Print likelihood and energy distance of one setting."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("held_out", choices=["text", "length"])
    parser.add_argument("corpus")
    parser.add_argument("settings", nargs="*", metavar="name=value")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    # A group of settings that is changed in part would otherwise take the rest from its class.
    ours = [
        f"training.{name}={json.dumps(value)}" for name, value in to_table(PointerConfig().training).items()
    ]
    config = read_config(PointerConfig, None, [*ours, *args.settings])
    config = replace(config, training=replace(config.training, seed=args.seed))
    corpus = open_corpus(args.corpus)
    corpus = corpus.restricted_to(make_folds(corpus, "ns", seed=1)[0].train)
    learned, tested = held_out(corpus, args.held_out)
    with tempfile.TemporaryDirectory() as folder, one_thread():
        start = time.process_time()
        model = load(train(config, learned, folder))
        seconds = time.process_time() - start
        paths = tested.scanpaths
        sentences = [tested.sentences[path.sentence_id] for path in paths]
        n_events = sum(path.n_fixations + 1 for path in paths)
        told, untold = (
            -sum(model.log_probs(sentences, readers)) / n_events
            for readers in (paths, [replace(path, reader_id="") for path in paths])
        )
        made = model.generate(
            [Request(s, p.reader_id) for s, p in zip(sentences, paths, strict=True)], seed=1
        )
    terms = energy_terms(by_sentence(paths), {"model": by_sentence(made)})
    assert terms is not None
    print(
        f"{corpus.name}, {args.held_out}, {' '.join(args.settings)}: NLL per fixation {told:.4f} with style,"
        f" {untold:.4f} without; energy {terms.distances[0]:.4f}, diversity {terms.diversity[0]:.3f};"
        f" trained for {seconds:.0f} CPU-s"
    )


def held_out(corpus: Corpus, what: str) -> tuple[Corpus, Corpus]:
    """Return what is learned from and what is tested on."""
    first = min(sentence.item for sentence in corpus.sentences.values())
    if what == "text":
        return _where(corpus, lambda s: s.item != first), _where(corpus, lambda s: s.item == first)
    return _where(corpus, lambda s: s.n_words <= SHORT), _where(corpus, lambda s: s.n_words >= LONG)


def _where(corpus: Corpus, wanted: Callable[[Sentence], bool]) -> Corpus:
    pairs = [
        (p.reader_id, p.sentence_id) for p in corpus.scanpaths if wanted(corpus.sentences[p.sentence_id])
    ]
    return corpus.restricted_to(pairs)


if __name__ == "__main__":
    main()
