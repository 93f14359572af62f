"""Anything that makes scanpaths for sentences: the protocol, and the registry it is found in.

Another package adds a generator with an entry point in the group ``scandl.models``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self, runtime_checkable

from scandl.records import Positions, Scanpath, Sentence
from scandl.registry import Registry
from scandl.seeds import stream

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from scandl.corpora import Corpus
    from scandl.models.pointer.style import Style
    from scandl.splits import Fold


@dataclass(frozen=True, slots=True)
class Request:
    """One scanpath that is wanted: of which sentence, standing for which reader, which draw.

    ``n_fixations`` is the human path's length. Only generators that say so in their name and
    description may look at it. ``style`` and ``group`` say what the reader is like, ``task`` what is
    read (a sentence by itself, a paragraph), for generators that know readers: without them a reader
    id alone stands for some reader.
    """

    sentence: Sentence
    reader_id: str = ""
    sample: int = 0
    n_fixations: int | None = None
    style: Style | None = None
    group: str = ""
    task: str = ""


class Generator(Protocol):
    """Learns from a training fold, then generates.

    ``generate`` returns one scanpath per request, in order. The result for a request depends on
    the seed, the sentence, the reader and the sample, not on the other requests.
    """

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn from the human scanpaths of ``training`` and return the generator."""
        ...

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request."""
        ...


@runtime_checkable
class HasLikelihood(Protocol):
    """A generator that also says how probable a human scanpath is."""

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the natural log-probability of the path, its end included."""
        ...


@runtime_checkable
class HasLikelihoods(HasLikelihood, Protocol):
    """A generator that says it of many paths at once, which a network does faster."""

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path of each sentence."""
        ...


@runtime_checkable
class UsesStimuli(Protocol):
    """A generator that reads properties of the words: frequency, cloze.

    They belong to the stimulus and not to its readers, so those of test sentences leak nothing.
    """

    def with_stimuli(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Self:
        """Take the extra word columns of a corpus (column -> sentence -> values) and return the generator."""
        ...


@runtime_checkable
class HasReaders(Protocol):
    """A generator that is one average reader unless it is asked for readers who differ."""

    def with_readers(self) -> Self:
        """Return the generator with readers who differ, each the same in all sentences."""
        ...

    @property
    def differences(self) -> str:
        """How its readers differ, in words."""
        ...


@runtime_checkable
class KnowsItsFold(Protocol):
    """A generator that keeps what it learns: that must say from whom, and refuse to be tested on them."""

    def for_fold(self, fold: Fold, corpus: Corpus) -> Self:
        """Take note of the fold that ``fit`` is going to be given the training part of."""
        ...


@runtime_checkable
class HasSettings(Protocol):
    """A generator that trains a network: its settings can be changed, and what it has learned kept."""

    def with_settings(self, changes: Sequence[str], folder: Path | None) -> Self:
        """Take settings such as ``training.steps=100``, and a folder that checkpoints are kept in."""
        ...


GENERATORS: Registry[Callable[[], Generator]] = Registry("generator", entry_point_group="scandl.models")


class SentenceGenerator(ABC):
    """Base of generators that draw one path at a time: implement ``draw``, and ``fit`` if it learns."""

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn nothing."""
        return self

    @abstractmethod
    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Return the word positions of one scanpath."""

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Draw each request from its own stream of random numbers."""
        return [
            Scanpath(r.reader_id, r.sentence.sentence_id, self.draw(r, request_stream(seed, r)))
            for r in requests
        ]


def learns(generator: Generator) -> bool:
    """Return whether a generator has to see human scanpaths before it can read.

    One that says so itself has an attribute ``learns``; else it does unless its ``fit`` does nothing.
    """
    return bool(getattr(generator, "learns", type(generator).fit is not SentenceGenerator.fit))


def request_stream(seed: int, request: Request) -> np.random.Generator:
    """Return the random numbers that belong to one request, whatever else is generated."""
    return stream(seed, "generate", request.sentence.sentence_id, request.reader_id, request.sample)
