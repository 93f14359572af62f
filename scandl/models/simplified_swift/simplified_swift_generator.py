"""Simplified SWIFT as a baseline: a cognitive model that is fitted to the training fold."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Self

from scandl.errors import ScandlError
from scandl.models.model import Model, Needs, Request, rng_of
from scandl.models.simplified_swift.path_likelihood import (
    duration_log_densities,
    exposure,
    location_log_probs,
)
from scandl.models.simplified_swift.simplified_swift_fit import FREE, maximum_likelihood
from scandl.models.simplified_swift.simulation import Parameters, choose, fixations
from scandl.records import Scanpath, Sentence
from scandl.text.word_facts import Lexicon, log_frequency_share

if TYPE_CHECKING:
    import numpy as np

    from scandl.corpora import Corpus
    from scandl.models.simplified_swift.path_likelihood import Reading


class Stage(Enum):
    """How far reading has come at a fixation."""

    BEFORE = "the last word has not been fixated yet"
    LAST = "the eyes are on the last word"
    AFTER = "the last word has been fixated, and the eyes are elsewhere"


def stage(words: Sequence[int], n_words: int) -> Stage:
    """Return the stage of the last of these fixations.

    >>> [stage(words, n_words=3).name for words in ([0], [0, 2], [0, 2, 1])]
    ['BEFORE', 'LAST', 'AFTER']
    """
    last = n_words - 1
    if words[-1] == last:
        return Stage.LAST
    return Stage.AFTER if last in words else Stage.BEFORE


def _stages(words: Sequence[int], n_words: int) -> list[Stage]:
    return [stage(words[:end], n_words) for end in range(1, len(words) + 1)]


@dataclass(frozen=True, slots=True)
class PathBoundaries:
    """The distribution of the first word, and the probability to end after a fixation.

    Without data the rule is that of simplified SWIFT: begin on word 0, end with the first
    fixation of the last word.
    """

    first_words: Mapping[int, float] = field(default_factory=lambda: {0: 1.0})  # word -> weight
    spread: float = 0.0  # weight shared by all words of a sentence, whichever were seen
    end: Mapping[Stage, float] = field(
        default_factory=lambda: {Stage.BEFORE: 0.0, Stage.LAST: 1.0, Stage.AFTER: 1.0}
    )

    @classmethod
    def learned(cls, paths: Iterable[tuple[Sequence[int], int]]) -> PathBoundaries:
        """Count beginnings and ends in (words, number of words of the sentence).

        Smoothing is one path more than there are, whose first word is any word, and one fixation
        more per stage, with an end half the time: every path has a positive probability.
        """
        first: Counter[int] = Counter()
        ends: Counter[Stage] = Counter()
        seen: Counter[Stage] = Counter()
        for words, n_words in paths:
            found = _stages(words, n_words)
            seen.update(found)
            ends.update(found[-1:])
            first.update(words[:1])
        end = {at: (ends[at] + 0.5) / (seen[at] + 1.0) for at in Stage}
        return cls({word: float(count) for word, count in sorted(first.items())}, 1.0, end)

    def first_probs(self, n_words: int) -> list[float]:
        """Return the probability of each word of a sentence to be the first fixated.

        >>> PathBoundaries({0: 2.0, 7: 5.0}, spread=2.0).first_probs(2)
        [0.75, 0.25]
        """
        weights = [self.first_words.get(word, 0.0) + self.spread / n_words for word in range(n_words)]
        return [weight / math.fsum(weights) for weight in weights]

    def ended(self, words: Sequence[int], n_words: int, rng: np.random.Generator) -> bool:
        """Draw whether these fixations are the whole path."""
        return bool(rng.random() < self.end[stage(words, n_words)])

    def log_prob(self, words: Sequence[int], n_words: int) -> float:
        """Return the log-probability of the first word, of going on, and of the end; no path: -inf.

        >>> PathBoundaries().log_prob([0, 1, 2], n_words=3), PathBoundaries().log_prob([0, 2, 1], n_words=3)
        (0.0, -inf)
        """
        if not words:
            return -math.inf
        *inner, last = _stages(words, n_words)
        probs = [self.first_probs(n_words)[words[0]], *(1.0 - self.end[at] for at in inner), self.end[last]]
        return math.fsum(math.log(p) for p in probs) if all(probs) else -math.inf


MAX_FIXATIONS = 1000


@dataclass(frozen=True, slots=True)
class PathLogProb:
    """The log-probability of one path, part by part.

    ``location`` is the sum over saccades of log P(next word | all words and durations before it).
    ``duration`` is the log-density of the durations, in ms, given the words.
    ``boundaries`` is the part of the first word, of going on after each fixation and of the end.
    """

    location: float
    duration: float
    boundaries: float

    @property
    def words(self) -> float:
        """The log-probability of the words and the end, each given the durations before it.

        It is comparable with models of words alone, with one thing to know: durations are
        information those models do not have.
        """
        return self.location + self.boundaries

    @property
    def total(self) -> float:
        """The log-density of words, end and durations together."""
        return self.words + self.duration


@dataclass
class SimplifiedSwift(Model):
    """Draw from simplified SWIFT (Engbert & Rabe 2024), fitted by maximum likelihood.

    Not fitted, it has the published parameters and rules. The published rules, to begin on word 0
    and to end with the first fixation of the last word, forbid most human paths; so fitting also
    learns how often paths begin elsewhere and go on. ``learn_boundaries=False`` keeps the
    published rules, and then only paths that obey them have a positive probability.

    With ``per_reader`` a reader of the training fold has parameters of their own; the others have
    those of the whole fold.
    """

    name = "simplified-swift"
    needs = Needs(training=True, durations=True)
    likelihood = "exact"

    free: tuple[str, ...] = FREE
    per_reader: bool = False
    learn_boundaries: bool = True
    parameters: Parameters = field(default_factory=Parameters)
    boundaries: PathBoundaries = field(default_factory=PathBoundaries)
    lexicon: Lexicon = field(default_factory=Lexicon)
    of_reader: Mapping[str, Parameters] = field(default_factory=dict)

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Fit parameters to the paths that have durations, and the boundaries to all paths."""
        self.lexicon = Lexicon.of(training)
        readings = self._readings(training)
        everything = [reading for of_one in readings.values() for reading in of_one]
        if not everything:
            raise ScandlError(f"simplified-swift needs fixation durations; corpus {training.name!r} has none")
        self.parameters = maximum_likelihood(everything, free=self.free)
        if self.per_reader:
            self.of_reader = {
                reader_id: maximum_likelihood(of_one, free=self.free, start=self.parameters)
                for reader_id, of_one in readings.items()
            }
        if self.learn_boundaries:
            n_words = {key: sentence.n_words for key, sentence in training.sentences.items()}
            self.boundaries = PathBoundaries.learned(
                (p.positions, n_words[p.sentence_id]) for p in training.scanpaths
            )
        return self

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Draw each request from its own stream of random numbers; durations to a tenth of a ms."""
        return [self._draw(request, seed) for request in requests]

    def log_prob(self, sentence: Sentence, scanpath: Scanpath) -> float:
        """Return the log-probability of the words and the end, each given the durations before it."""
        return self.log_prob_parts(sentence, scanpath).words

    def log_prob_parts(self, sentence: Sentence, scanpath: Scanpath) -> PathLogProb:
        """Return location, duration and boundary parts of the log-probability of a path."""
        boundaries = self.boundaries.log_prob(scanpath.positions, sentence.n_words)
        if not scanpath.positions:
            return PathLogProb(0.0, 0.0, boundaries)
        if scanpath.durations is None:
            raise ScandlError(
                f"simplified-swift needs fixation durations to judge a path; reader {scanpath.reader_id!r}, "
                f"sentence {sentence.sentence_id!r} has none"
            )
        data = exposure([(scanpath.positions, scanpath.durations, self._share(sentence))])
        parameters = self._parameters(scanpath.reader_id)
        first, later = duration_log_densities(data, parameters)
        location = float(location_log_probs(data, parameters).sum())
        return PathLogProb(location, float(first.sum() + later.sum()), boundaries)

    def _draw(self, request: Request, seed: int) -> Scanpath:
        rng, n_words = rng_of(seed, request), request.sentence.n_words
        first = choose(self.boundaries.first_probs(n_words), rng)
        parameters = self._parameters(request.reader_id)
        endless = fixations(self._share(request.sentence), parameters, rng, first=first)
        words: list[int] = []
        durations: list[float] = []
        for word, duration in islice(endless, MAX_FIXATIONS):
            words.append(word)
            durations.append(max(0.1, round(duration, 1)))
            if self.boundaries.ended(words, n_words, rng):
                break
        return Scanpath(request.reader_id, request.sentence.sentence_id, tuple(words), tuple(durations))

    def _parameters(self, reader_id: str) -> Parameters:
        return self.of_reader.get(reader_id, self.parameters)

    def _share(self, sentence: Sentence) -> list[float]:
        return log_frequency_share(
            [self.lexicon(word, sentence.language_or_english) for word in sentence.words]
        )

    def _readings(self, corpus: Corpus) -> dict[str, list[Reading]]:
        """Return the readings with durations, by reader."""
        share = {key: self._share(sentence) for key, sentence in corpus.sentences.items()}
        readings: dict[str, list[Reading]] = {}
        for p in corpus.scanpaths:
            if p.positions and p.durations:
                readings.setdefault(p.reader_id, []).append((p.positions, p.durations, share[p.sentence_id]))
        return readings
