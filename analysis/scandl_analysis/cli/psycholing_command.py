"""``scandl-analysis psycholing``: effects of words on reading, for humans and for each model."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from scandl.cli.commandline import Parser, add_common, add_report
from scandl.errors import ConfigError
from scandl.files.results import check_folder
from scandl.options import add_option
from scandl_analysis.cli.source_flags import COUNTS, add_sampling, add_source
from scandl_analysis.cli.word_commands import add_predictor_flags
from scandl_reports.writing import check_form, to_latex, write_asked, write_report

if TYPE_CHECKING:
    from scandl_analysis.effects.designs import Options
    from scandl_analysis.effects.psycholing import Psycholing


def add_psycholing(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Fit Bayesian regressions of skipping, regressions, fixation counts and reading times for"
        " humans and for every model of a run, and compare the effects. Without --run: the newest run below"
        " runs/, or the demo. With --corpus alone: the readers of a corpus by themselves."
    )
    add_source(parser, readers_alone=True)
    _add_regressions(parser)
    add_predictor_flags(parser)
    _add_words(parser)
    add_report(parser)
    add_option(
        parser,
        "out",
        "folder for effects.csv, recovery.csv, draws.nc … (default psycholing/SETTING in the run's;"
        " of the demo psycholing-demo; quick looks and --pred are only printed)",
        metavar="DIR",
    )
    add_option(parser, "scheduler")
    add_common(parser, seed=True, jobs=True)
    open_choices = ("draws", "surprisal", "frequency", "alignment", "variant", "scaling")
    parser.set_defaults(run=run, **dict.fromkeys(open_choices))  # left to the design


def _add_regressions(parser: argparse.ArgumentParser) -> None:
    """Add what is fitted, and how."""
    engines = "hmc (default); laplace, a quick look; pymc or nutpie, the same model built by bambi (slow)"
    add_sampling(parser, engine="hmc", about=engines)
    parser.add_argument(
        "--design",
        choices=("crossed", "intercepts", "paper", "joint", "maximal"),
        help="crossed: one model per source with slopes of readers and intercepts of sentences and word"
        " tokens (default); intercepts: of readers only (default of the embedded demo, a"
        " minute); paper: every"
        " choice of the ScanDL paper; joint: one model of all sources; maximal: correlated slopes (hours)",
    )
    add_option(
        parser,
        "measures",
        "with commas: sr, fpr, ffc, tfc, FFD, SFD, FPRT, RPD, TFT, RRT … (default sr,fpr,ffc,tfc and,"
        " where durations are and the design is not paper, FPRT,TFT)",
    )
    add_option(
        parser,
        "variant",
        "fpr and ffc as published with ScanDL, or strictly first pass (default, unless the design is paper)",
    )
    parser.add_argument(
        "--counts",
        choices=COUNTS,
        default="poisson",
        help="family of the fixation counts (default poisson); conwaymaxwell fits any dispersion",
    )
    add_option(parser, "margin")
    parser.add_argument("--no-ceiling", action="store_true", help="do not fit the two halves of the readers")


def _add_words(parser: argparse.ArgumentParser) -> None:
    """Add which words enter, and how they are grouped."""
    parser.add_argument(
        "--scaling",
        choices=("human", "separate"),
        help="standardise by the readers' rows (default) or each source by itself (default of design paper)",
    )
    add_option(
        parser,
        "keep",
        "keep the first and last words of sentences, which are left out unless the design is paper",
    )
    parser.add_argument(
        "--drop",
        choices=("first", "last"),
        action="append",
        default=[],
        help="leave out only the first or only the last word of every sentence; repeatable",
    )
    add_option(
        parser,
        "spillover",
        "add the previous word's length, frequency and surprisal; first words are left out",
    )
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        help="also compare the effects between groups of readers (a column of readers.csv, such as group) or"
        " conditions of sentences (a column of sentences.csv)",
    )
    parser.add_argument(
        "--no-edge-check",
        action="store_true",
        help="do not look at the readers by the other definition and with the edges of sentences",
    )


def _drop(args: argparse.Namespace) -> tuple[str, ...] | None:
    if args.keep and args.drop:
        raise ConfigError("--keep edges and --drop exclude each other")
    return () if args.keep else tuple(dict.fromkeys(args.drop)) or None


def run(args: argparse.Namespace) -> None:
    """Analyse, write the files, and print effects and recovery."""
    from scandl_analysis.glm.fit import check_engine, check_netcdf
    from scandl_analysis.words.analysed_run import open_source

    reports = [check_form(args.report)] if args.report else []
    check_folder(args.out)
    check_engine(args.engine)

    from scandl.text.surprisal import without_context
    from scandl_analysis.chapters.psycholing_output import home_of
    from scandl_analysis.effects.fitting import on_cluster
    from scandl_analysis.effects.psycholing import psycholing

    source, options = open_source(args), _options(args)
    out, why_not = (Path(args.out), "") if args.out else home_of(source, options)
    if out is not None:
        check_netcdf()
    # What this is comes before minutes of work.
    poor = "" if args.quiet else without_context(args.surprisal or "auto")
    first = [*source.first_lines[: 1 if args.quiet else None], why_not, poor]
    print("\n".join(filter(None, first)), flush=True)
    store = None if out is None else out / ".fits"
    with on_cluster(args.scheduler):
        result = psycholing(run=source, options=options, store=store, jobs=args.jobs, quiet=args.quiet)
    _present(args, result, out, reports, already_said=len(source.first_lines))


def _options(args: argparse.Namespace) -> Options:
    """Return what was chosen, by the names that Python has for it."""
    from scandl_analysis.effects.designs import Options
    from scandl_analysis.effects.verdicts import Margins

    chosen = {field.name: getattr(args, field.name) for field in fields(Options) if field.name in args}
    return Options(
        **chosen
        | {
            "punctuation": not args.no_punctuation,
            "drop": _drop(args),
            "ceiling": not args.no_ceiling,
            "edge_check": not args.no_edge_check,
            "margins": Margins.read(args.margin),
        }
    )


def _present(
    args: argparse.Namespace, result: Psycholing, out: Path | None, reports: list[Path], *, already_said: int
) -> None:
    """Write files and reports, then print: who reads the text may stop reading (head) before it ends."""
    from scandl_analysis.chapters.effects_chapter import build_psycholing_report
    from scandl_analysis.chapters.psycholing_output import text_lines, write_psycholing

    if out is not None:
        reports.append(write_psycholing(result, out) / "report.html")
    if reports or args.figures or args.latex:
        report = build_psycholing_report(result)
        write_report(report, *reports)
        write_asked(report, None, args.figures)
    if args.latex:
        print(to_latex(report), end="")
        return
    notes = [] if args.quiet else result.notes[already_said:]
    print("\n".join([*notes, *text_lines(result)]))
    print(f"written to {out}" if out is not None else "not written: --out DIR keeps the tables")
