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

# Relatives are near in hue, and each has a colour and a marker of its own.
_FIXED = {
    HUMAN: (INK, "o"),
    "human": (INK, "o"),
    "Readers": (INK, "o"),
    "readers": (INK, "o"),
    "human split-half": (INK, "s"),
    "scandl": ("#d55e00", "o"),
    "scandl-paper": ("#e0604c", "s"),
    "scanpath-transformer": ("#cf4a1d", "^"),
    "scandl-discrete": ("#d4682a", "v"),
    "scandl-people": ("#b8431a", "P"),
    "eyettention": ("#7a68d0", "o"),
    "eyettention-small": ("#a05fd0", "s"),
    "left-to-right": ("#7d848b", "o"),
    "skip-short": ("#5c7f99", "s"),
    "medoid": ("#8d836b", "D"),
    "ezreader": ("#0072b2", "o"),
    "swift": ("#cc5bb0", "s"),
    "simplified-swift": ("#b0486a", "D"),
    "markov": ("#00936b", "o"),
    "markov-text": ("#5b8c1f", "s"),
    "train-label-dist": ("#0c8a96", "D"),
    "uniform": ("#8b5f23", "o"),
    "uniform-n": ("#a8721c", "s"),
    "uniform-m": ("#a4593a", "D"),
    "uniform-45": ("#77752c", "^"),
    "uniform-saccade": ("#9b6b55", "v"),
    "uniform-until-end": ("#956f3f", "P"),
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
