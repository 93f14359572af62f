"""Durations for models that only say where readers look: log-normal, by word and kind of fixation.

A cheap rival in time: whoever has durations should come nearer to readers than any path with these.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from scandl.errors import ScandlError
from scandl.files.cell_values import LONGEST_MS
from scandl.models.model import Model, Needs, Request
from scandl.records import Positions, Scanpath, Sentence
from scandl.seeds import stream
from scandl.text.word_facts import Lexicon, bare_word, n_characters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from scandl.corpora import Corpus
    from scandl.splits import Fold

NAME = "times-by-word"
PREDICTORS = ("intercept", "length", "log_frequency", "refixation", "regression")
LEAST_MS = 1.0
FEWEST = 50  # fixations to learn five coefficients from


def fixation_features(words: Positions, sentence: Sentence, lexicon: Lexicon) -> list[tuple[float, ...]]:
    """Return for each fixation 1, the word's length and log frequency, and how it was reached.

    A refixation follows a fixation on the same word; a regression one on a word to the right.

    >>> fixation_features((1, 1, 0), Sentence("s1", "The cat."), Lexicon({"the": 1.0, "cat": 1.0}))
    [(1.0, 3.0, 0.0, 0.0, 0.0), (1.0, 3.0, 0.0, 1.0, 0.0), (1.0, 3.0, 0.0, 0.0, 1.0)]
    """
    text = sentence.words
    before = [-1, *words][: len(words)]
    return [
        (
            1.0,
            float(n_characters(bare_word(text[word]))),
            math.log(lexicon(text[word], sentence.language_or_english)),
            float(word == last),
            float(word < last),
        )
        for word, last in zip(words, before, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class DurationModel:
    """ln ms = features · coefficients + deviation of the reader + noise."""

    coefficients: tuple[float, ...]  # in the order of PREDICTORS
    sd: float
    reader_sd: float
    deviations: Mapping[str, float]  # of the readers learned from, shrunken to 0
    lexicon: Lexicon

    def deviation(self, reader_id: str, seed: int) -> float:
        """Return the deviation of a reader; one who is not known has the same one in all sentences."""
        if reader_id in self.deviations:
            return self.deviations[reader_id]
        return self.reader_sd * float(stream(seed, NAME, "reader", reader_id).standard_normal())

    def draw(self, path: Scanpath, request: Request, seed: int) -> tuple[float, ...]:
        """Return durations of the fixations of a path, in ms to a tenth."""
        sentence = request.sentence
        rng = stream(seed, NAME, sentence.sentence_id, request.reader_id, request.sample)
        deviation = self.deviation(request.reader_id, seed)
        features = fixation_features(path.positions, sentence, self.lexicon)
        noise = (self.sd * rng.standard_normal(len(features))).tolist()
        logs = [
            _dot(row, self.coefficients) + deviation + error
            for row, error in zip(features, noise, strict=True)
        ]
        return tuple(round(min(max(math.exp(log), LEAST_MS), LONGEST_MS), 1) for log in logs)


def fit_durations(training: Corpus) -> DurationModel:
    """Learn from the fixations of a corpus, the first of each path left out, by least squares."""
    import numpy as np

    lexicon = Lexicon.of(training)
    timed = [path for path in training.scanpaths if path.durations is not None and path.n_fixations > 1]
    rows, logs, readers = [], [], []
    for path in timed:
        features = fixation_features(path.positions, training.sentences[path.sentence_id], lexicon)
        rows += features[1:]
        logs += [math.log(ms) for ms in (path.durations or ())[1:]]
        readers += [path.reader_id] * (path.n_fixations - 1)
    if len(logs) < FEWEST:
        raise ScandlError(
            f"{NAME}: found {len(logs)} fixations with durations in corpus {training.name!r}, "
            f"expected {FEWEST}"
        )
    x, y = np.array(rows), np.array(logs)
    coefficients = np.linalg.lstsq(x, y, rcond=None)[0]
    deviations, reader_sd, sd = reader_deviations(y - (x * coefficients).sum(axis=1), readers)
    return DurationModel(tuple(coefficients.tolist()), sd, reader_sd, deviations, lexicon)


def reader_deviations(
    residuals: NDArray[np.float64], readers: Sequence[str]
) -> tuple[dict[str, float], float, float]:
    """Return each reader's mean residual, shrunken to 0, and the SD between and within readers.

    With n residuals of a reader the mean is shrunken by τ² / (τ² + σ² / n).
    """
    import numpy as np

    names, code = np.unique(list(readers), return_inverse=True)
    n = np.bincount(code).astype(np.float64)
    means = np.bincount(code, residuals) / n
    within = float(((residuals - means[code]) ** 2).sum() / max(len(residuals) - len(names), 1))
    between = max(float(means.var(ddof=1)) - float((within / n).mean()), 0.0) if len(names) > 1 else 0.0
    shrunken = means * between / (between + within / n) if between else 0.0 * means
    return dict(zip(names.tolist(), shrunken.tolist(), strict=True)), math.sqrt(between), math.sqrt(within)


@dataclass(frozen=True)
class TimesByWord(Model):
    """Paths of another model with durations by word length and frequency, refixation and regression."""

    base: Model
    model: DurationModel | None = field(default=None, repr=False)
    needs = Needs(training=True, durations=True)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The name of the other model, and what is added."""
        return f"{self.base.name}+{NAME}"

    def with_readers(self) -> Self:
        """Return the model with readers who differ as those of the other model do."""
        return replace(self, base=self.base.with_readers())

    def with_settings(self, changes: Sequence[str], folder: Path | None) -> Self:
        """Hand settings to the other model."""
        return replace(self, base=self.base.with_settings(changes, folder))

    def for_fold(self, fold: Fold, corpus: Corpus) -> Self:
        """Tell the other model which fold it is going to learn from."""
        return replace(self, base=copy(self.base).for_fold(fold, corpus))

    def with_stimuli(self, words: Mapping[str, Mapping[str, tuple[str, ...]]]) -> Self:
        """Hand the word columns of a corpus to the other model."""
        return replace(self, base=self.base.with_stimuli(words))

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Let the other model learn, and learn durations."""
        return replace(self, base=self.base.fit(training, seed=seed), model=fit_durations(training))

    def read(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return the paths of the other model with these durations, in place of its own."""
        if self.model is None:
            raise ScandlError(f"{self.name} needs training before it reads")
        paths = self.base.read(requests, seed=seed)
        return [
            replace(path, durations=self.model.draw(path, request, seed))
            for path, request in zip(paths, requests, strict=True)
        ]


def _dot(row: Sequence[float], coefficients: Sequence[float]) -> float:
    return math.fsum(x * b for x, b in zip(row, coefficients, strict=True))
