"""Paths that are the same for every reader of a sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from scandl.corpora import Corpus
from scandl.models.model import Model, Needs, Request
from scandl.records import Positions, Scanpath, Sentence
from scandl.text.word_facts import n_characters

if TYPE_CHECKING:
    import numpy as np


class ConstantModel(Model):
    """Base of models without chance: implement ``path``, and ``fit`` if it learns."""

    @abstractmethod
    def path(self, sentence: Sentence) -> Positions:
        """Return the one path of this sentence."""

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Return the path; there is nothing to draw."""
        return self.path(request.sentence)

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return the path of each request's sentence; the seed has no influence."""
        paths: dict[str, Positions] = {}
        for request in requests:
            if request.sentence.sentence_id not in paths:
                paths[request.sentence.sentence_id] = self.path(request.sentence)
        return [
            Scanpath(r.reader_id, r.sentence.sentence_id, paths[r.sentence.sentence_id]) for r in requests
        ]


class LeftToRight(ConstantModel):
    """Fixate each word once, from left to right; learns nothing.

    It has the lowest NLD of many models and is no reader at all, which is why it stands in every table.

    >>> LeftToRight().path(Sentence("s1", "The cat sat."))
    (0, 1, 2)
    """

    name = "left-to-right"

    def path(self, sentence: Sentence) -> Positions:
        """Return 0, 1, 2 … to the last word."""
        return tuple(range(sentence.n_words))


class SkipShort(ConstantModel):
    """Fixate each word of more than two characters once, from left to right; learns nothing.

    >>> SkipShort().path(Sentence("s1", "He is at home."))
    (3,)
    >>> SkipShort(longest_skipped=4).path(Sentence("s1", "He is at it"))
    (0, 1, 2, 3)
    """

    name = "skip-short"

    def __init__(self, longest_skipped: int = 2) -> None:
        self.longest_skipped = longest_skipped

    def path(self, sentence: Sentence) -> Positions:
        """Return the longer words in order; all words where no word is longer."""
        words = sentence.words
        longer = tuple(i for i, word in enumerate(words) if n_characters(word) > self.longest_skipped)
        return longer or tuple(range(len(words)))


class Medoid(ConstantModel):
    """Repeat the training path nearest to all others of the sentence; unseen sentences as skip-short."""

    name = "medoid"
    needs = Needs(training=True)

    def __init__(self) -> None:
        self._paths: dict[str, Positions] = {}

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Find the medoid by NLD of each sentence; of equally central paths the first."""
        self._paths = {key: _medoid(paths) for key, paths in training.by_sentence.items()}
        return self

    def path(self, sentence: Sentence) -> Positions:
        """Return the medoid, or the longer words."""
        known = self._paths.get(sentence.sentence_id)
        return SkipShort().path(sentence) if known is None else known


def _medoid(paths: Sequence[Scanpath]) -> Positions:
    from scandl.measures.pair.nld import pairwise  # keeps rapidfuzz out of the other baselines

    words = [path.positions for path in paths]
    return words[int(pairwise(words, words, "nld").sum(axis=1).argmin())]
