"""The flags of commands that work on one fold of a corpus, and the fold they choose."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    parser.add_argument(
        "--setting", required=required, choices=["ns", "nr", "nrns", "cross"], help="what is new in the test"
    )
    parser.add_argument("--fold", type=int, metavar="K", help="number of the fold, from 0; cross has one")
    parser.add_argument("--test-corpus", metavar="C", help="with cross: the corpus to test on, all of it")
    parser.add_argument("--split-seed", type=whole, metavar="N", help="seed of the folds (default 1)")


def fold_flags_given(args: argparse.Namespace) -> list[str]:
    """Return the flags that choose among the folds of a corpus, as far as they were given."""
    names = ("setting", "fold", "test_corpus", "split_seed")
    return [f"--{name.replace('_', '-')}" for name in names if getattr(args, name) is not None]


def chosen_fold(args: argparse.Namespace) -> ChosenFold:
    """Return the fold that the flags name."""
    from scandl.corpora.catalogue import open_corpus
    from scandl.errors import ScandlError
    from scandl.splits import fold_numbered, make_cross, make_folds

    crossed = args.setting == "cross"
    if crossed != (args.test_corpus is not None):
        raise ScandlError("--setting cross and --test-corpus go together")
    if args.fold is None and not crossed:
        raise ScandlError(f"--setting {args.setting} needs --fold, from 0")
    seed = 1 if args.split_seed is None else args.split_seed
    corpus = open_corpus(args.corpus)
    tested = open_corpus(args.test_corpus) if crossed else corpus
    if crossed:
        folds = [make_cross(corpus, tested, seed=seed)]
    else:
        folds = make_folds(corpus, args.setting, seed=seed)
    return ChosenFold(fold_numbered(folds, args.fold or 0), corpus, tested)
