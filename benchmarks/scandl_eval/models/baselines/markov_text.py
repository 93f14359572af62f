"""A Markov chain of saccades that sees the length of the next word and how many words are left."""

from __future__ import annotations

from collections import Counter
from typing import Self

from scandl.corpora import Corpus
from scandl.generators import GENERATORS
from scandl.records import Sentence
from scandl_eval.models.baselines.markov import condition, smoothed
from scandl_eval.models.baselines.step_walks import N_CLASSES, Row, Rows, StepWalk, transitions

LENGTH_CLASSES = (2, 4, 7)  # up to this many characters; longer words form the last class
MOST_WORDS_LEFT = 3
MIN_COUNT = 5

Context = tuple[int, ...]
"""Words left, step that led here, length class of the next word: dropped from the end to back off."""


def length_class(word: str) -> int:
    """Return 0 for words of 1–2 characters, 1 for 3–4, 2 for 5–7, 3 for longer ones.

    >>> [length_class(word) for word in ("of", "the", "horse", "elephant")]
    [0, 1, 2, 3]
    """
    return sum(len(word) > limit for limit in LENGTH_CLASSES)


@GENERATORS.register("markov-text")
class MarkovText(StepWalk):
    """Draw each saccade, or the end, given the one before, the next word's length and the words left."""

    def __init__(self) -> None:
        self._rows: dict[Context, Row] = {(): Row([1.0] * N_CLASSES)}

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Count what follows each context; rare contexts back off to shorter ones."""
        counts: dict[Context, Counter[int]] = {}
        lengths = {key: _lengths(sentence) for key, sentence in training.sentences.items()}
        for path in training.scanpaths:
            of_words = lengths[path.sentence_id]
            for at, before, following in transitions(path.words):
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

        def row(at: int, before: int) -> Row:
            full = _context(of_words, at, before)
            return next(self._rows[full[:n]] for n in range(len(full), -1, -1) if full[:n] in self._rows)

        return row


def _lengths(sentence: Sentence) -> list[int]:
    return [length_class(word) for word in sentence.words]


def _context(of_words: list[int], at: int, before: int) -> Context:
    left = len(of_words) - 1 - at
    known = min(left, MOST_WORDS_LEFT), condition(at, before)
    return (*known, of_words[at + 1]) if left else known
