"""Options: one declaration each, the same default for a command and for Python."""

from __future__ import annotations

import argparse
import inspect
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module

import pytest

import scandl
import scandl_analysis
import scandl_eval
from scandl.cli.commandline import leaves
from scandl.options import OPTIONS, Option, add_option, add_options, listed, share

COMMANDS = ("scandl.cli", "scandl_eval.cli", "scandl_analysis.cli")
OF_ITS_OWN = {  # (flag, command): a word that means something else there, as its help says
    ("--fold", "baseline import"),
    ("--readers", "pilot"),
    ("--group", "ease"),
    ("--steps", "steps"),
    ("--json", "models show"),
    ("--json", "leaderboard"),
    ("--language", "corpus import"),
    ("--setting", "baseline import"),
    ("--column", "corpus import"),
    ("--index-base", "corpus import"),
}


def test_a_flag_means_the_same_in_every_command() -> None:
    seen = set()
    for module in COMMANDS:
        for parser in leaves(import_module(module).parser()):
            command = parser.prog.partition(" ")[2]
            for action in parser._actions:
                for flag in action.option_strings:
                    option = OPTIONS.get(flag.removeprefix("--").replace("-", "_"))
                    own = any(flag == known and command.startswith(c) for known, c in OF_ITS_OWN)
                    if option is not None and not own:
                        told = option.arguments()
                        assert action.type == told.get("type"), parser.prog
                        assert tuple(action.choices or ()) == option.choices, parser.prog
                        seen.add(option.name)
    assert seen == set(OPTIONS)


def test_what_several_commands_share_is_declared_once() -> None:
    """A flag of several commands comes from ``OPTIONS``, or from one function that adds it to all of them."""
    declared: dict[str, set[str]] = defaultdict(set)
    for module in COMMANDS:
        for parser in leaves(import_module(module).parser()):
            for action in parser._actions:
                for flag in action.option_strings:
                    if flag.removeprefix("--").replace("-", "_") not in OPTIONS:
                        declared[flag].add(f"{action.metavar} {action.choices} {action.type}")
    several = {flag: kinds for flag, kinds in declared.items() if len(kinds) > 1}
    assert several.keys() <= {"--by", "--contrast", "--folds", "--form", "--encoding", "--sentences"}, several


def front_doors() -> Iterator[tuple[str, inspect.Parameter]]:
    for package in (scandl, scandl_eval, scandl_analysis):
        for name in package.__all__:
            found = getattr(package, name)
            if inspect.isfunction(found):
                for parameter in inspect.signature(found).parameters.values():
                    yield f"{package.__name__}.{name}({parameter.name})", parameter


def test_python_has_the_defaults_of_the_commands() -> None:
    compared = 0
    for where, parameter in front_doors():
        option = OPTIONS.get(parameter.name)
        if (
            option is None
            or parameter.default in (inspect.Parameter.empty, None, "", ())
            or not option.default
        ):
            continue
        assert parameter.default == option.default, where
        compared += 1
    assert compared > 5


def parsed(option: str, *line: str, **own: object) -> object:
    parser = argparse.ArgumentParser()
    add_option(parser, option, **own)  # type: ignore[arg-type]
    return getattr(parser.parse_args(line), option)


def test_an_option_is_read_as_declared() -> None:
    assert parsed("samples") == 1
    assert parsed("samples", "--samples", "20") == 20
    assert parsed("samples", default=8) == 8
    assert parsed("raw") is False
    assert parsed("raw", "--raw") is True
    assert parsed("text") is None
    assert parsed("text", "--text", "a", "--text", "b") == ["a", "b"]
    assert parsed("pred", "--pred", "a", "b", "--pred", "c") == ["a", "b", "c"]
    assert parsed("pred") == []  # and the list of one command is not that of the next
    assert parsed("index_base", "--index-base", "1") == 1


def test_the_help_has_the_default() -> None:
    parser = argparse.ArgumentParser(prog="x")
    add_options(parser, "seed", "quiet")
    assert "seed of all random numbers (default 1)" in parser.format_help()
    assert Option("many", "how many", "N", listed).help == "how many"


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_says_what_it_is(name: str) -> None:
    about = OPTIONS[name].about
    assert about
    assert not about.endswith(".")


@pytest.mark.parametrize("text", ["200%", "0", "1", "a tenth", "%"])
def test_a_share_lies_between_nothing_and_all(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expected a share such as 1%"):
        share(text)
