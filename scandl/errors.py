"""The errors that a user may see: each is one line that says what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class ScandlError(Exception):
    """A mistake in the input or the call; commands print it in one line and exit with 2."""


class ConfigError(ScandlError):
    """A setting that does not exist or cannot have the value it was given."""


class StoppedError(ScandlError):
    """The work was told to stop; it is no fault of the input, and nothing else is to be begun."""


class DivergedError(ScandlError):
    """The loss of a training is no number any more; the same training would end so again."""


class LeftOutWarning(UserWarning):
    """Rows of the input on which no number rests."""


class Fact(str):
    """What was found, told in our words; any other text is a value of the file and is quoted."""


class DataError(ScandlError):
    """A file that does not hold what it should.

    >>> print(DataError("preds.csv", 3, "predicted", "0 x", "word positions such as '0 1 1 3'"))
    preds.csv:3: column 'predicted': found '0 x', expected word positions such as '0 1 1 3'
    >>> print(DataError("preds.csv", None, None, Fact("no file"), "a CSV file"))
    preds.csv: found no file, expected a CSV file
    """

    def __init__(
        self, path: Path | str, row: int | None, column: str | None, found: object, expected: str
    ) -> None:
        # All five go to Exception.args, so that the error survives the way back from a worker process.
        super().__init__(path, row, column, found, expected)
        self.path = Path(path)
        self.row = row
        self.column = column
        self.found = found
        self.expected = expected

    @property
    def place(self) -> str:
        """Where the fault is: the file, and the line where it is known."""
        return str(self.path) if self.row is None else f"{self.path}:{self.row}"

    def __str__(self) -> str:
        column = "" if self.column is None else f"column {self.column!r}: "
        return f"{self.place}: {column}found {_shown(self.found)}, expected {self.expected}"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the hint that follows an unknown name.

    >>> did_you_mean("unifrom", ["uniform", "markov"])
    "; did you mean 'uniform'? known: markov, uniform"
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ";"
    return f"{hint} known: {', '.join(names)}"


def _shown(found: object, limit: int = 200) -> str:
    """Quote a value, tell a fact; long ones keep their head."""
    text = repr(found) if isinstance(found, str) and not isinstance(found, Fact) else str(found)
    return text if len(text) <= limit else f"{text[:limit]}…"


def one_line(error: BaseException) -> str:
    """Return the message of an error on one line: breaks and tabs escaped, what was found as it stands."""
    return escaped(str(error).rstrip())


def escaped(text: str) -> str:
    r"""Return a text on one line: what cannot be printed is spelt out.

    >>> escaped("a\tb\ud800")
    'a\\tb\\ud800'
    """
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text)
