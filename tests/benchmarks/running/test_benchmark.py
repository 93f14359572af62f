from __future__ import annotations

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.records import Scanpath
from scandl_eval.running.benchmark import benchmark
from scandl_eval.running.run_benchmark import run_benchmark
from scandl_eval.running.tasks import RunConfig


class Parrot:
    """Answers with the path it was given; each fold has a copy of its own."""

    def __init__(self) -> None:
        self.fitted = 0

    def fit(self, training, *, seed):
        assert self.fitted == 0, "a fold got the copy of another"
        self.fitted += 1
        return self

    def read(self, requests, *, seed):
        return [Scanpath(r.reader_id, r.sentence.sentence_id, (0, 1)) for r in requests]


class Refuser(Parrot):
    name = "refuser"

    def fit(self, training, *, seed):
        raise ScandlError("I read\nnothing")


def test_the_numbers_are_those_of_a_run(config: RunConfig, tmp_path):
    whole = run_benchmark(config, tmp_path / "run")
    corpus = open_corpus(config.corpus)
    for setting in config.settings:
        fewer = [row for row in whole.rows if row.setting == setting and row.metric == "nld"]
        assert fewer
    board = benchmark(corpus, config.models, settings=["nr"], folds=[0, 1, 2], seed=config.seed)
    assert {row.setting for row in board.rows} == {"nr"}
    assert {row.model for row in board.rows if row.kind == "model"} == set(config.models)


def test_objects_are_named_copied_and_may_refuse():
    demo = open_corpus("demo")
    board = benchmark(demo, [Parrot(), Refuser()], settings=["nrns"], folds=[0, 1])
    assert {row.model for row in board.rows if row.kind == "model"} == {"Parrot"}
    assert "New Reader/New Sentence: refuser is left out: I read\\nnothing." in board.warnings
    with pytest.raises(ScandlError, match="I read"):
        benchmark(demo, [Refuser()], settings=["nrns"], folds=[0])


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([3], "models: found int, expected a name or an object with fit and read"),
        ([Parrot(), Parrot()], "models: found 'Parrot' twice, expected different names"),
        ([], "a benchmark needs at least one model"),
    ],
)
def test_what_is_no_model_is_refused(models, message):
    with pytest.raises(ScandlError, match=message):
        benchmark("demo", models, settings=["nrns"])
