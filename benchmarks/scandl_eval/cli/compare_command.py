"""``scandl-eval compare``: models against each other, paired on the items they share."""

from __future__ import annotations

import argparse
import sys

from scandl.cli.commandline import Parser, add_common, add_report
from scandl.files.prediction_columns import files_of
from scandl.files.prediction_files import write_result
from scandl.files.results import provenance
from scandl.options import add_option
from scandl_eval.cli.scoring_flags import add_input, inputs_of, leave_it_to_the_result, opened, spec_of
from scandl_reports.writing import check_form, write_asked


def add(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Compare models pair by pair on the (reader, sentence) items both have. A and B are "
        "prediction files, or models of the file given with --pred."
    )
    parser.add_argument("a", metavar="A", help="prediction file, or a model of --pred")
    parser.add_argument("b", metavar="B", help="the same")
    # Without a default argparse reports C as required when B is missing.
    parser.add_argument(
        "others", nargs="*", default=[], metavar="C", help="more of them: all pairs, and ranks"
    )
    add_option(parser, "pred", "files that hold the named models", default=None)
    add_input(parser)
    add_option(
        parser,
        "metrics",
        "default NLD; any of score, energy, diversity, and log-likelihood where files have log_prob",
        default=(),
    )
    add_option(parser, "json")
    add_report(parser)
    add_option(parser, "columns")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Print the comparison; write what was asked for."""
    from scandl_eval.scoring.comparison import T_CAVEAT, compare, comparison_lines

    if args.report:
        check_form(args.report)
    given = [args.a, args.b, *args.others]
    files, models = (args.pred, given) if args.pred else (given, [])
    leave_it_to_the_result()
    found = compare(
        files_of(files, args.column),
        models=models,
        corpus=opened(args.corpus),
        spec=spec_of(args),
        metrics=args.metrics,
        strict=args.strict,
        index_base=args.index_base,
        seed=args.seed,
    )
    if args.json or args.report or args.figures:
        made_by = provenance(seed=args.seed, inputs=inputs_of(files, args.corpus)).as_dict()
    if args.json:
        told = found.metric_spec | {"warnings": found.warnings}
        write_result(args.json, metric_spec=told, rows=found.records(), provenance=made_by)
    if args.report or args.figures:
        from scandl_eval.reporting.scoring_report import build_comparison_report

        write_asked(build_comparison_report(found, made_by), args.report, args.figures)
    print(found.to_latex(args.columns) if args.latex else "\n".join(comparison_lines(found)))
    for warning in found.warnings:
        print(f"warning: {warning}", file=sys.stderr if args.latex else None)
    if not (args.quiet or args.latex):
        for note in found.notes:
            print(note)
        for pair in found.pairs:
            if pair.n_only_a or pair.n_only_b:
                print(
                    f"{pair.setting}: items only {pair.a} has {pair.n_only_a}, only {pair.b} {pair.n_only_b}"
                )
        if any(pair.p_folds is not None for pair in found.pairs):
            print(T_CAVEAT)
