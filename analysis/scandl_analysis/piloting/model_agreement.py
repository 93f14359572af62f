"""Whether models expect the same: for each contrast and measure, who says what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from scandl_analysis.piloting.expected_effects import ExpectedEffect


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two sources agree about the signs of effects."""

    one: str
    other: str
    n: int  # effects both have
    same_sign: int
    n_clear: int  # effects of which both are sure
    clear_same_sign: int

    def as_dict(self) -> dict[str, Any]:
        """Return the row of a table."""
        names = ("one", "other", "n", "same_sign", "n_clear", "clear_same_sign")
        return {name: getattr(self, name) for name in names}


def agreements(effects: Sequence[ExpectedEffect]) -> list[Agreement]:
    """Compare the sources two by two."""
    by_source: dict[str, dict[tuple[str, str, str], ExpectedEffect]] = {}
    for effect in effects:
        by_source.setdefault(effect.source, {})[effect.region, effect.measure, effect.contrast] = effect
    found = []
    for one, other in combinations(by_source, 2):
        both = [
            (by_source[one][key], by_source[other][key]) for key in by_source[one] if key in by_source[other]
        ]
        clear = [(a, b) for a, b in both if a.clear and b.clear]
        found.append(Agreement(one, other, len(both), _same(both), len(clear), _same(clear)))
    return found


def _same(pairs: Sequence[tuple[ExpectedEffect, ExpectedEffect]]) -> int:
    return sum((a.effect > 0) == (b.effect > 0) for a, b in pairs)
