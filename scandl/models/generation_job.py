"""What is to be generated, in a form that travels to worker processes."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self

from scandl.corpora.corpus import corpus_digest
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.cards import DEFAULT
from scandl.models.catalogue import code_of, open_model
from scandl.models.model import Model
from scandl.models.readings import ReaderChoice, prepared, readings, text_corpus
from scandl.models.trained_model import ENDINGS, ModelOptions, file_name, model_file
from scandl.records import Prediction, Sentence
from scandl.version import __version__


@dataclass(frozen=True, slots=True)
class PackedModel:
    """A model on its way to another process, perhaps on another machine: a shipped name, or a file."""

    source: str
    content: bytes = field(default=b"", repr=False)
    sha256: str = ""

    @classmethod
    def of(cls, source: str | None) -> Self:
        """Pack a model: its name is enough for ours, another's file has to travel."""
        name = DEFAULT if source is None else source
        file = code_of(name)
        if file is None:
            return cls(name)
        if not file.is_file():
            raise ScandlError(f"{file}: no such model")
        content = file.read_bytes()
        return cls(name, content if file.suffix in ENDINGS else b"", hashlib.sha256(content).hexdigest())

    def open(self, options: ModelOptions) -> Model:
        """Open the model here."""
        if not self.content:
            return open_model(self.source, options)
        with tempfile.TemporaryDirectory(prefix="scandl-") as folder:
            file = model_file(Path(self.source))
            path = Path(folder, file_name(file)).with_suffix(file.suffix)
            path.write_bytes(self.content)
            return open_model(path, options)


@dataclass(frozen=True)
class GenerationJob:
    """Everything that decides what is generated, but the texts."""

    model: PackedModel
    options: ModelOptions = field(default_factory=ModelOptions)
    readers: ReaderChoice = field(default_factory=ReaderChoice)
    samples: int = 1
    seed: int = 1
    training: str | None = None  # the corpus that a model learns from
    language: str = "en"  # of the texts

    @property
    def per_text(self) -> int:
        """The number of scanpaths of a text."""
        return self.samples * len(self.readers.names)

    @cached_property
    def digest(self) -> str:
        """A name for all of it; where it runs and how many are drawn at once change nothing."""
        told = (
            __version__,
            self.model.source,
            self.model.sha256,
            self.options.raw,
            self.options.sampling,
            self.readers,
            self.samples,
            self.seed,
            self.language,
            None if self.training is None else corpus_digest(open_corpus(self.training)),
        )
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def predictions(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """Let the model read."""
        texts = [sentence.in_language(self.language) for sentence in sentences]
        return readings(self.opened(), texts, samples=self.samples, readers=self.readers, seed=self.seed)

    def opened(self, model: Model | None = None) -> Model:
        """Return the model, ready to read; each process opens it once, or is given it."""
        key = self.digest + str(self.options)
        if key not in _open_here:
            model = model or self.model.open(self.options)
            self.readers.check(model)
            training = None if self.training is None else open_corpus(self.training)
            _open_here.clear()
            _open_here[key] = prepared(model, text_corpus((), self.language), training, seed=self.seed)
        return _open_here[key]


_open_here: dict[str, Model] = {}
