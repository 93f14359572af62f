"""The reader who fixates every word once, in order."""

from __future__ import annotations

from scandl.models.baselines.constant import ConstantGenerator
from scandl.models.model import GENERATORS
from scandl.records import Positions, Sentence


@GENERATORS.register("left-to-right")
class LeftToRight(ConstantGenerator):
    """Fixate each word once, from left to right; learns nothing.

    It has the lowest NLD of many models and is no reader at all, which is why it stands in every table.

    >>> LeftToRight().path(Sentence("s1", "The cat sat."))
    (0, 1, 2)
    """

    def path(self, sentence: Sentence) -> Positions:
        """Return 0, 1, 2 … to the last word."""
        return tuple(range(sentence.n_words))
