"""The command ``scandl-eval``: scores, baselines, rankings."""

from __future__ import annotations

import os
from collections.abc import Sequence

from scandl.cli.commandline import Command, Parser, command_parser, execute

COMMANDS = {
    "nld": Command(
        "scandl_eval.cli.nld_command",
        "normalised Levenshtein distance, beside trivial baselines and humans",
        "scandl-eval nld --pred preds.csv",
        "pred baselines column index_base corpus strict json report latex columns",
    ),
    "score": Command(
        "scandl_eval.cli.score_command",
        "all metrics, or those of --metrics",
        "scandl-eval score --pred preds.csv --metrics nld,energy,diversity",
        "pred metrics all baselines column index_base corpus json report latex",
    ),
    "compare": Command(
        "scandl_eval.cli.compare_command",
        "compare models pair by pair on shared items",
        "scandl-eval compare mine.csv theirs.csv --metrics nld,energy",
        "pred metrics column index_base corpus json report latex",
    ),
    "run": Command(
        "scandl_eval.cli.run_command",
        "the whole benchmark: split, fit, generate, score, rank",
        "scandl-eval run --corpus demo --settings nrns --models uniform,markov --out runs/demo",
        "corpus test_corpus settings models metrics pred folds samples config out seed jobs",
    ),
    "leaderboard": Command(
        "scandl_eval.cli.leaderboard_command",
        "print the leaderboard of a run",
        "scandl-eval leaderboard runs/demo --sort energy",
    ),
    "baseline": Command(
        "scandl_eval.cli.baseline_command",
        "list baselines, generate with one, import others' output",
        "scandl-eval baseline generate ezreader --text 'The old man the boats.' --out paths.csv",
    ),
    "steps": Command(
        "scandl_eval.cli.steps_command",
        "score a trained ScanDL at several numbers of denoising steps",
        "scandl-eval steps --model runs/small --corpus demo --setting ns --fold 0",
        "model corpus setting fold steps samples out seed",
    ),
    "validate": Command(
        "scandl_eval.cli.validate_command",
        "say everything that is wrong with a prediction file",
        "scandl-eval validate --pred preds.csv",
    ),
    "verify": Command(
        "scandl_eval.cli.verify_command",
        "prove that the files of a run are what it wrote",
        "scandl-eval verify runs/demo",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    # The matrices of scores are small: a second thread waits longer than it works, at full load.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return execute(parser(), argv)


def parser() -> Parser:
    """Return the parser of the whole command."""
    return command_parser(
        "scandl-eval", "Score scanpath models beside trivial baselines and a correct human ceiling.", COMMANDS
    )
