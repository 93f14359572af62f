"""``scandl-eval baseline calibrate``: from a language model's probabilities to cloze."""

from __future__ import annotations

import argparse

from scandl.cli.commandline import Parser, add_common
from scandl.corpora.corpus_folder import open_corpus
from scandl.models.cognitive.predictability import calibrated, joined, told_of
from scandl.models.cognitive.word_probabilities import Calibration
from scandl.options import add_option
from scandl_eval.cli.word_input_flags import add_words


def add(kinds: argparse._SubParsersAction[Parser]) -> None:
    """Add the command's parser."""
    parser = kinds.add_parser(
        "calibrate",
        help="fit cloze = logistic(a + b logit p) on a corpus with cloze norms",
        description="Compare cloze norms of a corpus with the probabilities of a language model, and print "
        "the two numbers that --calibration takes.",
    )
    add_option(parser, "corpus", "corpus folder or name, with cloze in its words table", required=True)
    add_words(parser, required=True)
    add_common(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the calibration and what it gains."""
    from dataclasses import replace
    from statistics import fmean

    corpus = open_corpus(args.corpus)
    found, chances, cloze = calibrated(
        replace(corpus, words=joined(corpus.words, told_of(corpus, args.words)))
    )
    print(f"--calibration={found.intercept:.4f},{found.slope:.4f}")
    if not args.quiet:
        print(f"{len(cloze):,} words, first words of sentences left out")
        for name, curve in (("as it is", Calibration()), ("calibrated", found)):
            mean, loss = fmean(map(curve, chances)), curve.log_loss(chances, cloze)
            print(f"{name}: mean {mean:.3f} beside cloze {fmean(cloze):.3f}, log loss {loss:.4f} nats")
