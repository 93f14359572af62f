"""Scanpaths for as many texts as there are: a job that travels to workers, a block of texts at a time."""

from __future__ import annotations

import errno
import hashlib
import io
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Self

from scandl.corpora.corpus import corpus_digest
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError, StoppedError
from scandl.extras import need
from scandl.files.json_tables import LINES, json_lines
from scandl.files.prediction_files import prediction_columns
from scandl.files.results import atomic_file, locked
from scandl.files.symbol_repair import REPAIR_COLUMN, repaired_paths
from scandl.files.tables import write_csv
from scandl.models.catalogue import code_of, open_model
from scandl.models.model import Model
from scandl.models.readings import ReaderChoice, prepared, readings, text_corpus
from scandl.models.text_generation import RangeCheck
from scandl.models.trained_model import (
    DEFAULT,
    ENDINGS,
    ModelOptions,
    file_name,
    model_file,
    shipped_file,
    shipped_models,
)
from scandl.records import Prediction, Sentence
from scandl.version import __version__
from scandl.workers import track, workers


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
            shipped = shipped_file(name).read_bytes() if name in shipped_models() else b""
            return cls(name, sha256=hashlib.sha256(shipped).hexdigest())
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
            self.options.context,
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


_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

Columns = Mapping[str, Sequence[str]]


class BlockFiles:
    """The blocks of one table."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.folder = out.with_name(f".{out.name}.blocks")

    def has(self, name: str) -> bool:
        """Say whether a block is finished."""
        return self._file(name).is_file()

    def write(self, name: str, content: bytes) -> None:
        """Keep a finished block."""
        with self._kept(), atomic_file(self._file(name)) as temporary:
            temporary.write_bytes(content)

    def join(self, names: Sequence[str]) -> None:
        """Make the table of all blocks, in order, and drop them."""
        with self._kept(), atomic_file(self.out) as temporary:
            if self.out.suffix == ".parquet":
                self._join_parquet(names, temporary)
            else:
                self._join_lines(names, temporary)
        shutil.rmtree(self.folder, ignore_errors=True)

    def drop_if_empty(self) -> None:
        """Leave no folder behind in which nothing is kept."""
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}{self.out.suffix}"

    def _join_lines(self, names: Sequence[str], target: Path) -> None:
        with target.open("wb") as stream:
            for n, name in enumerate(names):
                with self._file(name).open("rb") as block:
                    if n and self.out.suffix == ".csv":
                        block.readline()  # the header, once is enough
                    shutil.copyfileobj(block, stream)

    def _join_parquet(self, names: Sequence[str], target: Path) -> None:
        parquet = need("pyarrow.parquet", "parquet")
        first = parquet.read_schema(self._file(names[0]))
        with parquet.ParquetWriter(target, first) as writer:
            for name in names:
                writer.write_table(parquet.read_table(self._file(name)))

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Say of a full disk that nothing is lost."""
        try:
            yield
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            raise ScandlError(
                f"{self.out}: {error.strerror}; what is finished is kept in {self.folder}, make room and run"
                " the same command again"
            ) from None


def encoded(columns: Columns, ending: str) -> bytes:
    r"""Return the bytes of a table in the form of an ending.

    >>> encoded({"sentence_id": ["t1"], "predicted": ["0 1"]}, ".csv")
    b'sentence_id,predicted\nt1,0 1\n'
    >>> encoded({"sentence_id": ["t1"], "predicted": ["0 1"]}, ".jsonl")
    b'{"sentence_id": "t1", "predicted": [0, 1]}\n'
    """
    if ending == ".parquet":
        pa, parquet = need("pyarrow", "parquet"), need("pyarrow.parquet", "parquet")
        sink = pa.BufferOutputStream()
        parquet.write_table(pa.table({name: list(values) for name, values in columns.items()}), sink)
        return sink.getvalue().to_pybytes()
    if ending in LINES:
        return json_lines(columns).encode(errors="backslashreplace")
    text = io.StringIO(newline="")
    write_csv(text, columns)
    return text.getvalue().encode(errors="backslashreplace")


PATHS = 2048
"""Scanpaths of a block, about: what a killed command has to draw again, and what is held in memory."""
_AHEAD = 2  # blocks that wait or are in work for each worker


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


@dataclass
class Outcome:
    """What was generated."""

    n_texts: int = 0
    n_paths: int = 0
    kept: int = 0  # scanpaths of blocks that an earlier run had finished
    repairs: Counter[str] = field(default_factory=Counter)  # of those drawn now


def generate_to_file(
    texts: Iterable[Sentence],
    out: Path | str,
    job: GenerationJob,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    check: RangeCheck | None = None,
    quiet: bool = True,
    paths: int = PATHS,
) -> Outcome:
    """Generate for texts and write the table (.csv, .parquet, .jsonl); go on where an earlier run stopped.

    Parameters
    ----------
    jobs
        Local worker processes.
    scheduler
        Address of a Dask scheduler that does the work instead.
    check
        Counts texts that lie outside of what the model knows.
    paths
        Scanpaths of a block, about. A run that goes on must have the same.
    """
    target = Path(out)
    files, outcome, names = BlockFiles(target), Outcome(), []
    digest, waiting = job.digest, []

    def unfinished() -> Iterator[TextBlock]:
        for block in blocks_of(texts, job.per_text, paths):
            names.append(block.name(digest))
            outcome.n_texts += len(block.sentences)
            if check is not None:
                check.add(check.reasons(block.sentences), len(block.sentences))
            if files.has(names[-1]):
                outcome.kept += len(block.sentences) * job.per_text
            else:
                waiting.append(names[-1])
                yield block

    shared = (job, target.suffix)
    try:
        with locked(files.folder), workers(shared, jobs=jobs, scheduler=scheduler) as team:
            drawn = team.each(draw_block, unfinished(), ahead=_AHEAD)
            for i, block in track(drawn, "generate: blocks", quiet=quiet):
                files.write(waiting[i], block.content)
                outcome.n_paths += block.n_paths
                outcome.repairs += block.repairs
            if not names:
                raise ScandlError("the text is empty: there is nothing to read")
            files.join(names)
    except KeyboardInterrupt:
        raise StoppedError(
            f"interrupted; what is finished is kept in {files.folder}, run again to go on"
        ) from None
    finally:
        files.drop_if_empty()
    outcome.n_paths += outcome.kept
    return outcome
