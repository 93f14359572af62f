"""The three commands: help without third-party imports, one-line errors, exit codes."""

from __future__ import annotations

import argparse
import importlib
import re
import shlex
import subprocess
import sys

import pytest

from scandl.cli.commandline import Parser, add_common, execute, leaves, root_parser
from scandl.errors import ScandlError

COMMANDS = {
    "scandl": "scandl.cli",
    "scandl-eval": "scandl_eval.cli",
    "scandl-analysis": "scandl_analysis.cli",
}


@pytest.mark.parametrize("module", COMMANDS.values())
def test_help_imports_nothing_from_third_parties(module: str) -> None:
    """Every module loaded by --help is ours or the standard library's."""
    code = f"""
import sys
before = set(sys.modules)
from {module} import main
try:
    main(["--help"])
except SystemExit as stop:
    assert stop.code == 0
roots = {{name.split(".")[0] for name in set(sys.modules) - before}}
foreign = sorted(r for r in roots if r not in sys.stdlib_module_names and not r.startswith("scandl"))
assert not foreign, foreign
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: scandl")


@pytest.mark.parametrize("package", ["scandl", "scandl_eval", "scandl_analysis", "scandl_reports"])
def test_import_is_cheap(package: str) -> None:
    heavy = "{'pandas', 'torch', 'pymc', 'matplotlib', 'transformers', 'numpy'}"
    code = f"import sys, {package}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("prog", "module"), COMMANDS.items())
def test_version_names_the_command(prog: str, module: str, capsys: pytest.CaptureFixture[str]) -> None:
    main = __import__(module, fromlist=["main"]).main
    with pytest.raises(SystemExit) as stop:
        main(["--version"])
    assert stop.value.code == 0
    name, number = capsys.readouterr().out.split()
    assert name == prog
    assert number[0].isdigit()


def _parser(run: object) -> Parser:
    root = root_parser("tool", "A tool.")
    commands = root.add_subparsers(required=True, metavar="COMMAND")
    for name in ("split", "train"):
        sub = commands.add_parser(name)
        add_common(sub, seed=True, jobs=True)
        sub.set_defaults(run=run)
    return root


def test_a_misspelt_command_is_one_line_with_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        execute(_parser(None), ["spilt"])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "'spilt' is not known here; did you mean 'split'? known: split, train" in error


@pytest.mark.parametrize(
    ("flag", "value", "least"),
    [("--jobs", "0", 1), ("--jobs", "two", 1), ("--seed", "-1", 0), ("--seed", "1.5", 0)],
)
def test_a_flag_that_counts_takes_whole_numbers(
    flag: str, value: str, least: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        execute(_parser(None), ["split", f"{flag}={value}"])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert f"argument {flag}: expected a whole number from {least}, found {value!r}" in error
    assert error.count("\n") == 1


def test_what_a_command_raises_becomes_a_line_and_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    def fail(error: BaseException) -> Parser:
        def run(_: argparse.Namespace) -> None:
            raise error

        return _parser(run)

    assert execute(fail(ScandlError("two\nlines")), ["split"]) == 2
    assert capsys.readouterr().err == "tool: two\\nlines\n"
    for found in ("0  1", "0\t1", "0\n1", "0\u20281"):  # quoted by us, or told as it is
        execute(fail(ScandlError(f"a.csv:2: found {found!r}, {found}\n")), ["split"])
        quoted = repr(found)
        assert capsys.readouterr().err == f"tool: a.csv:2: found {quoted}, {quoted.strip(chr(39))}\n"
    assert execute(fail(FileNotFoundError(2, "No such file", "x.csv")), ["split"]) == 2
    assert "x.csv" in capsys.readouterr().err
    assert execute(fail(KeyboardInterrupt()), ["split"]) == 130
    assert "interrupted" in capsys.readouterr().err
    with pytest.raises(ZeroDivisionError):  # a bug of ours is not softened
        execute(fail(ZeroDivisionError()), ["split"])


def test_a_run_function_may_return_a_code() -> None:
    assert execute(_parser(lambda args: 1), ["split"]) == 1
    assert execute(_parser(lambda args: None), ["split", "--seed", "3"]) == 0


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (
            ["generate", "--text", "a", "--samples", "9" * 400],
            "argument --samples: expected at most 1,000,000, found '9999",
        ),
        (
            ["generate", "--text", "a", "--samples", "2000000"],
            "argument --samples: expected at most 1,000,000, found '2000000'",
        ),
        (["generate", "--text", "a", "--samples", "x"], "argument --samples: invalid count value: 'x'"),
    ],
)
def test_more_than_anybody_wants_is_refused(
    argv: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from scandl.cli import main

    with pytest.raises(SystemExit) as stop:
        main(argv)
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("prog", ["scandl", "scandl_eval", "scandl_analysis"])
def test_completions_are_printed_for_a_shell(prog, capsys):
    pytest.importorskip("shtab")
    main = importlib.import_module(f"{prog}.cli").main
    assert main(["--print-completion", "bash"]) == 0
    text = capsys.readouterr().out
    (commands,) = re.findall(rf"^_shtab_{prog}_subparsers=\((.*?)\)", text, flags=re.MULTILINE)
    assert {"scandl": "generate", "scandl_eval": "nld", "scandl_analysis": "psycholing"}[
        prog
    ] in commands.split()
    assert "compgen_files" in text  # a shell completes the names of files
    assert main(["--print-completion", "elvish"]) == 2
    assert "no completions for 'elvish'; known: bash, zsh" in capsys.readouterr().err


@pytest.mark.parametrize("prog", ["scandl", "scandl_eval", "scandl_analysis"])
def test_help_shows_the_options_that_people_need_and_names_the_others(prog, capsys):
    """A screen of at most fourteen options; every usual one exists; --help-all has all of them."""
    parser = importlib.import_module(f"{prog}.cli").parser()
    for leaf in leaves(parser):
        flags = [action.option_strings[-1] for action in leaf._actions if action.option_strings]
        known = {flag[2:].replace("-", "_") for flag in flags}
        assert leaf.usual <= known, leaf.prog
        shown = re.findall(r"^  (?:-h, )?--[a-z-]+", leaf.format_help(), flags=re.MULTILINE)
        assert len(shown) <= 1 + 14 or "import" in leaf.prog, leaf.prog
        if leaf.usual:
            hidden = len(known) - len(shown) - 1  # --help-all itself
            assert f"{hidden} more options: {leaf.prog} --help-all" in leaf.format_help()
            with pytest.raises(SystemExit) as stop:
                leaf.parse_args(["--help-all"])
            assert stop.value.code == 0
            everything = capsys.readouterr().out
            assert all(flag in everything for flag in flags if flag != "--help-all")


@pytest.mark.parametrize("prog", ["scandl", "scandl_eval", "scandl_analysis"])
def test_every_command_has_an_example_that_it_understands(prog):
    cli = importlib.import_module(f"{prog}.cli")
    parser = cli.parser()
    (commands,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for name, command in cli.COMMANDS.items():
        example = command.example
        program, *arguments = shlex.split(example)
        assert program == prog.replace("_", "-")
        assert arguments[0] == name
        parser.parse_args(arguments)  # leaves with 2 for what it does not know
        assert f"example: {example}" in " ".join(commands.choices[name].format_help().split())
