"""Markov chains of saccades: the next step depends on the one before, and on the text ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Self

from scandl.corpora import Corpus
from scandl.models.baselines.step_walks import (
    N_CLASSES,
    START_POSITION,
    Rows,
    StepProbabilities,
    StepWalk,
    transitions,
)
from scandl.models.model import Needs
from scandl.records import Sentence
from scandl.text.word_facts import n_characters

LONGEST_CONDITION = 4
START = 2 * LONGEST_CONDITION + 1
N_CONDITIONS = START + 1
PSEUDO_COUNT = 0.5

LENGTH_CLASSES = (2, 4, 7)  # up to this many characters; longer words form the last class
MOST_WORDS_LEFT = 3
MIN_COUNT = 5
Context = tuple[int, ...]
"""Words left, step that led here, length class of the next word: dropped from the end to back off."""


def condition(at: int, before: int) -> int:
    """Return the class of the step that led here, clipped to −4 … 4, or START.

    >>> condition(at=3, before=1), condition(at=0, before=9), condition(at=-1, before=-1)
    (6, 0, 9)
    """
    if at == START_POSITION:
        return START
    return min(max(at - before, -LONGEST_CONDITION), LONGEST_CONDITION) + LONGEST_CONDITION


def smoothed(counts: Sequence[int], seen: Sequence[bool]) -> StepProbabilities:
    """Return the row of these counts, half a count added to each outcome the training set has."""
    return StepProbabilities(
        [count + PSEUDO_COUNT * known for count, known in zip(counts, seen, strict=True)]
    )


class Markov(StepWalk):
    """Draw each saccade, or the end, given the saccade before it; the text plays no part."""

    name = "markov"
    needs = Needs(training=True)

    def __init__(self) -> None:
        self._rows = [StepProbabilities([1.0] * N_CLASSES)] * N_CONDITIONS

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Count what follows each class of step."""
        counts = [[0] * N_CLASSES for _ in range(N_CONDITIONS)]
        for path in training.scanpaths:
            for at, before, following in transitions(path.positions):
                counts[condition(at, before)][following] += 1
        seen = [any(column) for column in zip(*counts, strict=True)]
        if any(seen):
            self._rows = [smoothed(row, seen) for row in counts]
        return self

    def rows(self, sentence: Sentence) -> Rows:
        """Return the row of the step that led to a position."""
        return lambda at, before: self._rows[condition(at, before)]


def length_class(word: str) -> int:
    """Return 0 for words of 1–2 characters, 1 for 3–4, 2 for 5–7, 3 for longer ones.

    >>> [length_class(word) for word in ("of", "the", "horse", "elephant")]
    [0, 1, 2, 3]
    """
    return sum(n_characters(word) > limit for limit in LENGTH_CLASSES)


class MarkovText(StepWalk):
    """Draw each saccade, or the end, given the one before, the next word's length and the words left."""

    name = "markov-text"
    needs = Needs(training=True)

    def __init__(self) -> None:
        self._rows: dict[Context, StepProbabilities] = {(): StepProbabilities([1.0] * N_CLASSES)}

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Count what follows each context; rare contexts back off to shorter ones."""
        counts: dict[Context, Counter[int]] = {}
        lengths = {key: _lengths(sentence) for key, sentence in training.sentences.items()}
        for path in training.scanpaths:
            of_words = lengths[path.sentence_id]
            for at, before, following in transitions(path.positions):
                full = _context(of_words, at, before)
                for n in range(len(full) + 1):
                    counts.setdefault(full[:n], Counter())[following] += 1
        if counts:
            seen = [counts[()][outcome] > 0 for outcome in range(N_CLASSES)]
            self._rows = {
                context: smoothed([found[outcome] for outcome in range(N_CLASSES)], seen)
                for context, found in counts.items()
                if not context or found.total() >= MIN_COUNT
            }
        return self

    def rows(self, sentence: Sentence) -> Rows:
        """Return the row of the longest context that was seen often enough."""
        of_words = _lengths(sentence)

        def row(at: int, before: int) -> StepProbabilities:
            full = _context(of_words, at, before)
            return next(self._rows[full[:n]] for n in range(len(full), -1, -1) if full[:n] in self._rows)

        return row


def _lengths(sentence: Sentence) -> list[int]:
    return [length_class(word) for word in sentence.words]


def _context(of_words: list[int], at: int, before: int) -> Context:
    left = len(of_words) - 1 - at
    known = min(left, MOST_WORDS_LEFT), condition(at, before)
    return (*known, of_words[at + 1]) if left else known
