"""Uniform baselines: the readings of "uniform" that the literature leaves open, each by name."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scandl.errors import ScandlError
from scandl.models.baselines.step_walks import N_CLASSES, Rows, StepProbabilities, StepWalk
from scandl.models.model import Model, Needs, Request
from scandl.records import Positions, Scanpath, Sentence

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
