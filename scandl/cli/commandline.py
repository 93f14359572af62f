"""What the three commands have in common: one-line errors, exit codes, shared flags."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn, Self

from scandl.cli.terminal import harmless_output
from scandl.errors import ScandlError, StoppedError, escaped, one_line
from scandl.extras import need
from scandl.files.results import inputs_kept
from scandl.options import add_options
from scandl.version import __version__

INTERRUPTED = 130  # what shells give a command that Ctrl-C ended


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with a suggestion for a misspelt word.

    It may get its arguments when it is first used: to import what every command needs costs time that
    ``--help`` has not.
    """

    fill: Callable[[Parser], None] | None = None
    usual: frozenset[str] = frozenset()  # the options that --help shows; empty: all

    def filled(self) -> Self:
        """Return the parser with all of its arguments."""
        fill, self.fill = self.fill, None
        if fill is not None:
            fill(self)
        return self

    def format_help(self) -> str:
        """Return the help: where a command has many options, the usual ones and how many more there are."""
        hidden = [action for action in self._actions if self.usual and not self._is_usual(action)]
        if not hidden:
            return super().format_help()
        kept = [action.help for action in hidden]
        try:
            for action in hidden:
                action.help = argparse.SUPPRESS
            return f"{super().format_help()}{len(hidden)} more options: {self.prog} --help-all\n"
        finally:
            for action, about in zip(hidden, kept, strict=True):
                action.help = about

    def _is_usual(self, action: argparse.Action) -> bool:
        names = {flag[2:].replace("-", "_") for flag in action.option_strings}
        return not action.option_strings or bool(names & (self.usual | {"help", "help_all"}))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse; a command refuses what it does not know itself, so that its own help is named."""
        self.filled()
        leaf = not any(isinstance(action, argparse._SubParsersAction) for action in self._actions)
        for flag in flags_among(args) if leaf and args is not None else ():
            if not any(known.startswith(flag) for known in self._option_string_actions):
                near = difflib.get_close_matches(flag, self._option_string_actions, n=1)
                self.error(f"no flag {flag!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"found {unknown[0]!r}, expected nothing more")
        return parsed, unknown

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with 2."""
        wrong = re.search(r"invalid choice: '?([^' ]+)'? \(choose from (.*)\)", message)
        if wrong:
            known = [name.strip(" '") for name in wrong[2].split(",")]
            near = difflib.get_close_matches(wrong[1], known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ";"
            message = f"{wrong[1]!r} is not known here{hint} known: {', '.join(known)}"
        self.exit(2, f"{self.prog}: {escaped(message)} (see {self.prog} --help)\n")


class _HelpAll(argparse.Action):
    """Show every option."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print the help and leave."""
        vars(parser)["usual"] = frozenset()
        parser.print_help()
        parser.exit()


def flags_among(arguments: Sequence[str]) -> list[str]:
    """Return the long flags of a command line, without their values.

    >>> flags_among(["--text=a b", "--samples", "2", "--", "--not-a-flag"])
    ['--text', '--samples']
    """
    before = takewhile(lambda each: each != "--", arguments)
    return [each.partition("=")[0] for each in before if each.startswith("--")]


def root_parser(prog: str, description: str) -> Parser:
    """Return the parser of a command, with ``--version``."""
    parser = Parser(prog=prog, description=description)
    parser.add_argument(
        "--version", action="version", version=f"{prog} {__version__}", help="print the version and exit"
    )
    parser.add_argument(
        "--print-completion",
        choices=("bash", "zsh", "tcsh"),
        help="print the completions for a shell and exit",
    )
    return parser


@dataclass(frozen=True, slots=True)
class Command:
    """A command: where its arguments are declared, what it is for, a line that can be typed as it stands."""

    home: str  # module, or module:function that adds the arguments; ``add`` without a name
    about: str
    example: str
    usual: str = ""  # of many options those that most people need, which --help shows

    def fill(self, parser: Parser) -> None:
        """Add the arguments."""
        module, _, function = self.home.partition(":")
        getattr(import_module(module), function or "add")(parser)
        if self.usual:
            parser.usual = frozenset(self.usual.split())
            parser.add_argument("--help-all", action=_HelpAll, nargs=0, help=argparse.SUPPRESS)


def command_parser(prog: str, description: str, commands: Mapping[str, Command]) -> Parser:
    """Return the parser of all commands; each is imported when it is used."""
    root = root_parser(prog, description)
    actions = root.add_subparsers(required=True, metavar="COMMAND")
    for name, command in commands.items():
        parser = actions.add_parser(name, help=command.about, epilog=f"example: {command.example}")
        parser.fill = command.fill
    return root


def leaves(parser: Parser) -> Iterator[Parser]:
    """Yield the parsers of what can be run, with all of their arguments."""
    found = [each for each in parser.filled()._actions if isinstance(each, argparse._SubParsersAction)]
    for action in found:
        for command in action.choices.values():
            yield from leaves(command)
    if not found:
        yield parser


def add_common(parser: argparse.ArgumentParser, *, seed: bool = False, jobs: bool = False) -> None:
    """Add the options that mean the same everywhere."""
    add_options(parser, "quiet", *(["seed"] if seed else []), *(["jobs"] if jobs else []))


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of commands that can put their result on a page or into a paper."""
    add_options(parser, "report", "figures", "latex")


def execute(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    """Parse, run ``args.run(args)`` and turn what happens into an exit code.

    A run function prints its own result and returns None or an exit code.
    """
    os.environ["MPLBACKEND"] = "agg"  # commands draw into files; what a notebook was told is not for them
    with harmless_output():
        return _executed(parser, argv)


def _executed(parser: argparse.ArgumentParser, argv: Sequence[str] | None) -> int:
    shell = _completion_asked(sys.argv[1:] if argv is None else argv)
    args = argparse.Namespace(run=_print_completion, parser=parser, shell=shell)
    if not shell:
        args = parser.parse_args(argv)

    # One line, no source code.
    warnings.formatwarning = lambda message, *_, **__: f"warning: {escaped(str(message))}\n"
    try:
        with inputs_kept(*outputs_and_inputs(args)):
            return int(args.run(args) or 0)
    except BrokenPipeError:
        # The reader of our output (head, less) has gone; say nothing, and let no flush complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ScandlError, OSError) as error:
        print(f"{parser.prog}: {one_line(error)}", file=sys.stderr)
        return INTERRUPTED if isinstance(error, StoppedError) else 2
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted, nothing half-written was kept", file=sys.stderr)
        return INTERRUPTED


OUTPUTS = ("out", "json", "scores", "report", "figures", "plot", "animate", "places", "r")
"""What the commands call the files that they write; every other file that is named is read.

A configuration is no input in this sense: a run writes it into its folder as it was.
"""


def outputs_and_inputs(args: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return what a command is asked to write, and every other text on its line, which may be a file.

    >>> outputs_and_inputs(argparse.Namespace(pred=["a.csv"], scores="b.csv", quiet=True))
    (['b.csv'], ['a.csv'])
    """
    found: tuple[list[str], list[str]] = ([], [])
    for name, value in vars(args).items():
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, str | os.PathLike) and name != "config":
                found[name not in OUTPUTS].append(os.fspath(each))
    return found


def _completion_asked(argv: Sequence[str]) -> str:
    """Return the shell that completions are asked for; no command is needed beside it.

    >>> _completion_asked(["--print-completion", "bash"]), _completion_asked(["nld"])
    ('bash', '')
    """
    return argv[1] if len(argv) == 2 and argv[0] == "--print-completion" else ""


def _print_completion(args: argparse.Namespace) -> None:
    shtab = need("shtab", "completion")
    if args.shell not in shtab.SUPPORTED_SHELLS:
        raise ScandlError(f"no completions for {args.shell!r}; known: {', '.join(shtab.SUPPORTED_SHELLS)}")
    places = {"FILE": shtab.FILE, "F": shtab.FILE, "DIR": shtab.DIRECTORY}
    for parser in leaves(args.parser):
        for action in parser._actions:
            if action.metavar in places:
                action.complete = places[str(action.metavar)]  # type: ignore[attr-defined]
    print(shtab.complete(args.parser, shell=args.shell))
