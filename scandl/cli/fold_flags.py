"""The flags of commands that work on one fold of a corpus, and the fold they choose."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.cli.commandline import whole

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.splits import Fold


@dataclass(frozen=True, slots=True)
class ChosenFold:
    """A fold with the corpus it learns from and the one it is tested on; two only in the setting cross."""

    fold: Fold
    corpus: Corpus
    tested: Corpus


def add_fold(parser: argparse._ActionsContainer, *, required: bool = True) -> None:
    """Add the flags."""
    parser.add_argument("--corpus", required=required, metavar="C", help="name or folder of the corpus")
    parser.add_argument("--setting", choices=["ns", "nr", "nrns", "cross"], help="what is new in the test")
    parser.add_argument("--fold", type=int, metavar="K", help="number of the fold, from 0; cross has one")
    parser.add_argument("--test-corpus", metavar="C", help="with cross: the corpus to test on, all of it")
    parser.add_argument("--split-seed", type=whole, metavar="N", help="seed of the folds (default 1)")
    parser.add_argument(
        "--scheme",
        choices=["shuffled", "paper"],
        help="how folds are made: shuffled by the seed (default), or unshuffled as published",
    )
    parser.add_argument(
        "--split",
        type=Path,
        metavar="FILE",
        help="a fold that scandl split has written, in place of the others",
    )


def fold_flags_given(args: argparse.Namespace) -> list[str]:
    """Return the flags that choose among the folds of a corpus, as far as they were given."""
    names = ("setting", "fold", "test_corpus", "split_seed", "scheme", "split")
    return [f"--{name.replace('_', '-')}" for name in names if getattr(args, name) is not None]


def chosen_fold(args: argparse.Namespace) -> ChosenFold:
    """Return the fold that the flags name."""
    from scandl.corpora.corpus_folder import open_corpus
    from scandl.errors import ScandlError
    from scandl.splits import fold_numbered, make_cross, make_folds

    if args.split is not None:
        return _from_file(args)
    crossed = args.setting == "cross"
    if args.setting is None:
        raise ScandlError("give --setting and --fold, or a file of scandl split with --split")
    if crossed != (args.test_corpus is not None):
        raise ScandlError("--setting cross and --test-corpus go together")
    if args.fold is None and not crossed:
        raise ScandlError(f"--setting {args.setting} needs --fold, from 0")
    how: dict[str, Any] = {
        "seed": 1 if args.split_seed is None else args.split_seed,
        "scheme": args.scheme or "shuffled",
    }
    corpus = open_corpus(args.corpus)
    tested = open_corpus(args.test_corpus) if crossed else corpus
    folds = [make_cross(corpus, tested, **how)] if crossed else make_folds(corpus, args.setting, **how)
    return ChosenFold(fold_numbered(folds, args.fold or 0), corpus, tested)


def _from_file(args: argparse.Namespace) -> ChosenFold:
    """Return the fold of a file, whose corpora must be those that were given."""
    from scandl.corpora.corpus_folder import open_corpus
    from scandl.errors import DataError, ScandlError
    from scandl.splits import read_fold

    others = [flag for flag in fold_flags_given(args) if flag not in ("--split", "--test-corpus")]
    if others:
        raise ScandlError(f"{others[0]} does not go with --split: the file says which fold it is")
    corpus = open_corpus(args.corpus)
    fold = read_fold(args.split, corpus)
    if bool(fold.test_corpus) != (args.test_corpus is not None):
        raise ScandlError(
            f"{args.split}: a fold of setting {fold.setting!r}: --test-corpus goes with cross alone"
        )
    tested = open_corpus(args.test_corpus) if args.test_corpus is not None else corpus
    for column, named, opened, pairs in (
        ("corpus", fold.corpus, corpus, (*fold.train, *fold.validation)),
        ("test_corpus", fold.test_corpus or fold.corpus, tested, fold.test),
    ):
        if named != opened.name:
            raise DataError(args.split, None, column, named, f"the corpus that was given, {opened.name!r}")
        for reader, sentence in pairs:
            if (reader, sentence) not in opened.by_pair:
                found = f"reader {reader}, sentence {sentence}"
                raise DataError(args.split, None, column, found, f"scanpaths of corpus {opened.name!r}")
    return ChosenFold(fold, corpus, tested)
