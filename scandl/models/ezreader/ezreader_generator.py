"""E-Z Reader 10.2 as a baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from scandl.models.cognitive.cognitive_generator import CognitiveGenerator
from scandl.models.ezreader.ezreader_parameters import EZREADER_10_2, EZReaderParameters
from scandl.models.model import GENERATORS
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.models.cognitive.simulator import Batch, Simulation


READER_SD = 0.3
"""Of log α1, where readers are to differ: gives E-Z Reader the spread of readers in schilling."""


@GENERATORS.register("ezreader")
@dataclass(frozen=True, kw_only=True)
class EZReader(CognitiveGenerator):
    """Simulate E-Z Reader 10.2 (serial attention), with durations; nothing is fitted.

    ``reader_sd`` above 0 makes readers differ: each has its own factor exp(Normal(0, reader_sd))
    on α1. By default every reading is by the same average reader. ``include_final_fixation`` keeps
    the last fixation of a path, which the end of the simulation cuts off.
    """

    parameters: EZReaderParameters = EZREADER_10_2
    include_final_fixation: bool = False
    reader_sd: float = 0.0

    def with_readers(self) -> Self:
        """Return the model with readers who differ in α1."""
        return replace(self, reader_sd=self.reader_sd or READER_SD)

    @property
    def differences(self) -> str:
        """How its readers differ, in words."""
        return f"readers differ in the speed of lexical processing, α1 × exp(Normal(0, {self.reader_sd:g}))"

    def simulate(self, batch: Batch, reader_ids: Sequence[str], seed: int) -> Simulation:
        """Simulate the trials of ``batch``, each by the reader named."""
        import numpy as np

        from scandl.models.ezreader.ezreader import run_ezreader

        factor = {
            reader: math.exp(self.reader_sd * stream(seed, "ezreader", "reader", reader).standard_normal())
            for reader in set(reader_ids)
        }
        return run_ezreader(
            batch,
            self.parameters,
            alpha1_factor=np.array([factor[reader] for reader in reader_ids], dtype=np.float64),
            include_final_fixation=self.include_final_fixation,
        )
