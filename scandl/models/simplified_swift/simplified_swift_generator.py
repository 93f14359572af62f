"""Simplified SWIFT as a baseline: a cognitive model that is fitted to the training fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Self

from scandl.errors import ScandlError
from scandl.models.baselines.path_boundaries import PathBoundaries
from scandl.models.model import Model, Needs, Request, rng_of
from scandl.models.simplified_swift.simplified_swift_fit import FREE, maximum_likelihood
from scandl.models.simplified_swift.simulation import Parameters, choose, fixations
from scandl.records import Scanpath, Sentence
from scandl.text.word_frequency import Lexicon, log_frequency_share

if TYPE_CHECKING:
    from scandl.corpora import Corpus
    from scandl.models.simplified_swift.path_likelihood import Reading

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
        from scandl.models.simplified_swift.path_likelihood import (
            duration_log_densities,
            exposure,
            location_log_probs,
        )

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
