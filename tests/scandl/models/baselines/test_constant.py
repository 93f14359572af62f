from __future__ import annotations

import pytest

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.models.catalogue import BASELINES, model_names, open_model
from scandl.models.model import Request
from scandl.records import Sentence

KNOWN = Sentence("s1", "The old man is waiting here.")


def path(name: str, sentence: Sentence, training: Corpus | None = None) -> tuple[int, ...]:
    generator = open_model(name)
    if training is not None:
        generator = generator.fit(training, seed=1)
    return generator.read([Request(sentence)], seed=1)[0].positions


def test_unknown_name_says_what_was_meant():
    with pytest.raises(ScandlError, match="no model 'markov-txet'; did you mean 'markov-text'"):
        open_model("markov-txet")


def test_every_baseline_has_one_name_and_one_line_about_it():
    names = list(BASELINES)
    assert "uniform" in names
    assert {"left-to-right", "train-label-dist", "markov", "medoid"} <= set(names) < set(model_names())
    for name in names:
        assert open_model(name).about
