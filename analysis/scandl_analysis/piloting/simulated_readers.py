"""Models as readers of one's own sentences: a shipped model, a model file, or a generator by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.models.cards import shipped_models
from scandl.models.fold_predictions import find_generator
from scandl.models.model import Generator, HasReaders, Request, UsesStimuli, learns
from scandl.models.pointer.condition import SENTENCE
from scandl.models.reading_models import ReadingModel, load_model
from scandl.models.simulated_readers import WhoReads
from scandl.records import Scanpath, Sentence

SHIPPED = "scandl"
"""The name of the model of the package that reads where none is named."""
EXCHANGEABLE = "it knows no readers: all are one average reader, so people will differ more than they do here"

Surprisals = tuple[tuple[str, tuple[float, ...]], ...]
"""Texts with the surprisal of their words in nats; NaN where it is not known."""


class SimulatedReaders(Protocol):
    """A model that is ready to read; ``about`` says what its readers are like."""

    @property
    def about(self) -> str:
        """What has to be said of its readers."""
        ...

    def read(self, sentences: Sequence[Sentence], first: int, count: int, *, seed: int) -> list[Scanpath]:
        """Return the scanpaths of readers ``first`` to ``first + count − 1``, reader by reader."""
        ...


def reader_name(number: int) -> str:
    """Return the name of a simulated reader, counted from 0.

    >>> reader_name(0)
    'sim1'
    """
    return f"sim{number + 1}"


@dataclass(frozen=True)
class GeneratorReaders:
    """The readers of a generator: a name is all it is told of them."""

    generator: Generator
    about: str

    def read(self, sentences: Sequence[Sentence], first: int, count: int, *, seed: int) -> list[Scanpath]:
        """Return the scanpaths of some readers, reader by reader."""
        names = map(reader_name, range(first, first + count))
        return self.generator.generate([Request(s, name) for name in names for s in sentences], seed=seed)


@dataclass(frozen=True)
class TrainedReaders:
    """The readers of a trained model: where it knows readers, each keeps the style of one of them."""

    model: ReadingModel

    @property
    def about(self) -> str:
        """What the model is, and how many of its readers differ."""
        known, group = self.model.conditions, self.model.group(None)
        if known is None:
            readers = EXCHANGEABLE
        else:
            kind = f" of group {group}" if group else ""
            n_styles = len(known.like(group, SENTENCE))
            readers = (
                f"each reader keeps the style of one of {n_styles} training readers{kind}; with more readers"
                " styles come again"
            )
        return f"{self.model.about}; {readers}" if self.model.about else readers

    def read(self, sentences: Sequence[Sentence], first: int, count: int, *, seed: int) -> list[Scanpath]:
        """Return the scanpaths of some readers, reader by reader."""
        names = [reader_name(n) for n in range(first, first + count)]
        if self.model.conditions is None:
            requests = [Request(s, name) for name in names for s in sentences]
        else:
            who = WhoReads(n_readers=first + count, group=self.model.group(None))
            by_sentence = [self.model.requests(s, who, 1, seed)[first:] for s in sentences]
            requests = [request for row in zip(*by_sentence, strict=True) for request in row]
        return self.model.draw(requests, seed=seed)


@lru_cache(maxsize=4)
def open_readers(
    name: str, sentences: tuple[Sentence, ...], surprisals: Surprisals, language: str = "en"
) -> SimulatedReaders:
    """Open a model by name or file; kept, because a worker asks for it again with every task."""
    if name == SHIPPED:
        return TrainedReaders(load_model())
    if name in shipped_models() or Path(name).suffix in (".onnx", ".pt") or Path(name).exists():
        return TrainedReaders(load_model(name))
    generator = _generator(name)
    if learns(generator):
        raise ScandlError(
            f"{name} learns from readers before it can read: train it (scandl train) and name its file"
        )
    return _prepared(generator, sentences, surprisals, language)


def _generator(name: str) -> Generator:
    try:
        return find_generator(name)()
    except ScandlError as error:
        raise ScandlError(f"{error}, {SHIPPED}, {', '.join(shipped_models())}, or a model file") from None


def _prepared(
    generator: Generator, sentences: tuple[Sentence, ...], surprisals: Surprisals, language: str
) -> GeneratorReaders:
    """Tell a generator that learns nothing what it wants to know of the words."""
    about = EXCHANGEABLE
    if isinstance(generator, HasReaders):
        generator = generator.with_readers()
        about = generator.differences
    if isinstance(generator, UsesStimuli):
        by_text = dict(surprisals)
        known = {s.sentence_id: by_text[s.text] for s in sentences if s.text in by_text}
        probabilities = {key: tuple(map(_probability, values)) for key, values in known.items()}
        generator = generator.with_stimuli({"probability": probabilities} if probabilities else {})
    texts = Corpus(Card(name="stimuli", language=language), {s.sentence_id: s for s in sentences}, ())
    return GeneratorReaders(generator.fit(texts, seed=1), about)


def _probability(surprisal: float) -> str:
    """Return the probability of a word as a table has it; a word nothing is known of is not expected."""
    return repr(0.0 if math.isnan(surprisal) else math.exp(-max(surprisal, 0.0)))
