"""What is to be generated, in a form that travels to worker processes, and the work on one block of texts."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Self

from scandl.errors import ScandlError
from scandl.files.prediction_files import prediction_columns
from scandl.files.prediction_inputs import scanpath_predictions
from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
from scandl.models.block_files import encoded
from scandl.models.cards import shipped_models
from scandl.models.reading_models import ModelOptions, ReadingModel, load_model, model_file
from scandl.models.simulated_readers import WhoReads
from scandl.records import Prediction, Sentence
from scandl.version import __version__

PATHS = 2048
"""Scanpaths of a block, about: what a killed command has to draw again, and what is held in memory."""


@dataclass(frozen=True, slots=True)
class PackedModel:
    """A model on its way to another process, perhaps on another machine: a shipped name, or a file."""

    name: str
    content: bytes = field(default=b"", repr=False)
    sha256: str = ""

    @classmethod
    def of(cls, source: Path | str | None) -> Self:
        """Pack a model."""
        name = shipped_models()[0] if source is None else str(source)
        if name in shipped_models():
            return cls(name)
        path = model_file(Path(name))
        if not path.is_file():
            raise ScandlError(f"{path}: no such model")
        content = path.read_bytes()
        return cls(path.name, content, hashlib.sha256(content).hexdigest())

    def open(self, options: ModelOptions) -> ReadingModel:
        """Open the model here."""
        if not self.content:
            return load_model(self.name, options)
        with tempfile.TemporaryDirectory(prefix="scandl-") as folder:
            path = Path(folder, self.name)
            path.write_bytes(self.content)
            return load_model(path, options)


@dataclass(frozen=True, slots=True)
class GenerationJob:
    """Everything that decides what is generated, but the texts."""

    model: PackedModel
    options: ModelOptions = field(default_factory=ModelOptions)
    who: WhoReads = field(default_factory=WhoReads)
    samples: int = 1
    seed: int = 1

    @property
    def per_text(self) -> int:
        """The number of scanpaths of a text."""
        return self.samples * max(1, self.who.n_readers, len(self.who.styles))

    def digest(self) -> str:
        """Return a name for all of it; where it runs and how many are drawn at once change nothing."""
        told = (
            __version__,
            self.model.name,
            self.model.sha256,
            self.options.raw,
            self.options.sampling,
            self.who,
            self.samples,
            self.seed,
        )
        return hashlib.sha256(repr(told).encode()).hexdigest()

    def predictions(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """Let the model read."""
        model = _opened(self)
        requests = [r for s in sentences for r in model.requests(s, self.who, self.samples, self.seed)]
        return scanpath_predictions(model.draw(requests, seed=self.seed), model=model.name)


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some texts that follow each other."""

    number: int
    sentences: tuple[Sentence, ...]

    def name(self, job_digest: str) -> str:
        """Return a name that no block of other texts, or of another job, has."""
        told = "\x1f".join(f"{s.sentence_id}\x1e{s.text}" for s in self.sentences)
        digest = hashlib.sha256(f"{job_digest}{told}".encode(errors="backslashreplace")).hexdigest()
        return f"{self.number:08d}-{digest[:16]}"


@dataclass(frozen=True, slots=True)
class DrawnBlock:
    """A finished block in the form it is written in, and what was repaired in it."""

    content: bytes
    n_paths: int
    repairs: Counter[str]


def blocks_of(sentences: Iterable[Sentence], per_text: int, paths: int = PATHS) -> Iterator[TextBlock]:
    """Yield blocks of about ``paths`` scanpaths.

    >>> texts = [Sentence(f"t{n}", "A cat.") for n in range(5)]
    >>> [len(block.sentences) for block in blocks_of(texts, per_text=2, paths=4)]
    [2, 2, 1]
    """
    left, number = iter(sentences), 0
    while chosen := tuple(islice(left, max(1, paths // per_text))):
        yield TextBlock(number, chosen)
        number += 1


def draw_block(shared: tuple[GenerationJob, str], block: TextBlock) -> DrawnBlock:
    """Let the model read a block, for ``scandl.workers``; shared are the job and the ending of the table."""
    job, ending = shared
    predictions = job.predictions(block.sentences)
    repairs = repaired_paths(p.extra.get(REPAIR_COLUMN, "") for p in predictions)
    return DrawnBlock(encoded(prediction_columns(predictions), ending), len(predictions), repairs)


_open_here: dict[str, ReadingModel] = {}


def keep_open(job: GenerationJob, model: ReadingModel) -> None:
    """Let a job use a model that is open in this process already."""
    _open_here.clear()
    _open_here[_key(job)] = model


def _opened(job: GenerationJob) -> ReadingModel:
    """Return the job's model, which each process opens once."""
    if _key(job) not in _open_here:
        model = job.model.open(job.options)
        model.check(job.who)
        keep_open(job, model)
    return _open_here[_key(job)]


def _key(job: GenerationJob) -> str:
    return job.digest() + str(job.options)
