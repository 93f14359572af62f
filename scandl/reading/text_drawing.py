"""A scanpath drawn in plain text: under each word, the numbers of the fixations on it."""

from __future__ import annotations

from collections.abc import Sequence


def scanpath_lines(words: Sequence[str], path: Sequence[int], width: int = 80) -> list[str]:
    r"""Return pairs of lines, words above and the order of their fixations (from 1) below.

    >>> print("\n".join(scanpath_lines(["The", "cat", "sat"], [0, 2, 1, 2])))
    The cat sat
    1   3   2 4
    """
    order = [" ".join(str(n) for n, at in enumerate(path, start=1) if at == k) for k in range(len(words))]
    lines: list[str] = []
    above = below = ""
    for word, numbers in zip(words, order, strict=True):
        cell = max(len(word), len(numbers)) + 1
        if above and len(above) + cell > width:
            lines += [above.rstrip(), below.rstrip()]
            above = below = ""
        above += word.ljust(cell)
        below += numbers.ljust(cell)
    return [*lines, above.rstrip(), below.rstrip()]
