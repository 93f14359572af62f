"""Readings: every scanpath with its sentence and where it comes from, human or generated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.records import Positions, Prediction

if TYPE_CHECKING:
    from scandl.corpora import Corpus

HUMAN = "human"
"""The source of human readings; every other source is the name of a model."""

HALVES = ("human-half-1", "human-half-2")
"""Names of the two halves of the readers; how far they are apart is a scale for models."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one sentence."""

    source: str
    sentence_id: str
    text: str
    path: Positions
    durations: tuple[float, ...] | None = None  # ms, one per fixation
    reader_id: str = ""  # empty: the source names no reader
    setting: str = "all"
    fold: str = "0"
    sample: int = 0
    truncated: bool = False  # its first fixation was under way when the text appeared

    @property
    def words(self) -> list[str]:
        """The words of the sentence, punctuation attached."""
        return self.text.split()


def human_readings(corpus: Corpus) -> list[Reading]:
    """Return the readings of a corpus.

    The readers of a simulated corpus play the part of humans: the source is the same, and what
    prints a result has to say what ``corpus.card.kind`` is.
    """
    truncated = corpus.card.first_fixation == "truncated"
    return [
        Reading(
            HUMAN, path.sentence_id, corpus.sentences[path.sentence_id].text, path.words, path.durations,
            path.reader_id, truncated=truncated,
        )
        for path in corpus.scanpaths
    ]  # fmt: skip


def model_readings(predictions: Iterable[Prediction], corpus: Corpus | None = None) -> list[Reading]:
    """Return the generated readings; the text comes from the corpus or, without one, from the file."""
    return _told_apart(
        Reading(
            p.model, p.sentence_id, _text(p, corpus), p.predicted, p.durations, p.reader_id or "",
            p.setting, p.fold, p.sample,
        )
        for p in predictions
    )  # fmt: skip


def paired_readings(predictions: Iterable[Prediction]) -> list[Reading]:
    """Return the human readings that stand beside predictions in a file, each once.

    A file repeats a human path for every model and every draw; with a named reader the pair
    (reader, sentence) tells which are the same. Without one, the first model's rows are taken.
    """
    found: dict[tuple[object, ...], Reading] = {}
    models: list[str] = []
    for n, p in enumerate(predictions):
        if p.human is None:
            continue
        models = models or [p.model]
        if p.reader_id is None and (p.model != models[0] or p.sample != 0):
            continue
        key = (p.reader_id, p.sentence_id) if p.reader_id is not None else (n,)
        reading = Reading(HUMAN, p.sentence_id, _text(p, None), p.human, None, p.reader_id or "")
        found.setdefault(key, reading)
    return _told_apart(found.values())


def _told_apart(readings: Iterable[Reading]) -> list[Reading]:
    """Return the readings, numbered as samples where neither reader nor number tells them apart."""
    used: set[tuple[object, ...]] = set()
    kept = []
    for reading in readings:
        sample = reading.sample
        key = (reading.source, reading.setting, reading.fold, reading.sentence_id)
        while not reading.reader_id and (key, sample) in used:
            sample += 1
        used.add((key, sample))
        kept.append(reading if sample == reading.sample else replace(reading, sample=sample))
    return kept


def _text(prediction: Prediction, corpus: Corpus | None) -> str:
    if corpus is not None and prediction.sentence_id in corpus.sentences:
        return corpus.sentences[prediction.sentence_id].text
    if prediction.text is None:
        raise ScandlError(
            f"model {prediction.model!r}, sentence {prediction.sentence_id!r}: its words are not known;"
            " give the corpus with --corpus or add a column 'text' to the predictions"
        )
    return prediction.text
