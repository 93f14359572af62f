"""What a model is: each request has its own random numbers, and any object with fit and read will do."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.models.model import AnyObject, Model, Needs, Request
from scandl.records import Positions, Scanpath, Sentence


class Coin(Model):
    """Draw six words."""

    name = "coin"

    def draw(self, request: Request, rng: np.random.Generator) -> Positions:
        return tuple(rng.integers(0, request.sentence.n_words, 6).tolist())


SENTENCES = [Sentence(f"s{i}", "one two three four five") for i in range(6)]


def test_a_path_does_not_depend_on_its_company() -> None:
    requests = [Request(s, reader, sample) for s in SENTENCES for reader in ("a", "b") for sample in range(2)]
    together = Coin().read(requests, seed=1)
    backwards = Coin().read(requests[::-1], seed=1)[::-1]
    alone = [Coin().read([request], seed=1)[0] for request in requests]
    assert together == backwards == alone
    assert len({path.positions for path in together}) == len(requests)
    assert Coin().read(requests, seed=2) != together


def test_what_a_model_cannot_do_it_says() -> None:
    plain = Model()
    plain.name = "plain"
    with pytest.raises(ScandlError, match="model 'plain' has neither 'read' nor 'draw'"):
        plain.read([Request(SENTENCES[0])], seed=1)
    with pytest.raises(ScandlError, match="model 'coin' does not say how probable a path is"):
        Coin().log_probs([SENTENCES[0]], [Scanpath("r", "s0", (0,))])
    assert Coin().about == "Draw six words."
    assert str(Needs()) == ""


class Own:
    """Read the last word alone."""

    def fit(self, training, *, seed):
        self.learned = getattr(self, "learned", 0) + 1

    def read(self, requests, *, seed):
        return [[request.sentence.n_words - 1] for request in requests]


def test_an_object_of_ones_own_is_a_model() -> None:
    model = AnyObject(Own())
    assert (model.name, model.about) == ("Own", "Read the last word alone.")
    assert (model.needs, model.likelihood) == (Needs(training=True), "")
    (path,) = model.fit(open_corpus("demo"), seed=1).read([Request(SENTENCES[0], "a")], seed=1)
    assert path == Scanpath("a", "s0", (4,))
    again = copy(model)
    again.fit(open_corpus("demo"), seed=1)
    assert (model.own.learned, again.own.learned) == (1, 2)  # type: ignore[attr-defined]


def test_an_object_may_declare_its_needs_and_its_likelihood() -> None:
    class Ready(Own):
        name = "ready"
        needs = Needs()
        likelihood = "bound"

        def log_prob(self, sentence, scanpath):
            return -float(scanpath.n_fixations)

    model = AnyObject(Ready())
    assert (model.name, model.needs, model.likelihood) == ("ready", Needs(), "bound")
    assert model.log_probs(SENTENCES[:1], [Scanpath("r", "s0", (0, 1))]) == [-2.0]


def test_too_few_paths_of_an_object_are_refused() -> None:
    class Lazy(Own):
        def read(self, requests, *, seed):
            return []

    with pytest.raises(ScandlError, match="model 'Lazy' returned 0 scanpaths for 1 requests"):
        AnyObject(Lazy()).read([Request(SENTENCES[0])], seed=1)
