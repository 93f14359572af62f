"""SWIFT 3 as a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Self

from scandl.models.cognitive.cognitive_generator import CognitiveGenerator
from scandl.models.model import GENERATORS
from scandl.models.swift.swift_parameters import (
    READER_PARAMETERS,
    SWIFT_3,
    SwiftParameters,
    around,
    draw_reader,
)
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.models.cognitive.simulator import Batch, Simulation


@GENERATORS.register("swift")
@dataclass(frozen=True, kw_only=True)
class Swift(CognitiveGenerator):
    """Simulate SWIFT 3 (parallel activation of words), with durations; nothing is fitted.

    ``readers`` says how readers differ: not at all (``average``), like the readers fitted by Rabe
    et al. (``rabe2023-readers``), or by the same proportions around ``parameters`` (``spread``).
    """

    parameters: SwiftParameters = SWIFT_3
    readers: Literal["average", "rabe2023-readers", "spread"] = "average"

    def with_readers(self) -> Self:
        """Return the model with readers who differ as fitted ones do, around its own parameters."""
        return self if self.readers != "average" else replace(self, readers="spread")

    @property
    def differences(self) -> str:
        """How its readers differ, in words."""
        return (
            "readers differ in span, saccade timer and reprogramming as 61 fitted ones do (Rabe et al. 2024)"
        )

    def simulate(self, batch: Batch, reader_ids: Sequence[str], seed: int) -> Simulation:
        """Simulate the trials of ``batch``, each by the reader named."""
        import numpy as np

        from scandl.models.swift.swift import run_swift

        values = {reader: self._reader(reader, seed) for reader in set(reader_ids)}
        rows = np.array([values[reader] for reader in reader_ids], dtype=np.float64)
        return run_swift(batch, self.parameters, readers=rows.reshape(-1, len(READER_PARAMETERS)))

    def _reader(self, reader_id: str, seed: int) -> tuple[float, ...]:
        if self.readers == "average":
            return tuple(float(getattr(self.parameters, name)) for name in READER_PARAMETERS)
        drawn = draw_reader(stream(seed, "swift", "reader", reader_id))
        return drawn if self.readers == "rabe2023-readers" else around(self.parameters, drawn)
