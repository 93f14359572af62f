"""What the three commands have in common: one-line errors, exit codes, shared flags."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import NoReturn

from scandl.cli.terminal import harmless_output
from scandl.errors import ScandlError, StoppedError, escaped, one_line
from scandl.extras import need
from scandl.version import __version__

INTERRUPTED = 130  # what shells give a command that Ctrl-C ended


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with a suggestion for a misspelt word."""

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with 2."""
        wrong = re.search(r"invalid choice: '?([^' ]+)'? \(choose from (.*)\)", message)
        if wrong:
            known = [name.strip(" '") for name in wrong[2].split(",")]
            near = difflib.get_close_matches(wrong[1], known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ";"
            message = f"{wrong[1]!r} is not known here{hint} known: {', '.join(known)}"
        self.exit(2, f"{self.prog}: {escaped(message)} (see {self.prog} --help)\n")


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


def add_examples(commands: argparse._SubParsersAction[Parser], examples: Mapping[str, str]) -> None:
    """Close the help of each command with a line that can be typed as it stands."""
    for name, example in examples.items():
        commands.choices[name].epilog = f"example: {example}"


def add_common(parser: argparse.ArgumentParser, *, seed: bool = False, jobs: bool = False) -> None:
    """Add the flags that mean the same everywhere."""
    parser.add_argument("--quiet", action="store_true", help="print results only, no progress or notes")
    if seed:
        parser.add_argument(
            "--seed", type=whole, default=1, metavar="N", help="seed of all random numbers (default 1)"
        )
    if jobs:
        parser.add_argument(
            "--jobs", type=workers, default=1, metavar="N", help="worker processes (default 1)"
        )


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the flags of commands that can put their result on a page or into a paper."""
    parser.add_argument(
        "--report", metavar="F", help="write a report, .html, .pdf, .txt or .tex (its tables)"
    )
    parser.add_argument("--figures", metavar="DIR", help="write each figure of the report, as SVG and PDF")
    parser.add_argument("--latex", action="store_true", help="print the table for LaTeX (booktabs), no notes")


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
    from scandl.files.results import inputs_kept  # what --help need not wait for

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


OUTPUTS = ("out", "json", "scores", "report", "figures", "plot", "places")
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
    print(shtab.complete(args.parser, shell=args.shell))


def whole(text: str, least: int = 0) -> int:
    """Return the number a flag was given, for argparse."""
    if not (text.isascii() and text.isdigit()) or int(text) < least:
        raise argparse.ArgumentTypeError(f"expected a whole number from {least}, found {text!r}")
    return int(text)


def count(text: str, most: int = 1_000_000) -> int:
    """Return how many of something a flag asks for, for argparse: more than a million is a slip.

    >>> count("20")
    20
    """
    if len(text) > len(str(most)) + 1 or int(text) > most:
        raise argparse.ArgumentTypeError(f"expected at most {most:,}, found {text[:20]!r}")
    return int(text)


def workers(text: str) -> int:
    """Return a number of processes, for argparse."""
    return count(str(positive(text)), 1_000)


def listed(text: str) -> tuple[str, ...]:
    """Return the names of a comma-separated flag, for argparse.

    >>> listed("nld, energy,")
    ('nld', 'energy')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def positive(text: str) -> int:
    """Return the number a flag was given, at least 1, for argparse."""
    return whole(text, 1)
