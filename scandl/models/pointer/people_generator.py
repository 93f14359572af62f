"""The shipped model told of the readers of a fold: their styles are all that it learns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Self

import numpy as np

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.models.model import Model, Needs, Request
from scandl.models.pointer.condition import (
    ROUNDS,
    TASKS,
    Conditions,
    Style,
    calibrated,
    styles_of,
    task_of,
)
from scandl.models.pointer.people import GROUP, NAME
from scandl.models.pointer.pointer_model import PointerModel
from scandl.models.trained_model import ModelOptions, TrainedModel, open_trained
from scandl.records import Scanpath, Sentence

_TEXTS = 60  # of a laboratory that are read again, at most


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
        self._context: str | None = None

    @property
    def model(self) -> TrainedModel:
        """The network of the shipped model with the styles of the fold."""
        if self._model is None:
            raise ScandlError(f"{self.name} needs training before it is used")
        return self._model

    def with_context(self, source: str) -> Self:
        """Take who says how expected words are."""
        self._context = source
        return self

    def context_about(self, language: str = "en") -> str:
        """Return who says how expected words of a language are, in a line."""
        return self._shipped().context_about(language)

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Learn what makes the network read like each reader of ``training``."""
        if all(style.n_paths < 2 for style in styles_of(training).values()):
            raise ScandlError(
                f"corpus {training.name!r}: nobody read two texts, and one path says little of a style"
            )
        shipped = self._shipped()
        self._model = TrainedModel(shipped.told(like(shipped, training, GROUP, seed=seed)), self.name)
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return one scanpath with durations per request; without a group readers are of any."""
        return self.model.read(requests, seed=seed)

    def log_probs(self, sentences: Sequence[Sentence], scanpaths: Sequence[Scanpath]) -> list[float]:
        """Return the natural log-probability of each path; styles are used where readers are known."""
        return self.model.log_probs(sentences, scanpaths)

    def _shipped(self) -> PointerModel:
        """Return the network that ships, told of context by whom it was asked to be."""
        shipped = open_trained(NAME, ModelOptions(context=self._context)).network
        assert isinstance(shipped, PointerModel)
        return shipped


def like(model: PointerModel, corpus: Corpus, group: str = "", *, seed: int = 1) -> Conditions:
    """Return what makes a network read like the readers of a corpus, from the paths they made there.

    Readers of one path are left out: it says little of a style. Readers whose group or task the network
    does not know are of ``group``, and did what most of the texts are read as.
    """
    usual = Counter(task_of(text.words) for text in corpus.sentences.values()).most_common(1)[0][0]
    groups = model.conditions.labels["group"]
    styles = {reader: style for reader, style in styles_of(corpus).items() if style.n_paths > 1}
    rows = {reader: corpus.readers.get(reader, {}) for reader in styles}
    readers = {
        reader: {
            "group": row["group"] if row.get("group") in groups else group,
            "task": row["task"] if row.get("task") in TASKS else usual,
        }
        for reader, row in rows.items()
    }
    told = replace(model.conditions, styles=styles, readers=readers)
    return calibrated(model.told(told), corpus, seed=seed)


def like_laboratory(
    model: PointerModel, corpus: Corpus, names: Sequence[str], group: str = "", *, seed: int = 1
) -> dict[str, Style]:
    """Return styles of simulated readers who differ as before, in the laboratory of a corpus.

    Each is like a training reader, as any simulated reader is. Together they read the corpus in the style
    that its readers have on average.
    """
    read = sorted({path.sentence_id for path in corpus.scanpaths})
    chosen = set(read[:: -(-len(read) // _TEXTS)])
    corpus = corpus.restricted_to(
        {(p.reader_id, p.sentence_id) for p in corpus.scanpaths if p.sentence_id in chosen}
    )
    usual = Counter(task_of(text.words) for text in corpus.sentences.values()).most_common(1)[0][0]
    known, texts = model.conditions, list(corpus.sentences.values())
    alike = {name: known.simulated(name, seed, group, usual) for name in names}
    styles = {reader: known.styles[reader] for reader in alike.values()}
    theirs = np.nanmean([style.values for style in styles_of(corpus).values()], axis=0)
    told = known
    for number in range(ROUNDS):
        requests = [Request(text, reader) for reader in styles for text in texts]
        drawn = model.told(told).read(requests, seed=seed + number)
        shown = styles_of(replace(corpus, scanpaths=tuple(drawn)))
        missing = theirs - np.nanmean([style.values for style in shown.values()], axis=0)
        told = told.with_styles({reader: told.styles[reader].values + missing for reader in styles})
    return {name: told.styles[reader] for name, reader in alike.items()}
