"""``scandl-eval run``: the whole benchmark, from a corpus to a leaderboard."""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from scandl.cli.commandline import Parser, add_common
from scandl.cli.flags import add_columns
from scandl.options import add_option, listed
from scandl_eval.cli.word_input_flags import add_predictability
from scandl_reports.writing import check_form, without_pdf


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Fit models on the folds of a corpus, score them beside baselines and the human ceiling, "
        "and write a run folder. A run that was stopped goes on where it was."
    )
    add_option(parser, "corpus", "corpus folder or name (default demo)")
    add_option(parser, "test_corpus", "the corpus tested on in the setting cross")
    parser.add_argument(
        "--settings", type=listed, metavar="A,B", help="ns, nr, nrns, cross (default ns,nr,nrns)"
    )
    add_option(parser, "models", "names of 'baseline list', all (default) or all-variants")
    add_option(
        parser,
        "pred",
        "predictions of models fitted elsewhere, with setting and fold",
        dest="predictions",
        default=None,
    )
    add_columns(parser)
    parser.add_argument("--folds", type=_numbers, metavar="0,1", help="folds to run (default all five)")
    add_option(parser, "samples", "paths for each human path (default 1)", default=None)
    parser.add_argument(
        "--metrics", type=listed, metavar="M,M", help="score by these, too: names of the page Metrics"
    )
    parser.add_argument(
        "--resamples", type=int, metavar="N", help="resamples of the AUC's bootstrap (default 2000)"
    )
    add_option(parser, "scheme")
    add_option(parser, "context")
    add_predictability(parser)
    add_option(parser, "set")
    parser.add_argument(
        "--keep-checkpoints",
        action="store_true",
        default=None,
        help="keep what ScanDL learns in DIR/checkpoints: a training that was stopped goes on",
    )
    add_option(
        parser,
        "config",
        "a run.toml, or one that ships: paper.toml, paper-ablations.toml, paper-cross.toml;"
        " the flags above change what it says",
    )
    add_option(parser, "out", "run folder, for example runs/first", required=True, metavar="DIR")
    add_option(parser, "report", "write the report here too, .html, .pdf, .txt or .tex")
    add_option(
        parser,
        "scheduler",
        "work on the Dask cluster at this address; cuda: a worker on each GPU of this machine",
    )
    add_common(parser, seed=True, jobs=True)
    parser.set_defaults(run=run, seed=None)


def run(args: argparse.Namespace) -> None:
    """Run the benchmark and print its leaderboard."""
    from scandl_eval.leaderboard.leaderboard import console
    from scandl_eval.reporting.run_report import write_run_report
    from scandl_eval.running.published_comparison import comparison_lines
    from scandl_eval.running.run_benchmark import PUBLISHED, run_benchmark
    from scandl_eval.running.tasks import RunConfig, read_run_config

    known = [field.name for field in fields(RunConfig)]
    given: dict[str, Any] = {k: v for k, v in vars(args).items() if k in known and v is not None}
    if "predictions" in given:
        given["predictions"] = tuple(given["predictions"])
    if args.column:
        given["columns"] = tuple(args.column)
    if args.set:
        given["changes"] = (*read_run_config(args.config).changes, *args.set)
    config = replace(read_run_config(args.config), **given)
    copies = [check_form(args.report)] if args.report else []
    board = run_benchmark(config, args.out, jobs=args.jobs, scheduler=args.scheduler, quiet=args.quiet)
    try:
        write_run_report(args.out, *copies)
    finally:  # the board is there, whatever becomes of the page
        published = Path(args.out) / PUBLISHED
        print("\n".join([console(board), *(comparison_lines(published) if published.exists() else ())]))
    if not args.quiet and (said := without_pdf()):
        print(said)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(name) for name in listed(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected fold numbers such as 0,1, found {text!r}") from None
