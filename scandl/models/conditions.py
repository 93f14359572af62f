"""What a path has to be like: conditions on words, met by drawing until a path meets them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.records import Positions, Scanpath, first_visits
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.models.model import Request

KINDS = {"skip": 1, "back": 2}
"""The conditions, and how many words each names."""
MOST_DRAWS = 2_000
"""Draws of a path after which a condition counts as too rare."""
DRAWS = "draws"
"""The column of predictions, and the name in ``Scanpath.extra``, of how many paths were drawn for one."""
EXPECTED = "skip WORD (skipped in first pass) or back FROM TO (a regression), words counted from 0"


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that a path shows or not."""

    kind: str  # one of KINDS
    words: tuple[int, ...]

    @classmethod
    def read(cls, text: str, n_words: int) -> Condition:
        """Read a condition as it is typed.

        >>> str(Condition.read("back 8 3", 9))
        'back 8 3'
        >>> Condition.read("back 3 8", 9)
        Traceback (most recent call last):
        scandl.errors.ScandlError: found 'back 3 8': a regression goes to an earlier word
        """
        kind, *numbers = text.split()
        if len(numbers) != KINDS.get(kind) or not all(n.isascii() and n.isdigit() for n in numbers):
            raise ScandlError(f"found {text!r}, expected {EXPECTED}")
        words = tuple(map(int, numbers))
        if max(words) >= n_words:
            raise ScandlError(f"found {text!r}: the words of the text are 0..{n_words - 1}")
        if kind == "back" and words[1] >= words[0]:
            raise ScandlError(f"found {text!r}: a regression goes to an earlier word")
        return cls(kind, words)

    def holds(self, path: Positions) -> bool:
        """Say whether a path meets it.

        >>> Condition("skip", (1,)).holds((0, 2, 1)), Condition("back", (2, 1)).holds((0, 2, 1))
        (True, True)
        >>> Condition("skip", (2,)).holds((0, 2, 1)), Condition("skip", (3,)).holds((0, 2, 1))
        (False, True)
        """
        if self.kind == "skip":
            return all(word != self.words[0] or not first for word, _, _, first in first_visits(path))
        return self.words in set(pairwise(path))

    def __str__(self) -> str:
        """Return it as it is typed."""
        return f"{self.kind} {' '.join(map(str, self.words))}"


def meeting(
    read: Callable[[Sequence[Request], int], list[Scanpath]], requests: Sequence[Request], seed: int
) -> list[Scanpath]:
    """Draw each path again until it meets the conditions of its request (rejection).

    That is exact: the paths have the model's distribution given the conditions. How many were drawn for one
    stands in ``Scanpath.extra["draws"]``.

    Parameters
    ----------
    read
        Draws a path for each request with a seed.
    requests
        With their conditions, or with none.
    seed
        The first paths are drawn with it.

    Returns
    -------
    list of Scanpath
        One per request.

    Raises
    ------
    ScandlError
        If a path was drawn ``MOST_DRAWS`` times in vain.
    """
    found: dict[int, Scanpath] = {}
    waiting = list(range(len(requests)))
    for k in range(MOST_DRAWS):
        own = seed if k == 0 else int(stream(seed, "again", k).integers(2**31))
        for i, path in zip(waiting, read([requests[i] for i in waiting], own), strict=True):
            if all(condition.holds(path.positions) for condition in requests[i].conditions):
                told = {DRAWS: str(k + 1)} if requests[i].conditions else {}
                found[i] = replace(path, extra={**path.extra, **told})
        waiting = [i for i in waiting if i not in found]
        if not waiting:
            return [found[i] for i in range(len(requests))]
    first = requests[waiting[0]]
    raise ScandlError(
        f"text {first.sentence.sentence_id!r}: none of {MOST_DRAWS:,} paths has"
        f" {' and '.join(map(str, first.conditions))}: too rare for this model"
    )
