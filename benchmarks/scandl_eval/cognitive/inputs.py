"""What the cognitive models know of a sentence: length, frequency and predictability of its words."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scandl.errors import ScandlError
from scandl.frequency import FLOOR, frequency_per_million
from scandl.records import Sentence

WordColumns = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Extra word columns of a corpus: column -> sentence_id -> one value per word."""

Probability = Callable[[Sentence], Sequence[float]]
"""A language model: the probability of each word given the words before it."""

FREQUENCY = "frequency_per_million"
CLOZE = "cloze"
_ENOUGH_WORDS = 50  # fewer say nothing about the sign of a correlation


@dataclass(frozen=True, slots=True)
class Stimulus:
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
class Calibration:
    """From a language model's probability p to cloze: c = logistic(intercept + slope · logit p).

    >>> Calibration()(0.5)
    0.5
    >>> Calibration(intercept=1.0)(0.0), Calibration(intercept=-1.0)(1.0)
    (0.0, 1.0)
    """

    intercept: float = 0.0
    slope: float = 1.0

    def __call__(self, probability: float) -> float:
        """Return the cloze probability that belongs to a model probability."""
        if probability <= 0.0 or probability >= 1.0:
            return min(1.0, max(0.0, probability))
        logit = math.log(probability) - math.log1p(-probability)
        return 1.0 / (1.0 + math.exp(-(self.intercept + self.slope * logit)))


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where the properties of words come from.

    A corpus column (``frequency_per_million``, ``cloze``) wins: one given for the sentence's
    identifier or, because two corpora may use the same identifiers, for its very text. Without
    it the frequency is that of ``scandl.frequency``; predictability is the calibrated
    ``probability`` of a language model or, without one, 0.
    """

    words: WordColumns = field(default_factory=dict)
    by_text: WordColumns = field(default_factory=dict)  # as words, but by the text of the sentence
    probability: Probability | None = None
    calibration: Calibration = Calibration()
    language: str = "en"

    def stimulus(self, sentence: Sentence) -> Stimulus:
        """Return what the models see of one sentence."""
        words = sentence.words
        frequencies = self._column(FREQUENCY, sentence) or tuple(
            frequency_per_million(word, self.language) for word in words
        )
        cloze = self._column(CLOZE, sentence) or self._predicted(sentence)
        _check_values(sentence.sentence_id, frequencies, cloze)
        return Stimulus(
            sentence.sentence_id,
            tuple(len(word) for word in words),
            tuple(max(FLOOR, f) for f in frequencies),
            (0.0, *cloze[1:]),
        )

    def stimuli(self, sentences: Iterable[Sentence]) -> list[Stimulus]:
        """Return what the models see of several sentences; implausible scales warn or are refused."""
        check_scale(self.words)
        check_scale(self.by_text)
        every = list(sentences)
        found = [self.stimulus(sentence) for sentence in every]
        given = (self._values(FREQUENCY, sentence) is not None for sentence in every)
        check_direction([stimulus for stimulus, known in zip(found, given, strict=True) if known])
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
        return tuple(_number(value, name, sentence.sentence_id) for value in values)

    def _values(self, name: str, sentence: Sentence) -> tuple[str, ...] | None:
        named = self.words.get(name, {}).get(sentence.sentence_id)
        return named if named is not None else self.by_text.get(name, {}).get(sentence.text)

    def _predicted(self, sentence: Sentence) -> tuple[float, ...]:
        if self.probability is None:
            return (0.0,) * sentence.n_words
        predicted = self.probability(sentence)
        if len(predicted) != sentence.n_words:
            raise ScandlError(
                f"sentence {sentence.sentence_id!r} has {sentence.n_words} words, "
                f"but the language model gave {len(predicted)} probabilities"
            )
        return tuple(self.calibration(p) for p in predicted)


def check_scale(words: WordColumns) -> None:
    """Refuse a frequency column that cannot be per million.

    >>> check_scale({"frequency_per_million": {"s1": ("0.2", "0.01")}})
    Traceback (most recent call last):
    scandl.errors.ScandlError: words column 'frequency_per_million' ends at 0.2: found probabilities? \
expected occurrences per million
    """
    column = words.get(FREQUENCY, {})
    largest = max((_number(v, FREQUENCY, key) for key, values in column.items() for v in values), default=1.0)
    if largest < 1.0:
        raise ScandlError(
            f"words column {FREQUENCY!r} ends at {largest:g}: found probabilities? "
            "expected occurrences per million"
        )


def check_direction(stimuli: Sequence[Stimulus]) -> None:
    """Warn when long words are the frequent ones: the scale is probably upside down (surprisal?)."""
    lengths = [float(length) for s in stimuli for length in s.lengths]
    logs = [math.log(f) for s in stimuli for f in s.frequencies]
    if len(logs) < _ENOUGH_WORDS or len(set(logs)) == 1 or len(set(lengths)) == 1:
        return
    from statistics import correlation

    r = correlation(logs, lengths)
    if r > 0.0:
        warnings.warn(
            f"log frequency and word length correlate positively (r = {r:.2f}): "
            "frequencies look inverted, for example surprisal given as frequency",
            stacklevel=2,
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


def _number(text: str, column: str, sentence_id: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ScandlError(
            f"sentence {sentence_id!r}: words column {column!r}: found {text!r}, expected a number"
        ) from None
