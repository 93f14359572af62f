"""The training path that is nearest to all others."""

from __future__ import annotations

from scandl.corpora import Card, Corpus
from scandl.models.catalogue import open_model
from scandl.models.model import Request
from scandl.records import Scanpath, Sentence

KNOWN = Sentence("s1", "The old man is waiting here.")


def path(name: str, sentence: Sentence, training: Corpus | None = None) -> tuple[int, ...]:
    generator = open_model(name)
    if training is not None:
        generator = generator.fit(training, seed=1)
    return generator.read([Request(sentence)], seed=1)[0].positions


def test_medoid_is_the_most_central_training_path():
    humans = [(0, 1, 2, 3), (0, 1, 2, 4), (5, 5), (0, 1, 2, 3, 4)]
    training = Corpus(
        Card(name="tiny"), {"s1": KNOWN}, tuple(Scanpath(f"r{n}", "s1", p) for n, p in enumerate(humans))
    )
    # Sums of NLD: 1/4 + 1 + 1/5;  1/4 + 1 + 1/5;  3 times 1;  1/5 + 1/5 + 1: the last is nearest.
    assert path("medoid", KNOWN, training) == (0, 1, 2, 3, 4)
    unseen = Sentence("s9", "It is an umbrella")
    assert path("medoid", unseen, training) == path("skip-short", unseen)
