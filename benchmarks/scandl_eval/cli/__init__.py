"""The command ``scandl-eval``: scores, baselines, rankings."""

from __future__ import annotations

from collections.abc import Sequence

from scandl.cli.commandline import Parser, add_examples, execute, root_parser
from scandl_eval.cli import baseline_command as baseline
from scandl_eval.cli import compare_command as compare
from scandl_eval.cli import leaderboard_command as leaderboard
from scandl_eval.cli import nld_command as nld
from scandl_eval.cli import run_command as run
from scandl_eval.cli import score_command as score
from scandl_eval.cli import steps_command as steps
from scandl_eval.cli import validate_command as validate
from scandl_eval.cli import verify_command as verify

EXAMPLES = {
    "nld": "scandl-eval nld --pred preds.csv",
    "score": "scandl-eval score --pred preds.csv --metrics nld,energy,diversity",
    "compare": "scandl-eval compare mine.csv theirs.csv --metrics nld,energy",
    "run": "scandl-eval run --corpus demo --settings nrns --models all --out runs/demo",
    "leaderboard": "scandl-eval leaderboard runs/demo --sort energy",
    "baseline": "scandl-eval baseline generate ezreader --text 'The old man the boats.' --out paths.csv",
    "steps": "scandl-eval steps --model runs/tiny --corpus demo --setting ns --fold 0",
    "validate": "scandl-eval validate --pred preds.csv",
    "verify": "scandl-eval verify runs/demo",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    root = root_parser(
        "scandl-eval", "Score scanpath models beside trivial baselines and a correct human ceiling."
    )
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for command in (nld, score, compare, run, leaderboard, baseline, steps, validate, verify):
        command.add(commands)
    add_examples(commands, EXAMPLES)
    return root
