"""What stands in one cell of a table: positions, durations, identifiers, and back to text.

Each reader takes text and raises ValueError where it is not what the column means; who knows the
file and row turns that into an error that names them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from scandl.records import Positions

ROUNDING = 1e-6  # a certain path, its logarithms summed in single precision, may end so far above 0
LEAST_LOG_PROB = -1e9  # a path of a thousand fixations, each as improbable as a float can say, has -1e6
LOG_PROB = "a natural log-probability from -1e9 to 0, or -inf"
_PATH = re.compile(r"\d+(?: \d+)*", re.ASCII)
# Nearly all positions are small: looking them up checks and reads them twice as fast as int() does.
_SMALL = {str(position): position for position in range(1000)}.__getitem__


def parse_path(text: str) -> Positions:
    """Return the positions of a path; empty text is an empty path.

    >>> parse_path("0 1 1 3")
    (0, 1, 1, 3)
    """
    if not text:
        return ()
    try:
        return tuple(map(_SMALL, text.split(" ")))
    except KeyError:
        if not _PATH.fullmatch(text):
            raise ValueError(text) from None
        return tuple(map(int, text.split(" ")))


def join_path(values: Iterable[float]) -> str:
    """Return the cell of a path or of its durations.

    >>> join_path([0, 1.5, 3.0])
    '0 1.5 3'
    """
    return " ".join(f"{value:.10g}" for value in values)


def parse_identifier(text: str) -> str:
    """Return the identifier; there must be one."""
    if not text:
        raise ValueError(text)
    return text


def parse_index(text: str) -> int:
    """Return a whole number from 0."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(text)
    return int(text)


def parse_duration(text: str) -> float:
    """Return milliseconds, finite and not negative."""
    value = float(text)
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(text)
    return value


def parse_durations(text: str) -> tuple[float, ...]:
    """Return the durations of a path.

    >>> parse_durations("210 180.5")
    (210.0, 180.5)
    """
    return tuple(parse_duration(part) for part in text.split(" "))


def parse_log_prob(text: str) -> float:
    """Return the log-probability of a path.

    >>> parse_log_prob("-inf"), parse_log_prob("1e-9")
    (-inf, 0.0)
    """
    return log_probability(float(text))


def log_probability(value: float) -> float:
    """Return the value, of which rounding above 0 is taken away; ValueError where it is no log-probability.

    A path is discrete: it has a probability, not a density, and none is more than certain. Minus
    infinity, an impossible path, is a value.
    """
    if not (LEAST_LOG_PROB <= value <= ROUNDING or value == -math.inf):  # so that NaN is refused too
        raise ValueError(str(value))
    return min(value, 0.0)
