"""Tables on a terminal: no command prints one of more than 100 columns."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from scandl import cli as scandl_cli
from scandl_analysis import cli as analysis_cli
from scandl_eval import cli as evaluation_cli

WIDTH = 100
COLUMNS = re.compile(r"\S( \| |  +)\S")
"""What a line of a table has between two of its cells."""

STIMULI = """item_id,condition,text
1,a,The *cat* sat down on the mat.
1,b,The *elephant* sat down on the mat.
2,a,A *dog* ran off with the ball.
2,b,A *hippopotamus* ran off with the ball.
"""
QUICK = "--surprisal unigram --quiet"
COMMANDS = {
    "corpus list": "corpus list",
    "corpus show": "corpus show demo",
    "corpus check": "corpus check demo",
    "split": "split --corpus demo --setting nrns --out folds",
    "models list": "models list",
    "models show": "models show people",
    "generate": "generate --text Reading --samples 2",
    "nld": "nld --pred {markov-text} {uniform} --corpus demo",
    "score": "score --pred {markov-text} --corpus demo --metrics nld,energy,scasim,classifier-auc",
    "compare": "compare {left-to-right} {markov-text} {uniform} --corpus demo --metrics nld,energy",
    "validate": "validate --pred {uniform} --corpus demo",
    "baseline list": "baseline list",
    "leaderboard": "leaderboard run --sort energy",
    "words": "words --corpus demo --surprisal unigram --out table.csv",
    "measures": "measures --corpus demo --pred {uniform} --out words.csv",
    "predictors": "predictors --corpus demo --surprisal unigram --out predictors.csv",
    "variability": "variability --run run --setting nrns",
    "correlations": "correlations --run run --setting nrns",
    "psycholing": f"psycholing --run run --setting nrns --engine laplace --no-ceiling {QUICK}",
    "fit": f"fit 'tfc ~ scale(word_length) * scale(frequency) + (1 | reader)' --corpus demo --engine laplace {QUICK}",
    "pilot": f"pilot --stimuli stimuli.csv --models ezreader --readers 8 --pool 16 --experiments 20 --out p {QUICK}",
    "ease": "ease --texts stimuli.csv --by condition --group L1,L2 --readers 2 --samples 2 --context small",
    "predictive-power": "predictive-power --corpus demo --providers unigram --measures tfc --form linear --folds 2",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small run and the stimuli of an experiment."""
    made = tmp_path_factory.mktemp("commands")
    flags = "--corpus demo --settings nrns --folds 0 --models left-to-right,markov-text,uniform --resamples 20 --quiet"
    assert evaluation_cli.main(["run", *flags.split(), "--out", str(made / "run")]) == 0
    (made / "stimuli.csv").write_text(STIMULI, encoding="utf-8")
    return made


@pytest.mark.parametrize("name", COMMANDS)
def test_tables_fit_a_terminal(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("SCANDL_CORPORA", raising=False)  # a corpus is listed with its folder, however long
    files = {
        path.parent.name: str(path.relative_to(folder)) for path in folder.glob("run/predictions/*/nrns.csv")
    }
    arguments = shlex.split(COMMANDS[name].format(**files))
    clis = (scandl_cli, evaluation_cli, analysis_cli)
    (cli,) = (each for each in clis if arguments[0] in commands_of(each.parser()))
    assert cli.main(arguments) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed
    assert [line for line in printed if COLUMNS.search(line) and len(line) > WIDTH] == []


def commands_of(parser: argparse.ArgumentParser) -> set[str]:
    """Return the names of the commands of a parser."""
    (below,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return set(below.choices)


@pytest.mark.parametrize("cli", [scandl_cli, evaluation_cli, analysis_cli], ids=lambda cli: cli.__name__)
def test_every_command_is_tried_or_known_to_print_no_table(cli: ModuleType) -> None:
    without = {
        "train",
        "tune",
        "export",
        "inspect",
        "run",
        "steps",
        "report",
        "verify",
        "cite",
    }  # run is leaderboard, steps trains
    assert commands_of(cli.parser()) <= {name.split()[0] for name in COMMANDS} | without
