"""One colour and one marker a name, the same in every figure of every report."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from scandl_reports.svg import INK

HUMAN = "Human"

# After Okabe & Ito, moved to middle lightness: each stands out by 3 : 1 from white and from dark grey.
COLOURS = ("#0072b2", "#d55e00", "#00936b", "#cc5bb0", "#8b5f23", "#7a68d0", "#7d848b")
MARKERS = ("o", "s", "D", "^", "v", "P", "X")

_FIXED = {
    HUMAN: (INK, "o"),
    "human": (INK, "o"),
    "human split-half": (INK, "s"),
    "scandl": ("#d55e00", "o"),
    "eyettention": ("#7a68d0", "o"),
    "left-to-right": ("#7d848b", "o"),
    "skip-short": ("#7d848b", "s"),
    "medoid": ("#7d848b", "D"),
    "ezreader": ("#0072b2", "o"),
    "swift": ("#0072b2", "s"),
    "simplified-swift": ("#0072b2", "D"),
    "markov": ("#00936b", "o"),
    "markov-text": ("#00936b", "s"),
    "train-label-dist": ("#00936b", "D"),
    "uniform": ("#8b5f23", "o"),
    "uniform-n": ("#8b5f23", "s"),
    "uniform-m": ("#8b5f23", "D"),
    "uniform-45": ("#8b5f23", "^"),
    "uniform-saccade": ("#8b5f23", "v"),
    "uniform-until-end": ("#8b5f23", "P"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a name is drawn."""

    colour: str
    marker: str


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Return the look of each name; names we do not know get one from a hash of the name.

    Two unknown names never share a look within a report; which one has to give way depends on the
    names alone, not on their order.

    >>> looks(["markov"])["markov"].colour == looks(["x", "markov"])["markov"].colour
    True
    """
    wanted = list(dict.fromkeys(names))
    found = {name: Look(*_FIXED[name]) for name in wanted if name in _FIXED}
    taken = {Look(*look) for look in _FIXED.values()}
    free = [look for marker in MARKERS for c in COLOURS if (look := Look(c, marker)) not in taken]
    for name in sorted(set(wanted) - set(found)):
        start = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
        turns = [free[(start + k) % len(free)] for k in range(len(free))]
        # More unknown names than looks is more than a figure can tell apart: then looks are shared.
        found[name] = next((look for look in turns if look not in found.values()), turns[0])
    return {name: found[name] for name in wanted}
