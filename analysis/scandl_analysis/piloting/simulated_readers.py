"""Models as readers of one's own sentences: the shipped model, a model file, or a generator by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.generators import GENERATORS, Generator, HasReaders, Request, UsesStimuli, learns
from scandl.records import Scanpath, Sentence

SHIPPED = "scandl"
"""The name of the model that ships with the package."""
EXCHANGEABLE = "it knows no readers: all are one average reader, so people will differ more than they do here"
STABLE = "each simulated reader keeps the style of one training reader in all sentences"

Surprisals = tuple[tuple[str, tuple[float, ...]], ...]
"""Texts with the surprisal of their words in nats; NaN where it is not known."""


class Reads(Protocol):
    """Anything that returns a scanpath per request."""

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request."""
        ...


@dataclass(frozen=True, slots=True)
class SimulatedReaders:
    """A model that is ready to read, and what has to be said of its readers."""

    name: str
    model: Reads
    about: str

    def read(self, sentences: Sequence[Sentence], readers: Sequence[str], *, seed: int) -> list[Scanpath]:
        """Return the scanpath of every reader in every sentence, reader by reader."""
        requests = [Request(sentence, reader) for reader in readers for sentence in sentences]
        return self.model.generate(requests, seed=seed)


@lru_cache(maxsize=4)
def open_readers(
    name: str, sentences: tuple[Sentence, ...], surprisals: Surprisals, language: str = "en"
) -> SimulatedReaders:
    """Open a model by name or file; kept, because a worker asks for it again with every task."""
    if name == SHIPPED:
        return _shipped()
    if Path(name).suffix in (".onnx", ".pt") or Path(name).exists():
        from scandl.inference.trained_models import open_model

        opened = open_model(name)
        return SimulatedReaders(name, opened, _about(opened))
    generator = _generator(name)
    if learns(generator):
        raise ScandlError(
            f"{name} learns from readers before it can read: train it (scandl train) and name its file"
        )
    return _prepared(name, generator, sentences, surprisals, language)


def _generator(name: str) -> Generator:
    try:
        return GENERATORS[name]()
    except ScandlError as error:
        raise ScandlError(f"{error}, {SHIPPED}, or the file of a trained model") from None


def _shipped() -> SimulatedReaders:
    from scandl.inference.trained_models import demonstration_model

    model = demonstration_model()
    return SimulatedReaders(SHIPPED, model, f"{model.about.rstrip('. ')}; {EXCHANGEABLE}")


def _about(model: object) -> str:
    """Say what is known of the readers of a model file."""
    told = str(getattr(model, "about", "")).rstrip(". ")
    readers = STABLE if hasattr(model, "conditions") else EXCHANGEABLE
    return f"{told}; {readers}" if told else readers


def _prepared(
    name: str, generator: Generator, sentences: tuple[Sentence, ...], surprisals: Surprisals, language: str
) -> SimulatedReaders:
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
    return SimulatedReaders(name, generator.fit(texts, seed=1), about)


def _probability(surprisal: float) -> str:
    """Return the probability of a word as a table has it; a word nothing is known of is not expected."""
    return repr(0.0 if math.isnan(surprisal) else math.exp(-max(surprisal, 0.0)))
