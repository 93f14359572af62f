"""A text set in lines: where each word stands, counted in columns of one letter."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

WIDTH = 72
"""Columns of a line, where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A word and the columns it takes on its line."""

    text: str
    line: int
    left: int
    columns: int

    @property
    def centre(self) -> float:
        """The middle of the word, in columns from the left."""
        return self.left + self.columns / 2


@dataclass(frozen=True, slots=True)
class Page:
    """The words of a text, each on its line."""

    words: tuple[PlacedWord, ...]
    columns: int
    n_lines: int
    right_to_left: bool


def set_page(words: Sequence[str], width: int = WIDTH, lines: Sequence[int] | None = None) -> Page:
    """Set words in lines.

    Parameters
    ----------
    words
        The words in reading order.
    width
        Columns a line may take. A longer word has a line of its own.
    lines
        The line of each word on the display that people read, counted from any number. Without it there are
        as few lines as ``width`` allows, about equally long.

    Returns
    -------
    Page
        In scripts that run from right to left the first word of a line stands at its right end.

    Examples
    --------
    >>> page = set_page(["The", "cat", "sat."], width=8)
    >>> [(word.text, word.line, word.left) for word in page.words], page.columns
    ([('The', 0, 0), ('cat', 0, 4), ('sat.', 1, 0)], 7)
    >>> [word.left for word in set_page(["שלום", "לך"]).words]
    [3, 0]
    """
    sizes = [columns(word) for word in words]
    ends = [a != b for a, b in pairwise(lines)] if lines is not None else _balanced(sizes, width)
    placed: list[PlacedWord] = []
    line = left = 0
    for word, size, begins in zip(words, sizes, [False, *ends], strict=False):
        if begins:
            line, left = line + 1, 0
        placed.append(PlacedWord(word, line, left, size))
        left += size + 1
    widest = max((word.left + word.columns for word in placed), default=0)
    mirrored = right_to_left(words)
    if mirrored:
        placed = [
            PlacedWord(each.text, each.line, widest - each.left - each.columns, each.columns)
            for each in placed
        ]
    return Page(tuple(placed), widest, line + 1 if placed else 0, mirrored)


def _balanced(sizes: Sequence[int], width: int) -> list[bool]:
    """Return after which words a line ends: as few lines as the width allows, about equally long.

    >>> _balanced([3, 3, 4, 3, 3], 18), _balanced([3, 3, 4, 3, 3], 99)
    ([False, False, True, False], [False, False, False, False])
    """

    def filled(most: int) -> list[bool]:
        ends, left = [], 0
        for k, size in enumerate(sizes):
            begins = k > 0 and left + size > most
            ends.append(begins)
            left = size + 1 if begins else left + size + 1
        return ends[1:]

    fewest = sum(filled(width))
    return filled(next(most for most in range(width + 1) if sum(filled(most)) <= fewest))


def columns(text: str) -> int:
    """Return how many columns a text takes in a typeface of equal widths.

    >>> columns("cat"), columns("e\u0301"), columns("猫")
    (3, 1, 2)
    """
    return sum(
        0
        if unicodedata.category(sign) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def right_to_left(words: Sequence[str]) -> bool:
    """Return whether most letters belong to a script that runs from right to left.

    >>> right_to_left(["שלום"]), right_to_left(["Shalom", "(שלום)"])
    (True, False)
    """
    letters = [sign for word in words for sign in word if sign.isalpha()]
    mirrored = sum(unicodedata.bidirectional(sign) in ("R", "AL") for sign in letters)
    return 2 * mirrored > len(letters)


def scanpath_lines(
    words: Sequence[str], path: Sequence[int], width: int = 80, lines: Sequence[int] | None = None
) -> list[str]:
    r"""Return pairs of lines, words above and the order of their fixations (from 1) below.

    ``lines`` are the lines of the display, as in `set_page`.

    >>> print("\n".join(scanpath_lines(["The", "cat", "sat"], [0, 2, 1, 2])))
    The cat sat
    1   3   2 4
    """
    order = [" ".join(str(n) for n, at in enumerate(path, start=1) if at == k) for k in range(len(words))]
    drawn: list[str] = []
    above = below = ""
    for k, (word, numbers) in enumerate(zip(words, order, strict=True)):
        cell = max(columns(word), len(numbers)) + 1
        if above and (columns(above) + cell > width or (lines is not None and lines[k] != lines[k - 1])):
            drawn += [above.rstrip(), below.rstrip()]
            above = below = ""
        above += word + " " * (cell - columns(word))
        below += numbers.ljust(cell)
    return [*drawn, above.rstrip(), below.rstrip()]
