"""``scandl-analysis ease``: how hard texts are to read, and which system's texts are harder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import scandl_analysis
from scandl.cli.commandline import Parser, add_common, add_report
from scandl.cli.terminal import print_table
from scandl.options import add_option, add_options, listed
from scandl_analysis.cli.source_flags import asked_reports, write_reports

if TYPE_CHECKING:
    from scandl_analysis.reading_ease.ease import Ease

MOST, KEPT = 20, 200
"""Texts that are printed, and that stand in the report; the file has all of them."""
SHOWN = {
    "text_id": "text",
    "group": "group",
    "n_words": "words",
    "ms_per_word": "ms/word",
    "noise": "chance",
    "rereading": "reread",
    "skipping": "skip",
    "regressions": "regr",
    "flesch": "Flesch",
    "surprisal": "nats",
    "judged_ease": "judged",
}
"""The columns that are printed, and what stands above them."""
WHOLE = ("rereading", "flesch")
"""What is printed without digits behind the point."""


def add_ease(parser: Parser) -> None:
    """Say what the command does, and add its options."""
    parser.description = (
        "Let simulated readers read texts: time per word, first pass, rereading, skipping, regressions, with"
        " intervals over readers. Beside it readability formulas, frequency, surprisal, and an index of how"
        " easy people are likely to call the text, which simulated reading is not. With --by: paired"
        " differences between systems that wrote the same items."
    )
    parser.add_argument(
        "--texts",
        metavar="F",
        required=True,
        help="one text a line, or .csv, .jsonl or .parquet with a column text; - is standard input",
    )
    parser.add_argument(
        "--by",
        metavar="C",
        default="",
        help="the column that says which system wrote a text, beside item_id; or, with commas, the columns"
        " that hold the texts of one system each (.csv, .parquet)",
    )
    add_option(
        parser,
        "out",
        "folder for the tables and the report; the same command goes on where it was stopped",
        metavar="DIR",
    )
    add_report(parser)
    add_option(parser, "model", "a model with fixation durations (default people)")
    add_option(
        parser,
        "readers",
        "simulated readers, the same in every text (default 48)",
        default=48,
    )
    add_option(
        parser,
        "samples",
        "times that each reads each text; from 2 on chance is known (default 1)",
    )
    add_option(parser, "precision")
    add_option(parser, "group", "groups of readers, such as L1,L2 (default: the model's)", type=listed)
    add_options(parser, "task")
    parser.add_argument(
        "--context",
        metavar="NAME",
        default="auto",
        help="what tells how expected words are: small, smollm2, gpt2, folder or hub name of another model,"
        " a table of words, none (default auto: the best that is here)",
    )
    add_option(parser, "language")
    add_common(parser, seed=True)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> None:
    """Measure, write what was asked for, and print what is hard."""
    reports = asked_reports(args)
    found = scandl_analysis.ease(
        args.texts,
        by=args.by,
        groups=args.group or (),
        model=args.model,
        readers=args.readers,
        samples=args.samples,
        precision=args.precision,
        task=args.task or "",
        context=args.context,
        language=args.language,
        seed=args.seed,
        out=args.out,
        most=KEPT,
        quiet=args.quiet,
    )
    if args.out:
        reports.append(Path(args.out) / "report.html")
    if reports or args.figures or args.latex:
        from scandl_analysis.reading_ease.ease_report import ease_report

        write_reports(args, ease_report(found), reports)
    if args.latex:
        return
    if not args.quiet:
        print("\n".join(found.notes))
    print_table(_table(found))
    print("\n".join([*found.compared(), *found.flagged(), *_hardest(found)]))
    if args.out:
        print(f"written to {args.out}")


def _table(found: Ease) -> list[str]:
    """Return the texts that take longest per word, a line each."""
    rows = found.texts.sort_values("ms_per_word", ascending=False, kind="stable").head(MOST)
    empty = {"group"} if found.texts["group"].nunique() == 1 else set()
    empty |= {name for name in SHOWN if rows[name].isna().all()}
    names = [name for name in SHOWN if name not in empty]
    cells = [[_cell(name, row) for name in names] for row in rows.to_dict("records")]
    lines = [[SHOWN[name] for name in names], *cells]
    widths = [max(len(line[k]) for line in lines) for k in range(len(names))]
    left = found.n_texts * found.texts["group"].nunique() - len(rows)
    more = [f"… and {left} more that take less time per word"] if left else []
    return ["  ".join(c.rjust(w) for c, w in zip(line, widths, strict=True)) for line in lines] + more


def shortened(name: str, most: int = 20) -> str:
    """Return a name that fits a column.

    >>> shortened("a-very-long-name-of-a-text/system")
    'a-very-long-name-of…'
    """
    return name if len(name) <= most else name[: most - 1] + "…"


def _cell(name: str, row: dict[Any, Any]) -> str:
    value = row[name]
    if isinstance(value, str | int):
        return shortened(str(value))
    if value != value:
        return "–"
    if name == "ms_per_word":
        return f"{value:.0f} [{row['ms_per_word_low']:.0f}, {row['ms_per_word_high']:.0f}]"
    return f"{value:.0f}" if name in WHOLE else f"{value:.2f}"


def _hardest(found: Ease) -> list[str]:
    """Return the hardest spans of the text that takes longest per word."""
    slowest = found.texts.iloc[int(found.texts["ms_per_word"].argmax())]
    spans = found.spans(slowest["text_id"], slowest["group"])
    return [
        f"hardest in {slowest['text_id']}: " + ", ".join(f"{words} (+{ms:.0f} ms)" for words, ms in spans)
    ]
