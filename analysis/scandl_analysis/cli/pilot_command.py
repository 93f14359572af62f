"""``scandl-analysis pilot``: an experiment before anyone is recorded."""

from __future__ import annotations

import argparse
from pathlib import Path

import scandl_analysis
from scandl.cli.commandline import Parser, add_common, add_report
from scandl.options import add_option, count, listed
from scandl_analysis.cli.source_flags import asked_reports, write_reports
from scandl_reports.writing import usual_reports, without_pdf

CHOSEN = (
    *("models", "readers", "items", "measures", "contrast", "regions", "formula", "effects"),
    *("experiments", "pool", "surprisal", "context", "language", "seed"),
)
"""The flags that are fields of ``PilotOptions``."""


def add_pilot(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Let simulated readers read the stimuli of a planned experiment and simulate the"
        " experiment many times: confounds, expected effects, power over readers and items. Example:"
        " scandl-analysis pilot --stimuli stimuli.csv --models ezreader,swift --effect TFT=25ms --out pilot."
        " The stimuli have columns item_id, condition and text, with the critical region marked as *word*."
    )
    parser.add_argument("--stimuli", metavar="F", required=True, help="table of the stimuli (.csv, .parquet)")
    _add_plan(parser.add_argument_group("the experiment"))
    _add_readers(parser.add_argument_group("the simulated readers"))
    add_option(
        parser,
        "out",
        "folder for effects.csv, power.csv, confounds.csv, lists.csv and the report",
        required=True,
        metavar="DIR",
    )
    add_report(parser)
    add_option(parser, "scheduler")
    add_common(parser, seed=True, jobs=True)
    parser.set_defaults(run=run)


def _add_plan(plan: argparse._ArgumentGroup) -> None:
    plan.add_argument(
        "--contrast", metavar="X", help="a column of the stimuli, or several as a*b (default condition)"
    )
    add_option(plan, "measures", "default sr,FFD,FPRT,RPD,TFT,tfc")
    plan.add_argument(
        "--region",
        type=listed,
        dest="regions",
        metavar="A,B",
        help="whose power is computed: critical (default), spillover, sentence; effects are of all three",
    )
    plan.add_argument("--readers", type=_numbers, metavar="24,32", help="default 24,32,48,64")
    plan.add_argument("--items", type=_numbers, metavar="24,32", help="default: as many as the stimuli have")
    plan.add_argument(
        "--formula",
        metavar="F",
        help="the planned regression, such as 'condition + (1 + condition || reader) + (1 | item)' (default:"
        " the contrast with everything that readers and items can have, without correlations)",
    )
    plan.add_argument(
        "--effect",
        type=listed,
        action="extend",
        dest="effects",
        metavar="M=SIZE",
        help="power for an effect you state: TFT=25ms, sr=0.3 (log odds); may be repeated",
    )


def _add_readers(readers: argparse._ArgumentGroup) -> None:
    add_option(
        readers,
        "models",
        "people (the model of the package), ezreader, swift, a name of 'scandl models list', or files of"
        " trained models (default people,ezreader,swift)",
    )
    readers.add_argument(
        "--humans", metavar="C", help="a corpus of people who read these sentences: their effects beside"
    )
    readers.add_argument("--experiments", type=count, metavar="N", help="per design (default 200)")
    readers.add_argument(
        "--pool", type=count, metavar="N", help="simulated readers (default four times the most readers)"
    )
    add_option(readers, "context")
    add_option(readers, "surprisal", default=None)
    add_option(readers, "language", "of the stimuli (default en)", default=None)


def run(args: argparse.Namespace) -> None:
    """Pilot, write tables and report, and print what a co-author asks for."""
    folder = Path(args.out)
    reports = [*asked_reports(args), *usual_reports(folder)]
    chosen = {name: value for name in CHOSEN if (value := getattr(args, name)) is not None}
    result = scandl_analysis.pilot(
        args.stimuli,
        humans=args.humans,
        out=folder,
        jobs=args.jobs,
        scheduler=args.scheduler,
        quiet=args.quiet,
        **chosen,
    )
    result.write(folder)
    write_reports(args, result.as_report(), reports)
    if args.latex:
        return
    print(result.text(quiet=args.quiet))
    print(f"written to {args.out}")
    if not args.quiet and (said := without_pdf()):
        print(said)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(name) for name in listed(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers such as 24,32, found {text!r}") from None
