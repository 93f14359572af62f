"""Train-label-dist: saccades drawn from the histogram of the training set."""

from __future__ import annotations

from typing import Self

from scandl.corpora import Corpus
from scandl.generators import GENERATORS
from scandl.records import Sentence
from scandl_eval.models.baselines.step_walks import N_CLASSES, Row, Rows, StepWalk, transitions


@GENERATORS.register("train-label-dist")
class TrainLabelDist(StepWalk):
    """Draw each saccade, or the end, from the training set's histogram of 45 classes, whatever the text."""

    def __init__(self) -> None:
        self._row = Row([1.0] * N_CLASSES)

    def fit(self, training: Corpus, *, seed: int) -> Self:
        """Count the classes of all training scanpaths, the way in and the END included."""
        counts = [0] * N_CLASSES
        for path in training.scanpaths:
            for _, _, following in transitions(path.words):
                counts[following] += 1
        if any(counts):
            self._row = Row(counts)
        return self

    def rows(self, sentence: Sentence) -> Rows:
        """Return the one row there is."""
        return lambda at, before: self._row
