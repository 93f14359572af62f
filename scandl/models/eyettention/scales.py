"""The z-transformations that are learned from the training fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Self

from scandl.corpora import Corpus


@dataclass(frozen=True, slots=True)
class Scale:
    """One z-transformation."""

    mean: float = 0.0
    sd: float = 1.0

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Return the transformation that gives ``values`` mean 0 and SD 1.

        >>> Scale.of([1.0, 3.0])(3.0)
        1.0
        """
        return cls(fmean(values), pstdev(values) or 1.0) if values else cls()

    def __call__(self, value: float) -> float:
        """Return the z-value."""
        return (value - self.mean) / self.sd


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales a model was trained with."""

    inverse_length: Scale = field(default_factory=Scale)
    duration: Scale = field(default_factory=Scale)

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Return the scales of a corpus: a word counts once in its sentence, a duration once."""
        lengths = [1.0 / len(word) for sentence in corpus.sentences.values() for word in sentence.words]
        durations = [duration for path in corpus.scanpaths for duration in path.durations or ()]
        return cls(Scale.of(lengths), Scale.of(durations))
