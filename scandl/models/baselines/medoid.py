"""The training reader who is nearest to all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from scandl.corpora import Corpus
from scandl.models.baselines.constant import ConstantGenerator
from scandl.models.baselines.skip_short import SkipShort
from scandl.models.model import GENERATORS
from scandl.records import Positions, Scanpath, Sentence


@GENERATORS.register("medoid")
class Medoid(ConstantGenerator):
    """Repeat the training path nearest to all others of the sentence; unseen sentences as skip-short."""

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

    words = [path.words for path in paths]
    return words[int(pairwise(words, words, "nld").sum(axis=1).argmin())]
