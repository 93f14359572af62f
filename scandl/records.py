"""The nouns of the field as small frozen records, and what a scanpath did to each word: no files, no torch.

Word positions are 0-based everywhere; a sentence's words are ``text.split()``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

Positions = tuple[int, ...]
"""Word positions fixated, in order of time."""

WHOLE = "all"
"""The setting of predictions that are not of a split."""

NOTHING: Mapping[str, str] = {}
"""The extra columns of a record that has none: shared, never written to."""


def _nothing() -> Mapping[str, str]:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Sentence:
    """One text that is read as a unit."""

    sentence_id: str
    text: str
    item_id: str = ""  # versions of one item share it; empty = the sentence is its own item
    extra: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    language: str = field(default="", compare=False)  # its code; "": nobody said

    @property
    def words(self) -> tuple[str, ...]:
        """The words as readers see them, punctuation attached.

        >>> Sentence("s1", "The cat  sat.").words
        ('The', 'cat', 'sat.')
        """
        return tuple(self.text.split())

    @property
    def n_words(self) -> int:
        """The number of words."""
        return len(self.text.split())

    @property
    def language_or_english(self) -> str:
        """The language, which is English for a text of no corpus of which nobody said.

        >>> Sentence("s1", "The cat").language_or_english
        'en'
        >>> Sentence("s2", "कौन", language="hi").language_or_english
        'hi'
        """
        return self.language or "en"

    def in_language(self, code: str) -> Sentence:
        """Return the sentence, in this language unless it has one."""
        return self if self.language or not code else replace(self, language=code)

    @property
    def item(self) -> str:
        """The item this sentence is a version of; splits keep an item together."""
        return self.item_id or self.sentence_id


@dataclass(frozen=True, slots=True)
class Scanpath:
    """The words one reader fixated in one sentence, in order."""

    reader_id: str
    sentence_id: str
    positions: Positions
    durations: tuple[float, ...] | None = None  # ms, one per fixation
    extra: Mapping[str, str] = field(default_factory=_nothing, hash=False)  # what its generator tells of it
    text: str | None = None  # of a path that belongs to no corpus, so that it can be drawn and scored

    @property
    def n_fixations(self) -> int:
        """The number of fixations."""
        return len(self.positions)


@dataclass(frozen=True, slots=True)
class Prediction:
    """One generated scanpath, and what is known of the human one it stands against."""

    sentence_id: str
    predicted: Positions
    human: Positions | None = None
    reader_id: str | None = None
    model: str = "model"
    setting: str = WHOLE
    fold: str = "0"
    sample: int = 0
    text: str | None = None
    durations: tuple[float, ...] | None = None
    log_prob: float | None = None  # natural log-likelihood the model gives the human scanpath
    raw: Positions | None = None  # the model's symbols before any repair, see scandl.files.symbol_repair
    extra: Mapping[str, str] = field(default_factory=_nothing, hash=False)


@dataclass(frozen=True, slots=True)
class Visits:
    """The fixations one word received on one reading of its sentence.

    Every reading measure and every rate of the project is derived from these facts, so that a skip or a
    regression means the same in a corpus check, a score and a regression model. A run is a maximal
    stretch of consecutive fixations on the word. ``first_pass`` says that the first fixation came before any
    word to the right was fixated.
    """

    n_fixations: int = 0
    first_run: int = 0  # fixations of the first run, whenever it happens
    first_pass: bool = False
    next_word: int | None = None  # where the eyes went after the first run; None = nowhere

    @property
    def skipped(self) -> bool:
        """Never fixated, or first fixated after a word to its right."""
        return not self.first_pass


def visits(path: Sequence[int], n_words: int) -> list[Visits]:
    """Return the facts for every word of a sentence.

    >>> [v.skipped for v in visits([0, 2, 1, 3, 3], 5)]
    [False, True, False, False, True]
    >>> [v.n_fixations for v in visits([0, 2, 1, 3, 3], 5)]
    [1, 1, 1, 2, 0]
    >>> visits([0, 2, 1, 3, 3], 5)[2].next_word
    1
    """
    counts = Counter(path)
    found = [Visits()] * n_words
    for word, start, end, first_pass in first_visits(path):
        next_word = path[end] if end < len(path) else None
        found[word] = Visits(counts[word], end - start, first_pass, next_word)
    return found


def first_visits(path: Sequence[int]) -> Iterator[tuple[int, int, int, bool]]:
    """Yield each word with its first run of fixations, ``path[start:end]``, and whether it is the first pass.

    >>> list(first_visits([0, 2, 2, 1, 2]))
    [(0, 0, 1, True), (2, 1, 3, True), (1, 3, 4, False)]
    """
    seen: set[int] = set()
    furthest, start = -1, 0
    while start < len(path):
        word, end = path[start], start + 1
        while end < len(path) and path[end] == word:
            end += 1
        if word not in seen:
            seen.add(word)
            yield word, start, end, word > furthest
        furthest = max(furthest, word)
        start = end
