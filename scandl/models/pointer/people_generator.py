"""The shipped model told of the readers of a fold: their styles are all that it learns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Model, Needs, Request
from scandl.models.pointer.condition import TASKS, calibrated, styles_of, task_of
from scandl.models.pointer.people import GROUP, NAME
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.trained_model import TrainedModel, open_trained
from scandl.records import Scanpath, Sentence


class PeopleLike(Model):
    """Draw readers like those of the fold from the shipped model: their styles are all that is learned.

    A style is ten numbers, so some paths of a reader are enough. A reader of the fold keeps their own,
    and any other is like one of them.
    """

    name = "people-like"
    needs = Needs(training=True)
    likelihood = "exact"

    def __init__(self) -> None:
        self._model: TrainedModel | None = None

    @property
    def model(self) -> TrainedModel:
        """The network of the shipped model with the styles of the fold."""
        if self._model is None:
            raise ScandlError(f"{self.name} needs training before it is used")
        return self._model

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn what makes the network read like each reader of ``training``."""
        styles = {reader: style for reader, style in styles_of(training).items() if style.n_paths > 1}
        if not styles:
            raise ScandlError(
                f"corpus {training.name!r}: nobody read two texts, and one path says little of a style"
            )
        shipped = open_trained(NAME).network
        assert isinstance(shipped, PointerModel)
        usual = Counter(task_of(text.words) for text in training.sentences.values()).most_common(1)[0][0]
        groups = shipped.conditions.labels["group"]
        rows = {reader: training.readers.get(reader, {}) for reader in styles}
        readers = {
            reader: {
                "group": row["group"] if row.get("group") in groups else GROUP,
                "task": row["task"] if row.get("task") in TASKS else usual,
            }
            for reader, row in rows.items()
        }
        own = shipped.told(replace(shipped.conditions, styles=styles, readers=readers))
        self._model = TrainedModel(own.told(calibrated(own, training, seed=seed)), self.name)
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath with durations per request; without a group readers are of any."""
        return self.model.read(requests, seed=seed)

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path; styles are used where readers are known."""
        return self.model.log_probs(sentences, scanpaths)
