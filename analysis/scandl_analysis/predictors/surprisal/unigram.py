"""Surprisal without context: −ln of the word's own frequency."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scandl.reading.word_frequency import bare_word
from scandl_analysis.predictors.word_predictors import NEGLOG2_FLOOR, proportion


@dataclass(frozen=True, slots=True)
class Unigram:
    """Word frequencies of wordfreq as a language model that knows no context."""

    language: str = "en"
    cached = False

    @property
    def record(self) -> Mapping[str, str]:
        """What decides the values."""
        from importlib.metadata import version

        return {
            "provider": "unigram",
            "model": f"wordfreq {version('wordfreq')}",
            "language": self.language,
            "context": "none",
            "unknown words": f"proportion {NEGLOG2_FLOOR:g}",
            "punctuation": "not counted; a word of punctuation alone has no value",
        }

    @property
    def identity(self) -> Mapping[str, str]:
        """What decides the values."""
        return self.record

    def nats(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return −ln proportion per word."""
        return [tuple(unigram_nats(word, self.language) for word in text.split()) for text in texts]


def unigram_nats(word: str, language: str = "en") -> float:
    """Return −ln of the word's proportion; NaN for punctuation alone.

    >>> round(unigram_nats("the,"), 2), unigram_nats("—")
    (2.92, nan)
    """
    if not bare_word(word):
        return math.nan
    return -math.log(max(proportion(word, language), NEGLOG2_FLOOR))
