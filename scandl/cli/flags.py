"""Flags that several commands share: texts, columns, a fold, how to sample, what to draw."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from scandl.corpora.corpus_folder import open_corpus
from scandl.drawings.moving import Scene, check_animation_ending, save_animation
from scandl.drawings.page import WIDTH
from scandl.drawings.picture import MOST, Trace, check_figure_ending, readings_figure, save_figure
from scandl.errors import DataError, ScandlError
from scandl.files.cell_values import TEXT, is_text
from scandl.models.text_stream import GIVEN, checked_text, texts_of
from scandl.options import OPTIONS, add_option, add_options
from scandl.records import NOTHING, Sentence
from scandl.splits import fold_numbered, make_cross, make_folds, read_fold

if TYPE_CHECKING:
    from scandl.corpora.corpus import Corpus
    from scandl.models.diffusion.diffusion_model import Denoising
    from scandl.models.text_stream import Shard
    from scandl.records import Prediction, Scanpath
    from scandl.splits import Fold


def add_texts(parser: argparse._ActionsContainer) -> None:
    """Add where texts come from."""
    add_options(parser, "text", "text_file")


def texts_given(args: argparse.Namespace) -> bool:
    """Say whether the user gave texts."""
    return args.text is not None or args.text_file is not None


def texts_asked_for(args: argparse.Namespace, shard: Shard | None = None) -> Iterator[Sentence]:
    """Yield the texts as they are read: ``t1`` is the first text, or the first line of the file.

    That there is one is known when this returns. Their language is what ``--language`` says.
    """
    found = _typed(args) if args.text is not None else texts_of(args.text_file, shard)
    first = next(found, None)
    if first is None:
        raise ScandlError("the text is empty: there is nothing to read")
    language = getattr(args, "language", None) or ""
    return (sentence.in_language(language) for sentence in chain([first], found))


def sentences_of(args: argparse.Namespace) -> list[Sentence]:
    """Return all of them."""
    return list(texts_asked_for(args))


def _typed(args: argparse.Namespace) -> Iterator[Sentence]:
    """Yield the texts of the command line, with what is known of their paths."""
    known = {GIVEN: args.given} if getattr(args, "given", None) else NOTHING
    for n, line in enumerate(args.text, start=1):
        text = " ".join(line.split())
        if not is_text(text):
            raise ScandlError(f"--text: found {text[:200]!r}, expected {TEXT}")
        if text:
            yield checked_text(Sentence(f"t{n}", text, extra=known), "--text")


def add_columns(parser: argparse.ArgumentParser) -> None:
    """Add which column is which, and what positions count from."""
    add_options(parser, "column", "index_base")


class ChosenFold(NamedTuple):
    """A fold with the corpus it learns from and the one it is tested on; two only in the setting cross."""

    fold: Fold
    corpus: Corpus
    tested: Corpus


FOLD = ("setting", "fold", "test_corpus", "split_seed", "scheme", "split")
"""The options that choose among the folds of a corpus."""


def add_fold(parser: argparse._ActionsContainer, *, required: bool = True) -> None:
    """Add the options that name a fold."""
    add_option(parser, "corpus", required=required)
    add_options(parser, *FOLD)


def fold_flags_given(args: argparse.Namespace) -> list[str]:
    """Return the flags that choose among the folds of a corpus, as far as they were given."""
    return [OPTIONS[name].flag for name in FOLD if getattr(args, name) is not None]


def chosen_fold(args: argparse.Namespace) -> ChosenFold:
    """Return the fold that the flags name."""
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


def sampling_asked_for(steps: int | None, *, keep_symbols: bool = False) -> Denoising | None:
    """Return what the flags ask for; None where no flag was given."""
    if steps is None and not keep_symbols:
        return None
    from scandl.models.diffusion.diffusion_model import Denoising

    usual = Denoising(keep_symbols=keep_symbols)
    return usual if steps is None else replace(usual, steps=steps)


def check_drawings(args: argparse.Namespace) -> None:
    """Refuse files that cannot be drawn, before any work."""
    if args.plot is not None:
        check_figure_ending(args.plot)
    if args.animate is not None:
        check_animation_ending(args.animate)


def draw_readings(
    args: argparse.Namespace,
    words: Sequence[str],
    readings: Sequence[tuple[str, Scanpath | Prediction]],
    title: str,
    lines: Sequence[int] | None = None,
) -> None:
    """Write the files that were asked for; say what their reader should know."""
    if args.plot is None and args.animate is None:
        return
    traces = [Trace.of(name, path) for name, path in readings]
    width, remarks = args.width or WIDTH, []
    if args.plot is not None:
        titled = f"{title}: {len(traces)} readings" if len(traces) > MOST else title
        remarks += save_figure(
            args.plot, lambda: readings_figure(words, traces, titled, width=width, lines=lines), words
        )
    if args.animate is not None:
        shown = tuple(traces[:MOST])
        if len(shown) < len(traces):
            remarks.append(f"{args.animate}: the first {MOST} of {len(traces)} readings")
        displayed = tuple(lines) if lines is not None else None
        remarks += save_animation(args.animate, Scene(tuple(words), shown, title, displayed, width))
    for line in dict.fromkeys(remarks):
        print(f"note: {line}", file=sys.stderr)
