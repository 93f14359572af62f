"""What simulated readers do with a text: measures of each reader, their means, words that cost time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scandl.models.expected_reading import WordReadings
from scandl.records import Sentence
from scandl.statistics.clustered import t_quantile
from scandl.text.context import PROSE
from scandl.text.word_facts import n_characters

Array = NDArray[np.float64]
Line = NDArray[np.float64]
"""Slope and intercept."""

TIMES = ("ms_per_word", "ms_per_text", "ms_per_character", "first_pass", "rereading")
"""Measures of a text in ms; the last two are per word and add up to the first."""
MEASURES = (*TIMES, "skipping", "regressions")
"""What is measured of each reader of a text."""


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
