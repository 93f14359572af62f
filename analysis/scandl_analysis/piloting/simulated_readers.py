"""Models as the readers of an experiment: each reads every stimulus, as people would."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scandl.models.catalogue import open_model
from scandl.models.model import Model
from scandl.models.readings import Readers, prepared, readings, text_corpus
from scandl.models.trained_model import TrainedModel
from scandl.records import Scanpath, Sentence

Surprisals = tuple[tuple[str, tuple[float, ...]], ...]
"""Texts with the surprisal of their words in nats; NaN where it is not known."""


@dataclass(frozen=True)
class SimulatedReaders:
    """The readers of a model that is ready to read."""

    model: Model
    language: str = "en"  # of what they read

    @property
    def about(self) -> str:
        """What has to be said of its readers."""
        differ = self.model.with_readers().readers_differ
        return f"{self.model.about}; {differ}" if isinstance(self.model, TrainedModel) else differ

    def read(self, sentences: Sequence[Sentence], first: int, count: int, *, seed: int) -> list[Scanpath]:
        """Return the scanpaths of readers ``first`` to ``first + count − 1``, reader by reader."""
        texts = [sentence.in_language(self.language) for sentence in sentences]
        made = readings(self.model, texts, readers=Readers(count, first), seed=seed)
        paths = [Scanpath(p.reader_id or "", p.sentence_id, p.predicted, p.durations) for p in made]
        return [path for reader in range(count) for path in paths[reader::count]]


@lru_cache(maxsize=4)
def open_readers(
    name: str, sentences: tuple[Sentence, ...], surprisals: Surprisals, language: str = "en"
) -> SimulatedReaders:
    """Open a model by name or file; kept, because a worker asks for it again with every task."""
    by_text = dict(surprisals)
    known = {s.sentence_id: by_text[s.text] for s in sentences if s.text in by_text}
    words = {key: tuple(map(_probability, values)) for key, values in known.items()}
    texts = replace(text_corpus(sentences, language), words={"probability": words} if words else {})
    return SimulatedReaders(prepared(open_model(name), texts), language)


def _probability(surprisal: float) -> str:
    """Return the probability of a word as a table has it; a word nothing is known of is not expected."""
    return repr(0.0 if math.isnan(surprisal) else math.exp(-max(surprisal, 0.0)))
