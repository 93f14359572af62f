"""Power: how often experiments of a size find an effect, and how wrong those are that do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scandl_analysis.mixed.crossed_rows import Floats
from scandl_analysis.piloting.experiments import Design

ALPHA = 0.05
ENOUGH = 0.80
OWN, STATED = "model", "stated"
"""Whose effect the experiments have: the model's own, or the one the user states."""
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class PowerPoint:
    """The power of one design for one contrast in one measure."""

    source: str
    region: str
    measure: str
    contrast: str
    effect_of: str  # OWN or STATED
    effect: float  # on the scale of the measure
    design: Design
    method: str
    n: int  # experiments
    power: float
    ci95: tuple[float, float]  # Monte-Carlo interval
    type_s: float | None  # share of significant experiments with the wrong sign
    type_m: float | None  # how many times too large significant effects are
    n_failed: int  # experiments whose regression did not converge; they found nothing

    def as_dict(self) -> dict[str, Any]:
        """Return the row of a table."""
        return {
            "source": self.source,
            "region": self.region,
            "measure": self.measure,
            "contrast": self.contrast,
            "effect_of": self.effect_of,
            "effect": self.effect,
            "readers": self.design.readers,
            "items": self.design.items,
            "method": self.method,
            "n": self.n,
            "power": self.power,
            "ci95": self.ci95,
            "type_s": self.type_s,
            "type_m": self.type_m,
            "n_failed": self.n_failed,
        }


@dataclass(frozen=True, slots=True)
class Found:
    """What significant experiments say of an effect that is known."""

    power: float
    ci95: tuple[float, float]
    type_s: float | None
    type_m: float | None
    n_failed: int


def found_in(results: Floats, effect: float) -> Found:
    """Summarise experiments, (experiments, 4): effect, error, freedom, p.

    >>> made = np.array([[0.2, 0.05, 50, 0.001], [-0.2, 0.05, 50, 0.001], [0.1, 0.1, 50, 0.3]])
    >>> found = found_in(made, effect=0.1)
    >>> round(found.power, 2), found.type_s, found.type_m
    (0.67, 0.5, 2.0)
    """
    estimates, p = results[:, 0], results[:, 3]
    significant = p < ALPHA
    k, n = int(significant.sum()), len(p)
    shown = estimates[significant]
    told = k > 0 and effect != 0
    return Found(
        k / n,
        wilson(k, n),
        float((np.sign(shown) != np.sign(effect)).mean()) if told else None,
        float(np.abs(shown).mean() / abs(effect)) if told else None,
        int(np.isnan(estimates).sum()),
    )


def wilson(k: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927).

    >>> [round(x, 4) for x in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    share, z2 = k / n, Z**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    margin = Z / (1 + z2 / n) * float(np.sqrt(share * (1 - share) / n + z2 / (4 * n**2)))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def smallest(points: Iterable[PowerPoint]) -> PowerPoint | None:
    """Return the design with the fewest readings whose power is at least 80 %; None where none is.

    Of designs with as many readings the one with fewer readers.
    """
    enough = [point for point in points if point.power >= ENOUGH]
    size = {id(p): (p.design.readers * p.design.items, p.design.readers) for p in enough}
    return min(enough, key=lambda point: size[id(point)]) if enough else None


def curves(points: Sequence[PowerPoint]) -> dict[tuple[str, ...], list[PowerPoint]]:
    """Return the points that belong together: the designs of one source, measure, contrast and effect."""
    found: dict[tuple[str, ...], list[PowerPoint]] = {}
    for p in points:
        found.setdefault((p.source, p.region, p.measure, p.contrast, p.effect_of), []).append(p)
    return found
