"""The two cognitive models, E-Z Reader 10.2 and SWIFT 3, and how the readers of each differ."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from scandl.models.cognitive.random_numbers import trial_key
from scandl.models.cognitive.simulator import TrialBatch
from scandl.models.cognitive.word_inputs import USED, Inputs
from scandl.models.cognitive.word_probabilities import WordColumns
from scandl.models.ezreader.ezreader import run_ezreader
from scandl.models.ezreader.ezreader_parameters import EZREADER_10_2, EZReaderParameters
from scandl.models.model import Model, Request
from scandl.models.swift.swift import run_swift
from scandl.models.swift.swift_parameters import (
    READER_PARAMETERS,
    SWIFT_3,
    SwiftParameters,
    around,
    draw_reader,
)
from scandl.records import Scanpath
from scandl.seeds import stream

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.models.cognitive.simulator import Simulation, TrialBatch


@dataclass(frozen=True, kw_only=True)
class CognitiveModel(Model, ABC):
    """A simulator of readers that learns nothing from human scanpaths.

    What it needs are properties of the words: see :class:`scandl.models.cognitive.word_inputs.Inputs`.
    """

    inputs: Inputs = field(default_factory=Inputs)

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Take the word properties of the training corpus; its scanpaths are not used."""
        by_text = {
            name: {training.sentences[key].text: values for key, values in training.words[name].items()}
            for name in USED
            if name in training.words
        }
        return replace(self, inputs=replace(self.inputs, by_text=by_text))

    def with_stimuli(self, words: WordColumns) -> Self:
        """Return the model with the word columns of a corpus, by sentence."""
        return replace(self, inputs=replace(self.inputs, words=words))

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Simulate one reading per request, with durations."""
        sentences = {r.sentence.sentence_id: r.sentence for r in requests}
        place = {key: i for i, key in enumerate(sentences)}
        keys = [trial_key(seed, "generate", r.sentence.sentence_id, r.reader_id, r.sample) for r in requests]
        batch = TrialBatch(
            self.inputs.stimuli(sentences.values()),
            np.array([place[r.sentence.sentence_id] for r in requests], dtype=np.int64),
            np.array(keys, dtype=np.uint64),
        )
        simulated = self.simulate(batch, [r.reader_id for r in requests], seed)
        return [
            Scanpath(r.reader_id, r.sentence.sentence_id, words, durations)
            for r, (words, durations) in zip(requests, simulated.paths(), strict=True)
        ]

    @abstractmethod
    def simulate(self, batch: TrialBatch, reader_ids: Sequence[str], seed: int) -> Simulation:
        """Simulate the trials of ``batch``, each by the reader named."""


READER_SD = 0.3
"""Of log α1, where readers are to differ: gives E-Z Reader the spread of readers in schilling."""


@dataclass(frozen=True, kw_only=True)
class EZReader(CognitiveModel):
    """Simulate E-Z Reader 10.2 (serial attention), with durations; nothing is fitted.

    ``reader_sd`` above 0 makes readers differ: each has its own factor exp(Normal(0, reader_sd))
    on α1. By default every reading is by the same average reader. ``include_final_fixation`` keeps
    the last fixation of a path, which the end of the simulation cuts off.
    """

    name = "ezreader"

    parameters: EZReaderParameters = EZREADER_10_2
    include_final_fixation: bool = False
    reader_sd: float = 0.0

    def with_readers(self) -> Self:
        """Return the model with readers who differ in α1."""
        return replace(self, reader_sd=self.reader_sd or READER_SD)

    @property
    def readers_differ(self) -> str:
        """How its readers differ, in words."""
        if not self.reader_sd:
            return super().readers_differ
        return f"readers differ in the speed of lexical processing, α1 × exp(Normal(0, {self.reader_sd:g}))"

    def simulate(self, batch: TrialBatch, reader_ids: Sequence[str], seed: int) -> Simulation:
        """Simulate the trials of ``batch``, each by the reader named."""
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


@dataclass(frozen=True, kw_only=True)
class Swift(CognitiveModel):
    """Simulate SWIFT 3 (parallel activation of words), with durations; nothing is fitted.

    ``readers`` says how readers differ: not at all (``average``), like the readers fitted by Rabe
    et al. (``rabe2023-readers``), or by the same proportions around ``parameters`` (``spread``).
    """

    name = "swift"

    parameters: SwiftParameters = SWIFT_3
    readers: Literal["average", "rabe2023-readers", "spread"] = "average"

    def with_readers(self) -> Self:
        """Return the model with readers who differ as fitted ones do, around its own parameters."""
        return self if self.readers != "average" else replace(self, readers="spread")

    @property
    def readers_differ(self) -> str:
        """How its readers differ, in words."""
        if self.readers == "average":
            return super().readers_differ
        return (
            "readers differ in span, saccade timer and reprogramming as 61 fitted ones do (Rabe et al. 2024)"
        )

    def simulate(self, batch: TrialBatch, reader_ids: Sequence[str], seed: int) -> Simulation:
        """Simulate the trials of ``batch``, each by the reader named."""
        values = {reader: self._reader(reader, seed) for reader in set(reader_ids)}
        rows = np.array([values[reader] for reader in reader_ids], dtype=np.float64)
        return run_swift(batch, self.parameters, readers=rows.reshape(-1, len(READER_PARAMETERS)))

    def _reader(self, reader_id: str, seed: int) -> tuple[float, ...]:
        if self.readers == "average":
            return tuple(float(getattr(self.parameters, name)) for name in READER_PARAMETERS)
        drawn = draw_reader(stream(seed, "swift", "reader", reader_id))
        return drawn if self.readers == "rabe2023-readers" else around(self.parameters, drawn)
