"""ScanDL in the registry of generators: trains on a fold, then generates for its test part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scandl.config import to_table
from scandl.corpora.corpus import Corpus
from scandl.corpora.corpus_digest import corpus_digest, digest
from scandl.diffusion.settings import ScandlConfig, preset
from scandl.errors import ScandlError, StoppedError
from scandl.extras import need
from scandl.generators import GENERATORS, Request
from scandl.inference.leak_guard import fold_record
from scandl.records import Scanpath

if TYPE_CHECKING:
    from scandl.inference.generation import Sampling
    from scandl.inference.torch_model import TrainedScandl
    from scandl.splits import Fold

VARIABLE = "SCANDL_CHECKPOINTS"
"""The environment variable that names a folder where checkpoints are kept and training is resumed."""


@GENERATORS.register("scandl")
class ScandlGenerator:
    """ScanDL (Bolliger et al. 2023) in a small configuration for the CPU, trained on the fold.

    With a folder, or ``SCANDL_CHECKPOINTS``, each training ends in a folder of its own there, named
    by configuration and training data: it is resumed when interrupted and never repeated.
    """

    preset = "small"

    def __init__(
        self, config: ScandlConfig | None = None, folder: Path | str | None = None, *,
        sampling: Sampling | None = None,
    ) -> None:  # fmt: skip
        self.config = config or preset(self.preset)
        self.folder = folder or os.environ.get(VARIABLE)
        self.sampling = sampling
        self._model: TrainedScandl | None = None
        self._fold: dict[str, Any] | None = None
        self._tested: tuple[str, str | None] = ("", None)  # corpus and setting

    def for_fold(self, fold: Fold, corpus: Corpus) -> Self:
        """Let the checkpoint say which fold it was trained on."""
        self._fold = fold_record(fold, corpus)
        self._tested = (fold.test_corpus or fold.corpus, fold.setting)
        return self

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Train on the human scanpaths of ``training``."""
        need("torch", "model")
        config = replace(self.config, training=replace(self.config.training, seed=seed))
        if self.folder is not None:
            self._train(config, training, Path(self.folder) / self._name(config, training))
            return self
        with tempfile.TemporaryDirectory(prefix="scandl-") as folder:
            try:
                self._train(config, training, Path(folder))
            except StoppedError:
                raise StoppedError(
                    f"training was told to stop and is not kept: name a folder in {VARIABLE} to resume"
                ) from None
        return self

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request."""
        if self._model is None:
            raise ScandlError("generator 'scandl' must be fitted before it generates")
        if self._fold is not None:
            pairs = [(request.reader_id, request.sentence.sentence_id) for request in requests]
            self._model.refuse_leak(pairs, *self._tested)
        return self._model.generate(requests, seed=seed, sampling=self.sampling)

    def _train(self, config: ScandlConfig, training: Corpus, folder: Path) -> None:
        from scandl.inference.torch_model import TrainedScandl
        from scandl.training.fold_training import train

        self._model = TrainedScandl.load(train(config, training, folder, fold=self._fold, quiet=True))

    def _name(self, config: ScandlConfig, training: Corpus) -> str:
        """Return a name for a training: its configuration, the corpus it learns from, its fold."""
        return digest(to_table(config), corpus_digest(training), self._fold)[:16]


@GENERATORS.register("scandl-paper")
class PaperScandlGenerator(ScandlGenerator):
    """ScanDL (Bolliger et al. 2023) with the settings of the paper, trained on the fold; wants a GPU."""

    preset = "paper"

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request, drawn the published way."""
        from scandl.inference.generation import PUBLISHED

        self.sampling = self.sampling or PUBLISHED
        return super().generate(requests, seed=seed)
