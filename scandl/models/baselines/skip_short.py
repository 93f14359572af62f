"""The reader who skips the shortest words and fixates every other one once."""

from __future__ import annotations

from scandl.models.baselines.constant import ConstantModel
from scandl.records import Positions, Sentence
from scandl.text.characters import n_characters


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
