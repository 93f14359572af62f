"""What may reach a terminal: text it can show, and no command hidden in a name."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from scandl.errors import ScandlError

# Everything that moves the cursor, changes colours or rings the bell; line ends and tabs are layout.
_COMMAND = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(text: str) -> str:
    r"""Return a text whose control characters can be read instead of acted on.

    >>> harmless("reader \x1b[2J 7\n")
    'reader \\x1b[2J 7\n'
    """
    return _COMMAND.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class _Harmless:
    """A stream that writes harmless text, and is the stream it stands for in all else."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length, as streams do."""
        self._stream.write(harmless(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_table(lines: Sequence[str]) -> None:
    """Print a table, its head in bold where the terminal can show it and NO_COLOR does not forbid it."""
    head, *rows = lines
    stream = sys.stdout._stream if isinstance(sys.stdout, _Harmless) else sys.stdout
    if stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        stream.write(f"\x1b[1m{harmless(head)}\x1b[0m\n")
    else:
        print(head)
    if rows:
        print("\n".join(rows))


@contextmanager
def harmless_output() -> Iterator[None]:
    """Print no control characters, and a sign in place of letters that the terminal's encoding lacks.

    Where standard output is closed, to print is an error; where standard error is, nobody wants to know.
    """
    _fill_closed()
    before, errors = sys.stdout, sys.stderr
    if errors is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.stdout = _Harmless(before or _Closed())
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before, errors


class _Closed(io.StringIO):
    """Standard output that was closed before we began."""

    def write(self, text: str) -> int:
        """Refuse to print."""
        raise ScandlError("standard output is closed: there is nowhere to print to")


def _fill_closed() -> None:
    """Let no file that is opened later take the place of a standard stream that is closed."""
    for handle in (0, 1, 2):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
