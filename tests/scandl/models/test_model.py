"""Generators: each request has its own random numbers."""

from __future__ import annotations

import numpy as np

from scandl.corpora import Corpus
from scandl.models.model import GENERATORS, Request, SentenceGenerator, learns
from scandl.records import Positions, Sentence


class Coin(SentenceGenerator):
    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        return tuple(rng.integers(0, request.sentence.n_words, 6).tolist())


SENTENCES = [Sentence(f"s{i}", "one two three four five") for i in range(6)]


def test_a_path_does_not_depend_on_its_company() -> None:
    requests = [Request(s, reader, sample) for s in SENTENCES for reader in ("a", "b") for sample in range(2)]
    together = Coin().generate(requests, seed=1)
    backwards = Coin().generate(requests[::-1], seed=1)[::-1]
    alone = [Coin().generate([request], seed=1)[0] for request in requests]
    assert together == backwards == alone
    assert len({path.words for path in together}) == len(requests)
    assert Coin().generate(requests, seed=2) != together


def test_a_generator_learns_unless_it_says_or_shows_that_it_does_not() -> None:
    class Plain(SentenceGenerator):
        def draw(self, request: Request, rng: np.random.Generator) -> tuple[int, ...]:
            return (0,)

    class Learner(Plain):
        def fit(self, training: Corpus, *, seed: int) -> Learner:
            return self

    class Ready(Learner):
        learns = False

    assert [learns(generator()) for generator in (Plain, Learner, Ready)] == [False, True, False]
    assert not learns(GENERATORS["ezreader"]())
