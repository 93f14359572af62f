"""Generators that give a sentence the same path whoever reads it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scandl.models.model import Request, SentenceGenerator
from scandl.records import Positions, Scanpath, Sentence

if TYPE_CHECKING:
    import numpy as np


class ConstantGenerator(SentenceGenerator):
    """Base of generators without chance: implement ``path``, and ``fit`` if it learns."""

    @abstractmethod
    def path(self, sentence: Sentence) -> Positions:
        """Return the one path of this sentence."""

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        """Return the path; there is nothing to draw."""
        return self.path(request.sentence)

    def generate(self, requests: Sequence[Request], *, seed: int) -> list[Scanpath]:
        """Return the path of each request's sentence; the seed has no influence."""
        paths: dict[str, Positions] = {}
        for request in requests:
            if request.sentence.sentence_id not in paths:
                paths[request.sentence.sentence_id] = self.path(request.sentence)
        return [
            Scanpath(r.reader_id, r.sentence.sentence_id, paths[r.sentence.sentence_id]) for r in requests
        ]
