"""Effects that the user states: ``TFT=25ms``, ``sr=0.3``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from scandl.errors import ScandlError
from scandl_analysis.piloting.planned_measures import PlannedMeasure, planned_measure
from scandl_analysis.piloting.variance_components import Components, log_effect

_FORM = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([-+−]?\d*\.?\d+)\s*(ms)?\s*")


@dataclass(frozen=True, slots=True)
class StatedEffect:
    """An effect of a given size: ms of a time, else a number on the scale of the measure."""

    measure: PlannedMeasure
    size: float
    in_ms: bool

    def on_scale(self, components: Components) -> float:
        """Return the effect as the regression has it."""
        return log_effect(self.size, components.effects[0]) if self.in_ms else self.size

    def __str__(self) -> str:
        return f"{self.size:g} ms" if self.in_ms else f"{self.size:g} {self.measure.scale}"


def read_effects(texts: Iterable[str]) -> list[StatedEffect]:
    """Read what ``--effect`` was given.

    >>> [str(effect) for effect in read_effects(["TFT=25ms", "sr=-0.3"])]
    ['25 ms', '-0.3 log odds']
    """
    return [_read(text) for text in texts]


def _read(text: str) -> StatedEffect:
    form = _FORM.fullmatch(text)
    if form is None:
        raise ScandlError(f"--effect {text}: expected a measure and its effect, such as TFT=25ms or sr=0.3")
    measure = planned_measure(form[1])
    size, in_ms = float(form[2].replace("−", "-")), form[3] is not None
    if in_ms and measure.kind != "gaussian":
        raise ScandlError(
            f"--effect {text}: {measure.name} is no time; its effect is a number of {measure.scale}"
        )
    if not math.isfinite(size):
        raise ScandlError(f"--effect {text}: expected a finite number")
    if not in_ms and measure.kind == "gaussian" and abs(size) > 2:
        raise ScandlError(
            f"--effect {text}: on the log scale that is a factor of {math.exp(size):.3g}; write {form[2]}ms"
        )
    return StatedEffect(measure, size, in_ms)
