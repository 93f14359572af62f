"""Train-label-dist: saccades drawn from the histogram of the training set."""

from __future__ import annotations

from typing import Self

from scandl.corpora import Corpus
from scandl.models.baselines.step_walks import N_CLASSES, Rows, StepProbabilities, StepWalk, class_counts
from scandl.models.model import Needs
from scandl.records import Sentence


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
