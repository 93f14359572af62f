"""What simulated readers do with a text: measures of each reader, their means, words that cost time."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scandl.models.expected_reading import WordReadings, expected_readings, joined_samples
from scandl.records import Sentence
from scandl.statistics.clustered import t_quantile
from scandl.text.context import PROSE, ContextSource
from scandl.text.word_facts import n_characters
from scandl.version import __version__
from scandl_analysis.reading_ease import judged_ease
from scandl_analysis.reading_ease.system_texts import SYSTEM

if TYPE_CHECKING:
    from scandl.models.model import Model

Array = NDArray[np.float64]
Line = NDArray[np.float64]
"""Slope and intercept."""

TIMES = ("ms_per_word", "ms_per_text", "ms_per_character", "first_pass", "rereading")
"""Measures of a text in ms; the last two are per word and add up to the first."""
MEASURES = (*TIMES, "skipping", "regressions")
"""What is measured of each reader of a text."""
BLOCKS = ("ease.csv", "words.csv", "readers.csv")
"""Tables that are made a block of texts at a time."""
MOST_SAMPLES = 1024
"""Times that a reader reads a text, at most, where a precision is wanted."""


def measures(text: Sentence, reading: WordReadings) -> dict[str, Array]:
    """Return the measures of a text, one value per reader; NaN where a reader shows none of its kind."""
    n = text.n_words
    total, first_pass = (each.mean(axis=1).sum(axis=1) for each in (reading.total, reading.first_pass))
    n_read = (1.0 - reading.skipped).sum(axis=(1, 2))
    return {
        "ms_per_word": total / n,
        "ms_per_text": total,
        "ms_per_character": total / sum(map(n_characters, text.words)),
        "first_pass": first_pass / n,
        "rereading": (total - first_pass) / n,
        "skipping": reading.skipped.mean(axis=(1, 2)),
        "regressions": reading.regression.sum(axis=(1, 2)) / np.where(n_read > 0, n_read, np.nan),
    }


def noise(reading: WordReadings) -> float:
    """Return the standard error of ms per word for these readers, which is chance alone; NaN: not known."""
    n_readers, n_samples, n_words = reading.total.shape
    if n_samples < 2:
        return math.nan
    within = reading.total.sum(axis=2).var(axis=1, ddof=1) / n_samples
    return float(np.sqrt(within.mean() / n_readers)) / n_words


def summary(of_readers: Mapping[str, Array]) -> dict[str, float]:
    """Return the mean of each measure over readers with its 95 % interval."""
    found: dict[str, float] = {}
    for name, values in of_readers.items():
        known = values[~np.isnan(values)]
        mean = float(known.mean()) if len(known) else math.nan
        reach = math.nan
        if len(known) > 1:
            reach = t_quantile(0.975, len(known) - 1) * float(known.std(ddof=1)) / math.sqrt(len(known))
        found |= {name: mean, f"{name}_low": mean - reach, f"{name}_high": mean + reach}
    return found


def of_words(text: Sentence, reading: WordReadings, line: Line) -> dict[str, Sequence[Any]]:
    """Return the columns of the table of words; ``excess_ms`` is the time over what length alone costs."""
    total = reading.total.mean(axis=(0, 1))
    return {
        "word_index": range(text.n_words),
        "word": text.words,
        "total_ms": total.tolist(),
        "first_pass_ms": reading.first_pass.mean(axis=(0, 1)).tolist(),
        "skipping": reading.skipped.mean(axis=(0, 1)).tolist(),
        "excess_ms": (total - np.polyval(line, [n_characters(word) for word in text.words])).tolist(),
    }


def prose(language: str) -> list[Sentence]:
    """Return plain prose, on which the cost of length is measured."""
    return [Sentence(f"prose {k}", text, language=language) for k, text in enumerate(PROSE)]


def cost_of_length(readings: Iterable[WordReadings]) -> Line:
    """Return the line of ms on the length of words, in plain prose that the same readers read."""
    lengths = [n_characters(word) for text in PROSE for word in text.split()]
    ms = np.concatenate([reading.total.mean(axis=(0, 1)) for reading in readings])
    return np.polyfit(lengths, ms, 1)


def hardest_spans(words: Sequence[str], excess: Sequence[float]) -> list[tuple[str, float]]:
    """Return runs of words that all take longer than their length makes one expect, the hardest first.

    >>> hardest_spans(["the", "abstruse", "lemma", "is", "here"], [-9.0, 90.0, 60.0, -5.0, 20.0])
    [('abstruse lemma', 150.0), ('here', 20.0)]
    """
    found = []
    for above, run in groupby(zip(words, excess, strict=True), lambda pair: pair[1] > 0):
        own = list(run)
        if above:
            found.append((" ".join(word for word, _ in own), sum(ms for _, ms in own)))
    return sorted(found, key=lambda span: -span[1])


@dataclass(frozen=True)
class EaseJob:
    """How texts are read: everything that decides what is found of a text."""

    model: Model
    identity: str  # of the model, in this process and in others
    groups: tuple[str, ...]
    readers: int
    samples: int
    precision: float | None
    task: str
    source: ContextSource
    language: str
    seed: int

    @property
    def digest(self) -> str:
        """A name for all of it."""
        who = (self.identity, self.groups, self.readers, self.samples, self.precision)
        how = (self.task, self.source.name, self.source.about, self.language, self.seed)
        return hashlib.sha256(repr((__version__, who, how)).encode()).hexdigest()

    def about(self, n_texts: int, name: str) -> str:
        """Say who read how."""
        often = f", {self.samples} times each" if self.samples > 1 and self.precision is None else ""
        if self.precision is not None:
            often = f", until chance is below {100 * self.precision:g} % of ms per word"
        return (
            f"{n_texts} texts; {self.readers} simulated readers of {name}, the same in all, task {self.task}"
            + often
        )

    def in_language(self, texts: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield texts that know their language."""
        return (text.in_language(self.language) for text in texts)

    @cached_property
    def lines(self) -> dict[str, Line]:
        """The cost of length for each group."""
        return {group: cost_of_length(self.read(prose(self.language), group)) for group in self.groups}

    def read(self, texts: Iterable[Sentence], group: str, **told: Any) -> Iterator[WordReadings]:
        """Let the readers of a group read."""
        told = {"samples": self.samples, **told}
        return expected_readings(
            self.model, texts, readers=self.readers, group=group, task=self.task, seed=self.seed, **told
        )

    def precise(self, text: Sentence, group: str, reading: WordReadings) -> WordReadings:
        """Double the samples of a reading until its standard error is as small as is wanted."""
        while self.precision is not None and (n := reading.total.shape[1]) < MOST_SAMPLES:
            if noise(reading) <= self.precision * float(reading.total.mean()):
                break
            (more,) = self.read([text], group, samples=n, first_sample=n)
            reading = joined_samples(reading, more)
        return reading

    def block(self, texts: Sequence[Sentence]) -> dict[str, dict[str, list[Any]]]:
        """Return the columns of the tables for some texts."""
        told = list(self.in_language(texts))
        apart = judged_ease.without_readers([text.text for text in told], self.source, self.language)
        tables: dict[str, list[pd.DataFrame]] = {name: [] for name in BLOCKS}
        for group in self.groups:
            for text, first, other in zip(told, self.read(told, group), apart, strict=True):
                reading = self.precise(text, group, first)
                of_readers = measures(text, reading)
                names = _names(text, group)
                row = {"n_words": text.n_words, **summary(of_readers), "noise": noise(reading), **other}
                who = [f"sim{k + 1}" for k in range(self.readers)]
                samples = {"samples": reading.total.shape[1]} if self.precision is not None else {}
                tables["ease.csv"].append(pd.DataFrame([{**names, **row, **samples}]))
                tables["words.csv"].append(
                    pd.DataFrame({**names, **of_words(text, reading, self.lines[group])})
                )
                tables["readers.csv"].append(pd.DataFrame({**names, "reader": who, **of_readers}))
        return {name: _cells(pd.concat(parts)) for name, parts in tables.items()}


def _names(text: Sentence, group: str) -> dict[str, Any]:
    own = {"text_id": text.sentence_id, "group": group}
    return {"item_id": text.item, SYSTEM: text.extra[SYSTEM], **own} if SYSTEM in text.extra else own


def _cells(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Return columns as they are written; a missing value is an empty cell."""
    return {str(name): ["" if x != x else x for x in frame[name].tolist()] for name in frame}
