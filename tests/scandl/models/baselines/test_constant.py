from __future__ import annotations

import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.fold_predictions import baseline_names, find_generator, generator_names
from scandl.models.model import Request
from scandl.records import Sentence

KNOWN = Sentence("s1", "The old man is waiting here.")


def path(name: str, sentence: Sentence, training: Corpus | None = None) -> tuple[int, ...]:
    generator = find_generator(name)()
    if training is not None:
        generator = generator.fit(training, seed=1)
    return generator.generate([Request(sentence)], seed=1)[0].words


def test_unknown_name_says_what_was_meant():
    with pytest.raises(ScandlError, match="no generator 'markov-txet'; did you mean 'markov-text'"):
        find_generator("markov-txet")


def test_every_baseline_has_one_name_and_one_line_about_it():
    names = baseline_names()
    assert "uniform" in names
    assert "uniform-until-end" not in names  # the same under its full name
    assert {"left-to-right", "train-label-dist", "markov", "medoid"} <= set(names) < set(generator_names())
    for name in names:
        assert (find_generator(name).__doc__ or "").strip(), name
