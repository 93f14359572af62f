"""What a model may say instead of predictions."""

from __future__ import annotations

import pytest

from scandl.corpora import read_corpus
from scandl.errors import ScandlError, StoppedError
from scandl.models.model import Model
from scandl.splits import make_folds
from scandl_eval.running import tasks
from scandl_eval.running.tasks import Corpora, Refused, Task, generate


def told(error: ScandlError) -> object:
    class Learner(Model):
        def fit(self, training, *, seed):
            raise error

    return Learner()


def test_a_corpus_that_does_not_suit_is_a_reason_and_a_stop_is_not(corpus_folder, monkeypatch):
    corpus = read_corpus(corpus_folder)
    task = Task("markov", "markov", make_folds(corpus, "ns", n_folds=3)[0], 1, 1)
    monkeypatch.setattr(tasks, "open_model", lambda *_: told(ScandlError("no durations")))
    assert generate(Corpora(corpus, None), task) == Refused("no durations")
    # Whoever tells a training to stop means the whole run, not that the next fold be begun.
    monkeypatch.setattr(tasks, "open_model", lambda *_: told(StoppedError("told to stop at step 3")))
    with pytest.raises(StoppedError, match="told to stop at step 3"):
        generate(Corpora(corpus, None), task)
