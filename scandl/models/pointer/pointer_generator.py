"""The word-pointing network in the registry of generators: trains on a fold, then generates."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scandl.config import to_table
from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.extras import need
from scandl.models.model import Likelihood, Model, Needs, Request
from scandl.models.pointer.pointer_model import LINE
from scandl.models.pointer.pointer_settings import Order, PointerConfig, Process
from scandl.records import Scanpath, Sentence
from scandl.workers import trainings_are_shown

if TYPE_CHECKING:
    from scandl.models.pointer.pointer_model import PointerModel

VARIABLE = "SCANDL_CHECKPOINTS"
"""The environment variable that names a folder where checkpoints are kept and training is resumed."""


class ScandlMasked(Model):
    """Draw by masked diffusion: the length, then words in random order; a transformer trained on the fold.

    Its log-probability is a lower bound, estimated from a fixed number of draws. With a folder, or
    ``SCANDL_CHECKPOINTS``, each training ends in a folder of its own there, named by configuration and
    training data: it is resumed when interrupted and never repeated.
    """

    name = "scandl-masked"
    needs = Needs(training=True, extra="model")
    likelihood: Likelihood = "bound"

    order: Order = "random"
    process: Process = "masked"

    def __init__(self, config: PointerConfig | None = None, folder: Path | str | None = None) -> None:
        chosen = config or PointerConfig()
        self.config = replace(chosen, network=replace(chosen.network, process=self.process))
        self.folder = folder or os.environ.get(VARIABLE)
        self._model: PointerModel | None = None
        self._lines: Mapping[str, Sequence[str]] = {}

    @property
    def model(self) -> PointerModel:
        """The model that ``fit`` made."""
        if self._model is None:
            raise ScandlError(f"model {self.name!r} needs training before it is used")
        return self._model

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Train on the human scanpaths of ``training``."""
        need("torch", "model")
        from scandl.models.pointer.pointer_training import load, train

        config = self.config.for_fold(len(training.scanpaths), seed)
        with one_thread():
            quiet = not trainings_are_shown()
            if self.folder is not None:
                kept = Path(self.folder) / _digest(config, training)
                model = load(train(config, training, kept, quiet=quiet))
            else:
                with tempfile.TemporaryDirectory(prefix="scandl-") as folder:
                    model = load(train(config, training, folder, quiet=quiet))
        self._model = model.drawn_by(order=self.order).with_lines(self._lines)
        return self

    def with_stimuli(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Self:
        """Take the lines of the texts that are going to be read."""
        self._lines = words.get(LINE, {})
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath with durations per request."""
        return self.model.read(requests, seed=seed)

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path."""
        return self.model.log_probs(sentences, scanpaths)


class ScanpathTransformer(ScandlMasked):
    """Draw in order of time from the network of scandl-masked: the length, then word by word; no diffusion.

    Its log-probability is exact.
    """

    name = "scanpath-transformer"
    likelihood = "exact"

    order = "time"


class ScandlContinuous(ScandlMasked):
    """Draw by Gaussian diffusion along the line of words: the length first; trained on the fold.

    The successor of ScanDL's continuous diffusion, in the network of ``scandl-masked``.
    """

    name = "scandl-continuous"
    likelihood = ""

    process: Process = "gaussian"


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch work on one thread, because sums depend on how many share them."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _digest(config: PointerConfig, training: Corpus) -> str:
    """Return a name for a training: its configuration and all it learns from."""
    texts = sorted((key, sentence.text) for key, sentence in training.sentences.items())
    paths = [
        (path.reader_id, path.sentence_id, path.positions, path.durations) for path in training.scanpaths
    ]
    readers = {reader: dict(row) for reader, row in training.readers.items()}
    told = json.dumps([to_table(config), texts, paths, readers], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
