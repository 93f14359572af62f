"""What the cognitive models know of a sentence: length, frequency and predictability of its words."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import correlation

from scandl.errors import ScandlError
from scandl.models.cognitive.word_probabilities import (
    COLUMNS,
    Calibration,
    WordColumns,
    number,
    probabilities,
)
from scandl.records import Sentence
from scandl.text.word_facts import FLOOR, frequency_per_million, n_characters

Probability = Callable[[Sentence], Sequence[float]]
"""A language model: the probability of each word given the words before it."""

FREQUENCY = "frequency_per_million"
CLOZE = "cloze"
USED = (FREQUENCY, CLOZE, *COLUMNS)
LONGEST_WORD = 300  # a long address of a web page is shorter
_ENOUGH_WORDS = 50  # fewer say nothing about the sign of a correlation


@dataclass(frozen=True, slots=True)
class WordProperties:
    """A sentence as the models see it, one value per word."""

    sentence_id: str
    lengths: tuple[int, ...]  # characters, attached punctuation counted
    frequencies: tuple[float, ...]  # per million, at least 1
    cloze: tuple[float, ...]  # 0 to 1; 0 for the first word, which nothing precedes

    @property
    def n_words(self) -> int:
        """The number of words."""
        return len(self.lengths)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where the properties of words come from.

    A corpus column (``frequency_per_million``, ``cloze``) wins: one given for the sentence's
    identifier or, because two corpora may use the same identifiers, for its very text. Without
    it the frequency is that of the sentence's language. Without cloze, predictability is the
    calibrated probability of a language model: that of the columns ``probability`` or
    ``surprisal``, else that of ``probability`` here, and without any it is 0.
    """

    words: WordColumns = field(default_factory=dict)
    by_text: WordColumns = field(default_factory=dict)  # as words, but by the text of the sentence
    probability: Probability | None = None
    calibration: Calibration = field(default_factory=Calibration)

    def stimulus(self, sentence: Sentence) -> WordProperties:
        """Return what the models see of one sentence."""
        words = sentence.words
        _check_lengths(sentence)
        frequencies = self._column(FREQUENCY, sentence) or tuple(
            frequency_per_million(word, sentence.language_or_english) for word in words
        )
        cloze = self._column(CLOZE, sentence)
        if cloze is None:
            cloze = tuple(map(self.calibration, self._probabilities(sentence)))
        _check_values(sentence.sentence_id, frequencies, cloze)
        return WordProperties(
            sentence.sentence_id,
            tuple(map(n_characters, words)),
            tuple(max(FLOOR, f) for f in frequencies),
            (0.0, *cloze[1:]),
        )

    def stimuli(self, sentences: Iterable[Sentence]) -> list[WordProperties]:
        """Return what the models see of several sentences; implausible scales warn or are refused."""
        check_scale(self.words)
        check_scale(self.by_text)
        every = list(sentences)
        found = [self.stimulus(sentence) for sentence in every]
        given = [s for sentence, s in zip(every, found, strict=True) if self._values(FREQUENCY, sentence)]
        told = [s for sentence, s in zip(every, found, strict=True) if self._predicts(sentence)]
        check_direction(
            [n for s in given for n in s.lengths],
            [math.log(f) for s in given for f in s.frequencies],
            "log frequency",
        )
        check_direction(
            [n for s in told for n in s.lengths[1:]], [c for s in told for c in s.cloze[1:]], "probability"
        )
        return found

    def _column(self, name: str, sentence: Sentence) -> tuple[float, ...] | None:
        values = self._values(name, sentence)
        if values is None:
            return None
        if len(values) != sentence.n_words:
            raise ScandlError(
                f"sentence {sentence.sentence_id!r} has {sentence.n_words} words, "
                f"but words column {name!r} has {len(values)} values for it"
            )
        return tuple(number(value, name, sentence.sentence_id) for value in values)

    def _values(self, name: str, sentence: Sentence) -> tuple[str, ...] | None:
        named = self.words.get(name, {}).get(sentence.sentence_id)
        return named if named is not None else self.by_text.get(name, {}).get(sentence.text)

    def _probabilities(self, sentence: Sentence) -> tuple[float, ...]:
        known = self._given_probabilities(sentence)
        if known is None and self.probability is not None:
            known = tuple(self.probability(sentence))
        if known is None:
            return (0.0,) * sentence.n_words
        if len(known) != sentence.n_words:
            raise ScandlError(
                f"sentence {sentence.sentence_id!r} has {sentence.n_words} words, "
                f"but the language model gave {len(known)} probabilities"
            )
        return known

    def _predicts(self, sentence: Sentence) -> bool:
        """Return whether the probabilities of a table are what a sentence's predictability is made of."""
        return self._values(CLOZE, sentence) is None and self._given_probabilities(sentence) is not None

    def _given_probabilities(self, sentence: Sentence) -> tuple[float, ...] | None:
        named = probabilities(self.words, sentence.sentence_id)
        return named if named is not None else probabilities(self.by_text, sentence.text)


def check_scale(words: WordColumns) -> None:
    """Refuse a frequency column that cannot be per million.

    >>> check_scale({"frequency_per_million": {"s1": ("0.2", "0.01")}})
    Traceback (most recent call last):
    scandl.errors.ScandlError: words column 'frequency_per_million' ends at 0.2: found probabilities? \
expected occurrences per million
    """
    column = words.get(FREQUENCY, {})
    largest = max((number(v, FREQUENCY, key) for key, values in column.items() for v in values), default=1.0)
    if largest < 1.0:
        raise ScandlError(
            f"words column {FREQUENCY!r} ends at {largest:g}: found probabilities? "
            "expected occurrences per million"
        )


def check_direction(lengths: Sequence[int], values: Sequence[float], what: str) -> None:
    """Warn when what should be high for short words is high for long ones: probably surprisal."""
    if len(values) < _ENOUGH_WORDS or len(set(values)) == 1 or len(set(lengths)) == 1:
        return
    r = correlation(values, [float(length) for length in lengths])
    if r > 0.0:
        warnings.warn(
            f"{what} and word length correlate positively (r = {r:.2f}): "
            f"{what} looks inverted, for example surprisal given in its place",
            stacklevel=2,
        )


def _check_lengths(sentence: Sentence) -> None:
    """Refuse what is no word: eyes that cross thousands of letters never arrive."""
    for position, word in enumerate(sentence.words):
        if len(word) > LONGEST_WORD:
            raise ScandlError(
                f"sentence {sentence.sentence_id!r}, word {position} has {len(word):,} characters,"
                f" expected at most {LONGEST_WORD}"
            )


def _check_values(sentence_id: str, frequencies: Sequence[float], cloze: Sequence[float]) -> None:
    for position, (f, c) in enumerate(zip(frequencies, cloze, strict=True)):
        if not (0.0 < f < math.inf):
            raise ScandlError(
                f"sentence {sentence_id!r}, word {position}: frequency {f:g} per million, expected above 0 "
                "(an unseen word counts as 1)"
            )
        if not 0.0 <= c <= 1.0:
            raise ScandlError(
                f"sentence {sentence_id!r}, word {position}: cloze {c:g}, expected a probability 0..1"
            )
