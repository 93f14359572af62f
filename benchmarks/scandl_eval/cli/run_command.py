"""``scandl-eval run``: the whole benchmark, from a corpus to a leaderboard."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scandl.cli.commandline import add_common, count, listed
from scandl.cli.flags import add_columns
from scandl_eval.cli.word_input_flags import add_predictability


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's parser."""
    parser = subparsers.add_parser(
        "run",
        help="the whole benchmark: split, fit, generate, score, rank",
        description="Fit models on the folds of a corpus, score them beside baselines and the human ceiling, "
        "and write a run folder. A run that was stopped goes on where it was.",
    )
    parser.add_argument("--corpus", metavar="C", help="corpus folder or name (default demo)")
    parser.add_argument("--test-corpus", metavar="C", help="the corpus tested on in the setting cross")
    parser.add_argument(
        "--settings", type=listed, metavar="A,B", help="ns, nr, nrns, cross (default ns,nr,nrns)"
    )
    parser.add_argument(
        "--models", type=listed, metavar="A,B", help="names of 'baseline list', all (default) or all-variants"
    )
    parser.add_argument(
        "--pred",
        nargs="+",
        action="extend",
        dest="predictions",
        metavar="F",
        help="predictions of models fitted elsewhere, with setting and fold",
    )
    add_columns(parser)
    parser.add_argument("--folds", type=_numbers, metavar="0,1", help="folds to run (default all five)")
    parser.add_argument("--samples", type=count, metavar="N", help="paths for each human path (default 1)")
    parser.add_argument(
        "--metrics", type=listed, metavar="M,M", help="score by these, too: names of the page Metrics"
    )
    parser.add_argument(
        "--resamples", type=int, metavar="N", help="resamples of the AUC's bootstrap (default 2000)"
    )
    parser.add_argument("--scheme", metavar="NAME", help="how folds are made: shuffled (default) or paper")
    add_predictability(parser)
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="a.b=c",
        help="change one setting of ScanDL's training, such as training.steps=100; repeatable",
    )
    parser.add_argument(
        "--keep-checkpoints",
        action="store_true",
        default=None,
        help="keep what ScanDL learns in DIR/checkpoints: a training that was stopped goes on",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="a run.toml, or one that ships: paper.toml, paper-ablations.toml, paper-cross.toml;"
        " the flags above change what it says",
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="run folder, for example runs/first")
    parser.add_argument("--report", metavar="F", help="write the report here too, .html, .pdf, .txt or .tex")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="work on the Dask cluster at this address; cuda: a worker on each GPU of this machine",
    )
    add_common(parser, seed=True, jobs=True)
    parser.set_defaults(run=run, seed=None)


def run(args: argparse.Namespace) -> None:
    """Run the benchmark and print its leaderboard."""
    from dataclasses import fields, replace

    from scandl_eval.leaderboard.leaderboard import console
    from scandl_eval.reporting.run_report import write_run_report
    from scandl_eval.running.published_comparison import comparison_lines
    from scandl_eval.running.run_benchmark import PUBLISHED, run_benchmark
    from scandl_eval.running.run_config import RunConfig, read_run_config
    from scandl_reports.writing import check_form, without_pdf

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
