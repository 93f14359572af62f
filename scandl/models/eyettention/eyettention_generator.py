"""Eyettention as a generator: trains on a fold, or finds the checkpoint of the same training again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

import scandl
from scandl.config import to_table
from scandl.corpora import Corpus
from scandl.corpora.corpus import corpus_digest
from scandl.errors import ScandlError
from scandl.extras import need
from scandl.files.manifest import digest
from scandl.files.results import cache_folder, package_version, sha256
from scandl.models.eyettention.eyettention_settings import SMALL, EyettentionConfig
from scandl.models.model import Model, Needs, Request
from scandl.records import Scanpath, Sentence
from scandl.workers import trainings_are_shown

if TYPE_CHECKING:
    from scandl.models.eyettention.eyettention_model import TrainedEyettention

FINISHED = "eyettention.pt"


class Eyettention(Model):
    """Draw saccades from Eyettention (Deng et al. 2023), a network that is trained on the fold for minutes.

    Parameters
    ----------
    config
        The network and how it learns. The layers are the paper's; the defaults differ in the text
        vectors (``lexical``, not BERT's), in ``gaze_inputs`` (off: no durations) and in the batch
        (64, not 256).
    cache
        The folder of checkpoints; the default is the user's cache. What was trained on the same
        scanpaths with the same text vectors, settings and seed is not trained again.
    """

    name = "eyettention"
    needs = Needs(training=True, extra="model")
    likelihood = "exact"

    def __init__(self, config: EyettentionConfig | None = None, *, cache: Path | str | None = None) -> None:
        self.config = config or EyettentionConfig()
        self.cache = Path(cache) if cache is not None else cache_folder() / "eyettention"
        self._trained: TrainedEyettention | None = None

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Train on the scanpaths of a fold, a tenth of the sentences held out to know when to stop."""
        need("torch", "model")
        from scandl.models.eyettention.eyettention_model import TrainedEyettention
        from scandl.models.eyettention.eyettention_training import keep, train

        self.config = replace(self.config, learning=replace(self.config.learning, seed=seed))
        folder = self.cache / self._key(training)
        finished = folder / FINISHED
        if not finished.exists():
            with one_thread():
                keep(train(self.config, training, folder, quiet=not trainings_are_shown()), finished)
        self._trained = TrainedEyettention.load(finished)
        return self

    @property
    def trained(self) -> TrainedEyettention:
        """The model that ``fit`` made."""
        if self._trained is None:
            raise ScandlError("eyettention has learned nothing yet: call fit first")
        return self._trained

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath per request, the same in any company and order."""
        with one_thread():
            return self.trained.read(requests, seed=seed)

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path, its end included."""
        with one_thread():
            return self.trained.log_probs(sentences, scanpaths)

    def _key(self, training: Corpus) -> str:
        from scandl.text.encoder import find_encoder
        from scandl.text.pretrained import find_contextual

        # A name may come to mean other vectors, so it is their identity that counts, of both encoders:
        # a checkpoint found under this key has to pass the check of ``TrainedEyettention.load``.
        name = self.config.network.encoder
        encoders = [find_contextual(name).identity, find_encoder(name).identity]
        parts = (_code(), package_version(), encoders, corpus_digest(training), to_table(self.config))
        return digest(*parts)[:24]


@cache
def _code() -> str:
    """Hash the sources of network and training: other arithmetic makes other weights."""
    files = [
        *sorted(Path(__file__).parent.glob("*.py")),
        Path(scandl.__file__).parent / "training" / "trainer.py",
    ]
    return digest([sha256(file) for file in files])


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


class EyettentionSmall(Eyettention):
    """Draw saccades from Eyettention with 2 layers where it has 8, for corpora of a thousand scanpaths."""

    name = "eyettention-small"

    def __init__(self, *, cache: Path | str | None = None) -> None:
        super().__init__(SMALL, cache=cache)
