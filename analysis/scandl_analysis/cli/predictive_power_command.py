"""``scandl-analysis predictive-power``: how much a predictor says about reading that was not fitted."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scandl.cli.commandline import Parser, add_common
from scandl.errors import ConfigError
from scandl.files.results import check_folder
from scandl.files.tables import text_rows
from scandl.options import add_option, listed, whole
from scandl_analysis.cli.source_flags import add_source

if TYPE_CHECKING:
    from scandl_analysis.effects.predictive_power import PredictivePower


def add_predictive_power(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Compare predictors by the log-likelihood per word (nats) they add to word length and"
        " frequency, and those of the previous word, in items that were not fitted. Example: scandl-analysis"
        " predictive-power --corpus demo --providers trigram,unigram. With --corpus alone: its readers; with"
        " --run or --pred: models' paths too."
    )
    add_source(parser, readers_alone=True)
    _add_comparison(parser)
    add_option(parser, "out", "write gains.csv, differences.csv and how they were made", metavar="DIR")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def _add_comparison(parser: argparse.ArgumentParser) -> None:
    """Add what is compared, on which words."""
    parser.add_argument(
        "--predictor",
        type=listed,
        default=("surprisal",),
        metavar="NAMES",
        help="surprisal (default) or columns of words.csv or --words, with commas",
    )
    parser.add_argument(
        "--providers",
        type=listed,
        default=("auto",),
        metavar="NAMES",
        help="sources of surprisal to compare, with commas: trigram, smollm2, unigram, gpt2, a folder or hub"
        " name (default auto)",
    )
    add_option(parser, "measures", "with commas (default FFD,FPRT,TFT,tfc,sr, times where durations are)")
    parser.add_argument(
        "--form", choices=("linear", "spline"), help="only straight lines, or only splines (default both)"
    )
    add_option(parser, "spillover", "add the predictor of the previous word too")
    add_option(parser, "words")
    add_option(parser, "frequency", "scale of word frequency in the base model (default zipf)")
    add_option(parser, "keep", "keep the last words of sentences")
    parser.add_argument(
        "--folds", type=lambda text: whole(text, 2), default=10, metavar="N", help="of items (default 10)"
    )


def run(args: argparse.Namespace) -> None:
    """Compare, write the tables and print them."""
    from scandl_analysis.effects.predictive_power import FORMS, predictive_power
    from scandl_analysis.words.analysed_run import open_source
    from scandl_analysis.words.word_table import EDGES

    check_folder(args.out)
    if args.providers != ("auto",) and "surprisal" not in args.predictor:
        raise ConfigError("--providers are sources of surprisal, and --predictor names others")
    result = predictive_power(
        open_source(args),
        predictor=args.predictor,
        providers=args.providers,
        measures=args.measures,
        forms=[args.form] if args.form else FORMS,
        spillover=args.spillover,
        frequency=args.frequency,
        words=args.words,
        drop=() if args.keep else EDGES,
        folds=args.folds,
        seed=args.seed,
        quiet=args.quiet,
    )
    if args.out:
        result.write(args.out)
    print("\n".join([*(result.notes[:1] if args.quiet else result.notes), *text_lines(result)]))
    print(f"written to {args.out}" if args.out else "not written: --out DIR keeps the tables")


def text_lines(result: PredictivePower) -> list[str]:
    """Return gains and differences as plain text."""
    from scandl_analysis.chapters.result_tables import records

    where = ["source", "measure", "form"]
    gains = [
        (*(row[name] for name in where), row["predictor"], *_number(row, "gain"), row["note"] or "")
        for row in records(result.gains)
    ]
    lines = ["gain over the base model, nats per word held out; 95 % over readers and items"]
    lines += text_rows([*where, "predictor", "gain", "95 %", "note"], gains)
    if len(result.differences):
        pairs = [
            (
                *(row[name] for name in where),
                f"{row['predictor']} − {row['other']}",
                *_number(row, "difference"),
                f"{row['p_holm']:.2g}",
            )
            for row in records(result.differences)
        ]
        lines += ["", "differences between predictors, paired; p after Holm over all of them"]
        lines += text_rows([*where, "predictors", "difference", "95 %", "p"], pairs)
    return lines


def _number(row: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Return a value and its interval; nothing where there is none."""
    if row[name] is None:
        return "–", ""
    interval = "" if row["ci_low"] is None else f"[{row['ci_low']:.5f}, {row['ci_high']:.5f}]"
    return f"{row[name]:.5f}", interval
