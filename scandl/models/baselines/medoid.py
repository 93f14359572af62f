"""The training reader who is nearest to all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from scandl.corpora import Corpus
from scandl.models.baselines.constant import ConstantModel
from scandl.models.baselines.skip_short import SkipShort
from scandl.models.model import Needs
from scandl.records import Positions, Scanpath, Sentence


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
