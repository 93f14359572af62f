"""ScanDL in the registry of generators: trains on a fold, then generates for its test part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scandl.config import to_table
from scandl.corpora.corpus import Corpus, corpus_digest
from scandl.errors import ScandlError, StoppedError
from scandl.extras import need
from scandl.files.manifest import digest
from scandl.models.diffusion.settings import ScandlConfig, preset
from scandl.models.leak_guard import fold_record
from scandl.models.model import Model, Needs, Request
from scandl.records import Scanpath
from scandl.workers import trainings_are_shown

if TYPE_CHECKING:
    from scandl.models.diffusion.diffusion_model import Denoising
    from scandl.models.diffusion.torch_model import TrainedScandl
    from scandl.splits import Fold

VARIABLE = "SCANDL_CHECKPOINTS"
"""The environment variable that names a folder where checkpoints are kept and training is resumed."""


class ScandlGenerator(Model):
    """ScanDL (Bolliger et al. 2023) in a small configuration for the CPU, trained on the fold.

    With a folder, or ``SCANDL_CHECKPOINTS``, each training ends in a folder of its own there, named
    by configuration and training data: it is resumed when interrupted and never repeated.
    """

    name = "scandl"
    needs = Needs(training=True, extra="model")

    preset = "small"
    changes: tuple[str, ...] = ()  # what makes a variant of the preset

    def __init__(
        self,
        config: ScandlConfig | None = None,
        folder: Path | str | None = None,
        *,
        sampling: Denoising | None = None,
    ) -> None:
        self.config = config or preset(self.preset, self.changes)
        self._own_seed = False  # whether the settings say which seed training has
        self.folder = folder or os.environ.get(VARIABLE)
        self.sampling = sampling
        self._model: TrainedScandl | None = None
        self._fold: dict[str, Any] | None = None
        self._held: Corpus | None = None  # what the fold sets aside for validation
        self._tested: tuple[str, str | None] = ("", None)  # corpus and setting

    def with_settings(self, changes: Sequence[str], folder: Path | None) -> Self:
        """Change settings, and keep checkpoints in a folder."""
        self.config = preset(self.preset, [*self.changes, *changes])
        self._own_seed = any(change.startswith("training.seed=") for change in changes)
        self.folder = folder or self.folder
        return self

    def for_fold(self, fold: Fold, corpus: Corpus) -> Self:
        """Let the checkpoint say which fold it was trained on."""
        self._fold = fold_record(fold, corpus)
        self._held = corpus.restricted_to(fold.validation) if fold.validation else None
        self._tested = (fold.test_corpus or fold.corpus, fold.setting)
        return self

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Train on the human scanpaths of ``training``."""
        need("torch", "model")
        config = self.config
        if not self._own_seed:
            config = replace(config, training=replace(config.training, seed=seed))
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

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request."""
        if self._model is None:
            raise ScandlError(f"model {self.name!r} needs training before it reads")
        if self._fold is not None:
            pairs = [(request.reader_id, request.sentence.sentence_id) for request in requests]
            self._model.refuse_leak(pairs, *self._tested)
        self._model.warn_of_longer(request.sentence for request in requests)
        return self._model.read(requests, seed=seed, sampling=self.sampling)

    def _train(self, config: ScandlConfig, training: Corpus, folder: Path) -> None:
        from scandl.models.diffusion.fold_training import train
        from scandl.models.diffusion.torch_model import TrainedScandl

        self._model = TrainedScandl.load(
            train(config, training, folder, held=self._held, fold=self._fold, quiet=not trainings_are_shown())
        )

    def _name(self, config: ScandlConfig, training: Corpus) -> str:
        """Return a name for a training: its configuration, the corpus it learns from, its fold."""
        return digest(to_table(config), corpus_digest(training), self._fold)[:16]


class PaperScandlGenerator(ScandlGenerator):
    """ScanDL (Bolliger et al. 2023) with the settings of the paper, trained on the fold; wants a GPU."""

    name = "scandl-paper"

    preset = "paper"

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request, drawn the published way, with the symbols before any repair."""
        from scandl.models.diffusion.diffusion_model import PUBLISHED

        self.sampling = self.sampling or replace(
            PUBLISHED, steps=self.config.diffusion.steps, keep_symbols=True
        )
        return super().read(requests, seed=seed)


class CosineScandl(PaperScandlGenerator):
    """ScanDL as in the paper with the cosine schedule, one of its ablations."""

    name = "scandl-paper-cosine"

    changes = ("diffusion.schedule=cosine",)


class LinearScandl(PaperScandlGenerator):
    """ScanDL as in the paper with the linear schedule, one of its ablations."""

    name = "scandl-paper-linear"

    changes = ("diffusion.schedule=linear",)


class UnconditionalScandl(PaperScandlGenerator):
    """ScanDL as in the paper without the sentence, one of its ablations."""

    name = "scandl-paper-no-condition"

    changes = ("model.sentence_condition=false",)


class TextlessScandl(PaperScandlGenerator):
    """ScanDL as in the paper without text and position embeddings, one of its ablations."""

    name = "scandl-paper-no-text"

    changes = ("model.text_and_position=false",)
