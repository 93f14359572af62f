"""The critical region of a stimulus: marked in its text, or given as positions of words."""

from __future__ import annotations

import re

_MARK = re.compile(r"\*([^*]*)\*|\[([^\]]*)\]")
EXPECTED = "word positions such as 5 or 5-6, counted from 0"

Region = tuple[int, int]
"""The first and the last word of a region, counted from 0."""


def read_marks(marked: str) -> tuple[str, Region | None]:
    """Return the text without marks, and the region they mark; raises ValueError in words.

    >>> read_marks("The lawyer *complained* loudly.")
    ('The lawyer complained loudly.', (2, 2))
    >>> read_marks("The [old lawyer], he said.")
    ('The old lawyer, he said.', (1, 2))
    >>> read_marks("No mark.")
    ('No mark.', None)
    """
    marks = list(_MARK.finditer(marked))
    if len(marks) > 1:
        raise ValueError("one marked region")
    if not marks:
        if any(sign in marked for sign in "*[]"):
            raise ValueError("a region between two marks, such as *word* or [word]")
        return " ".join(marked.split()), None
    (mark,) = marks
    inside = mark[1] if mark[1] is not None else mark[2]
    if not inside.split():
        raise ValueError("a word between the marks")
    before = marked[: mark.start()]
    first = len(before.split()) - (bool(before) and not before[-1].isspace())
    text = " ".join((before + inside.strip() + marked[mark.end() :]).split())
    return text, (first, first + len(inside.split()) - 1)


def read_positions(cell: str) -> Region:
    """Return the region that word positions name; raises ValueError.

    >>> read_positions("5"), read_positions("5-6"), read_positions("5 6")
    ((5, 5), (5, 6), (5, 6))
    """
    numbers = re.split(r"[\s\-–,]+", cell.strip())
    if not all(part.isascii() and part.isdigit() for part in numbers):
        raise ValueError(EXPECTED)
    positions = [int(part) for part in numbers]
    if positions != list(range(positions[0], positions[-1] + 1)) and len(positions) != 2:
        raise ValueError(EXPECTED)
    if positions[-1] < positions[0]:
        raise ValueError(EXPECTED)
    return positions[0], positions[-1]
