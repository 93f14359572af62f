"""Baselines that learn little or nothing: uniform, training labels, left to right, skipping, medoid."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.baselines.step_walks import N_CLASSES, Rows, StepProbabilities, StepWalk, class_counts
from scandl.models.model import Model, Needs, Request
from scandl.records import Positions, Scanpath, Sentence
from scandl.text.word_facts import n_characters

if TYPE_CHECKING:
    import numpy as np


MAX_FIXATIONS = 126


class Uniform(Model):
    """Draw words and the end, all equally likely, until the end comes; at most 126 fixations."""

    name = "uniform"
    likelihood = "exact"

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Cut independent draws at the first end."""
        n_words = request.sentence.n_words
        draws = rng.integers(0, n_words + 1, size=MAX_FIXATIONS).tolist()
        return tuple(draws[: draws.index(n_words)] if n_words in draws else draws)

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the log-probability of the path and its end, as if there were no limit of 126."""
        return -(scanpath.n_fixations + 1) * math.log(sentence.n_words + 1)


class UniformSaccade(Model):
    """Draw the step, not the word, uniformly from −M … M+1, again if it leaves the sentence.

    The place before the first word (CLS) can be reached; such a fixation is on no word and is left
    out. Every place is then equally likely at each step, so that words are distributed as in
    ``uniform`` but for the limit of 126 steps.
    """

    name = "uniform-saccade"

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Walk from before the first word until a step leads just beyond the last."""
        n_words = request.sentence.n_words
        at, words = -1, []
        for _ in range(MAX_FIXATIONS):
            to = at + _step(rng, n_words)
            while not -1 <= to <= n_words:
                to = at + _step(rng, n_words)
            at = to
            if at == n_words:
                break
            if at >= 0:
                words.append(at)
        return tuple(words)


class UniformN(Model):
    """Draw words, all equally likely, as many as the human fixations: uses the human path's length."""

    name = "uniform-n"
    needs = Needs(human_length=True)

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Draw with replacement."""
        if request.n_fixations is None:
            raise ScandlError(
                f"uniform-n needs the length of a human path, and sentence "
                f"{request.sentence.sentence_id!r} was requested without one"
            )
        return tuple(rng.integers(0, request.sentence.n_words, size=request.n_fixations).tolist())


class UniformM(Model):
    """Draw words, all equally likely, as many as the sentence has words."""

    name = "uniform-m"

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Draw with replacement."""
        n_words = request.sentence.n_words
        return tuple(rng.integers(0, n_words, size=n_words).tolist())


class Uniform45(StepWalk):
    """Draw saccades of −21 … 22 words and the end, all 45 equally likely."""

    name = "uniform-45"

    _row = StepProbabilities([1.0] * N_CLASSES)

    def rows(self, sentence: Sentence) -> Rows:
        """Return the one row there is."""
        return lambda at, before: self._row


def _step(rng: np.random.Generator, n_words: int) -> int:
    return int(rng.integers(-n_words, n_words + 2))


class TrainLabelDist(StepWalk):
    """Draw each saccade, or the end, from the training set's histogram of 45 classes, whatever the text."""

    name = "train-label-dist"
    needs = Needs(training=True)

    def __init__(self, row: StepProbabilities | None = None) -> None:
        self._row = StepProbabilities([1.0] * N_CLASSES) if row is None else row

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Count the classes of all training scanpaths, the way in and the END included."""
        if training.scanpaths:
            self._row = StepProbabilities(class_counts(path.positions for path in training.scanpaths))
        return self

    def rows(self, sentence: Sentence) -> Rows:
        """Return the one row there is."""
        return lambda at, before: self._row


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
