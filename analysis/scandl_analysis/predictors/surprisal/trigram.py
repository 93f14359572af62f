"""Surprisal from the trigram model that the speech recogniser PocketSphinx carries.

It runs anywhere without a download, at some hundred thousand words a second, and sees two words
of context. Its values are log-probabilities in steps of ln 1.0001.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from scandl.extras import need
from scandl.files.provenance import sha256
from scandl.reading.word_frequency import bare_word
from scandl_analysis.predictors.surprisal.unigram import unigram_nats

STEP = math.log(1.0001)  # the model counts log-probability in whole steps of this size
UNKNOWN = -(2**29)  # what it answers for a word that is not in its vocabulary
START = "<s>"


@dataclass(frozen=True)
class Trigram:
    """English trigrams; words the model does not know get their frequency instead."""

    cached = False

    @cached_property
    def _file(self) -> Path:
        package = need("pocketsphinx", "trigram")
        return Path(str(package.__file__)).parent / "model" / "en-us" / "en-us.lm.bin"

    @cached_property
    def _model(self) -> Any:
        return need("pocketsphinx", "trigram").NGramModel.readfile(str(self._file))

    @cached_property
    def record(self) -> Mapping[str, str]:
        """What decides the values."""
        from importlib.metadata import version

        return {
            "provider": "trigram",
            "model": f"pocketsphinx {version('pocketsphinx')} en-us.lm.bin",
            "sha256": sha256(self._file),
            "context": "two words, within the text",
            "first word": f"after {START}",
            "unknown words": f"-ln frequency, wordfreq {version('wordfreq')}",
            "punctuation": "not counted; a word of punctuation alone has no value",
        }

    @property
    def identity(self) -> Mapping[str, str]:
        """What decides the values."""
        return self.record

    def nats(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return −ln p(word | two words before) per word."""
        return [self._text(text) for text in texts]

    def _text(self, text: str) -> tuple[float, ...]:
        history: list[str] = [START]  # newest last
        values = []
        for word in text.split():
            form = bare_word(word).lower()
            if not form:
                values.append(math.nan)  # a dash does not break the context
                continue
            steps = self._model.prob([form, *history[:-3:-1]])  # the word, then the newest first
            if steps <= UNKNOWN:
                values.append(unigram_nats(word))
                history = []  # what follows an unknown word has no context in this model
            else:
                values.append(-steps * STEP)
                history.append(form)
        return tuple(values)
