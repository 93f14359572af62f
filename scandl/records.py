"""The nouns of the field as small frozen records: no files, no torch.

Word positions are 0-based everywhere; a sentence's words are ``text.split()``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    def item(self) -> str:
        """The item this sentence is a version of; splits keep an item together."""
        return self.item_id or self.sentence_id


@dataclass(frozen=True, slots=True)
class Scanpath:
    """The words one reader fixated in one sentence, in order."""

    reader_id: str
    sentence_id: str
    words: Positions
    durations: tuple[float, ...] | None = None  # ms, one per fixation
    extra: Mapping[str, str] = field(default_factory=_nothing, hash=False)  # what its generator tells of it
    text: str | None = None  # of a path that belongs to no corpus, so that it can be drawn and scored

    @property
    def n_fixations(self) -> int:
        """The number of fixations."""
        return len(self.words)


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
