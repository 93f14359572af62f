"""What ``nld`` and ``score`` share: the flags, the printed table, the files."""

from __future__ import annotations

import argparse
import gc
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scandl.cli.commandline import add_report
from scandl.cli.flags import add_columns
from scandl.corpora.corpus_folder import find_corpus, open_corpus
from scandl.errors import LeftOutWarning
from scandl.files.prediction_columns import files_of
from scandl.files.prediction_files import write_result
from scandl.files.results import provenance
from scandl.files.tables import check_ending
from scandl.options import add_option
from scandl_reports.writing import check_form, write_asked

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl_eval.scoring.scoring_spec import Spec


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say what is compared with what, and how."""
    add_columns(parser)
    add_option(parser, "corpus", "corpus folder or name with the human scanpaths and texts")
    parser.add_argument(
        "--spec",
        choices=("words", "scandl"),
        default="words",
        help="positions only, or with CLS and SEP as the published numbers were made (default words)",
    )
    parser.add_argument(
        "--repair",
        choices=("clean", "remove-pad", "cut-sep"),
        default="clean",
        help="how raw symbols of the released code's JSON are read (default clean)",
    )
    parser.add_argument(
        "--against",
        choices=("same-reader", "all-readers"),
        default="same-reader",
        help="the reader a prediction stands for, or all readers of the sentence (default same-reader)",
    )
    parser.add_argument(
        "--reference",
        choices=("tested", "all"),
        default="tested",
        help="readers that models are compared with in energy and the Human row: those of the predicted "
        "items, or all readers of the corpus (default tested)",
    )
    parser.add_argument(
        "--bin",
        type=float,
        default=50.0,
        metavar="MS",
        help="bins of nld-time, energy-time and diversity-time (default 50 ms)",
    )
    add_option(
        parser,
        "strict",
        "fail when a prediction has no human scanpath or another one than the corpus, or a model lacks "
        "an item",
    )


def add_scoring(parser: argparse.ArgumentParser) -> None:
    """Add the flags of a scoring command."""
    add_option(parser, "pred", required=True)
    add_input(parser)
    add_option(parser, "baselines")
    parser.add_argument(
        "--ceiling",
        default="all-pairs",
        metavar="NAME",
        help="human row: all-pairs (default), one-other, split-half, medoid, best-other or same-n",
    )
    parser.add_argument("--scores", metavar="F", help="write the per-instance table (CSV or Parquet)")
    add_option(parser, "json")
    add_report(parser)
    add_option(parser, "columns")


def run_scoring(args: argparse.Namespace) -> None:
    """Score by the metrics of ``args``, write the files that were asked for, print the table."""
    from scandl_eval.score_table import write_scores
    from scandl_eval.scoring.evaluation import evaluate
    from scandl_eval.scoring.rows import row_dicts, screen_lines, table_lines

    if args.report:
        check_form(args.report)
    if args.scores:
        check_ending(args.scores)
    files = args.pred
    if args.column:
        files = files_of(args.pred, args.column)
    leave_it_to_the_result()
    with _without_collection():
        result = evaluate(
            files,
            corpus=opened(args.corpus),
            spec=spec_of(args),
            metrics=args.metrics,
            ceiling=args.ceiling,
            baselines=args.baselines,
            strict=args.strict,
            index_base=args.index_base,
            seed=args.seed,
        )
    if args.scores:
        write_scores(args.scores, result.scores)
    if args.json or args.report or args.figures:
        made_by = provenance(seed=args.seed, inputs=inputs_of(args.pred, args.corpus)).as_dict()
    if args.json:
        rows = row_dicts(result.rows)
        told = result.metric_spec | {"warnings": result.warnings}
        write_result(args.json, metric_spec=told, rows=rows, provenance=made_by)
    if args.report or args.figures:
        from scandl_eval.reporting.scoring_report import build_scoring_report

        write_asked(build_scoring_report(result, made_by), args.report, args.figures)
    if args.latex:
        print(result.to_latex(args.columns))
    elif args.screen:
        print("\n".join(screen_lines(result.rows, every=args.all)))
    else:
        print("\n".join(table_lines(result.rows)))
    for warning in result.warnings:
        print(f"warning: {warning}", file=sys.stderr if args.latex else None)
    if not (args.quiet or args.latex):
        few = args.screen and not args.all
        print("\n".join(note for note in result.notes if not (few and _OF_ONE_METRIC.search(note))))
        if args.screen:
            print("intervals: --metrics NAMES, --json or --report" + "; more metrics and notes: --all" * few)


_OF_ONE_METRIC = re.compile(r" is not defined for |^no [\w-]+ of ")


def leave_it_to_the_result() -> None:
    """Say what was left out once: the command prints the warnings of its result."""
    warnings.simplefilter("ignore", LeftOutWarning)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Leave the cycle collector alone: records hold no cycles, and walking them all costs a quarter more."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def spec_of(args: argparse.Namespace) -> Spec:
    """Return the declared choices of the flags."""
    from scandl_eval.scoring.scoring_spec import Spec

    return Spec(
        convention=args.spec,
        repair=args.repair,
        against=args.against,
        reference=args.reference,
        bin_ms=args.bin,
    )


def opened(corpus: str | None) -> Corpus | None:
    """Open the corpus of ``--corpus``."""
    if corpus is None:
        return None

    return open_corpus(corpus)


def inputs_of(files: Sequence[str], corpus: str | None) -> list[str]:
    """Return the paths whose hashes belong to the provenance."""
    if corpus is None:
        return list(files)

    return [*files, str(find_corpus(corpus))]
