from __future__ import annotations

import re
from pathlib import Path

import pytest

from scandl.corpora.catalogue import open_corpus
from scandl.errors import ScandlError
from scandl.records import Prediction
from scandl_eval.scoring.prediction_sets import load, named_source, open_if_named
from scandl_eval.scoring.scoring_spec import Spec

HEAD = "reader_id,sentence_id,predicted,human\n"


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


def refused(text, call):
    with pytest.raises(ScandlError, match=f"^{re.escape(text)}$"):
        call()


def test_without_any_human_path_it_says_where_one_may_come_from(file):
    path = file("m.csv", "sentence_id,predicted\ns,0\n")
    refused(
        f"{path}: column 'human': found no human scanpath in 1 predictions, expected a column 'human', or a "
        "corpus (--corpus)",
        lambda: load(path, None, Spec()),
    )
    records = [Prediction("s", (0,), human=(0,))]
    refused(
        "to compare with all readers of a sentence, give a corpus (--corpus)",
        lambda: load(records, None, Spec(against="all-readers")),
    )


def test_strict_refuses_what_is_otherwise_only_said():
    demo = open_corpus("demo")
    path = demo.scanpaths[0]
    known = Prediction(path.sentence_id, (0,), reader_id=path.reader_id)
    lost = Prediction(path.sentence_id, (0,), reader_id="nobody")
    corpus, as_read, pairing = load([known, lost], demo, Spec())
    assert (corpus, as_read, len(pairing.instances)) == (demo, [known, lost], 1)
    where = f"sentence {path.sentence_id!r} of reader 'nobody'"
    text = f"the predictions: 1 of 2 predictions have no human scanpath: {where}"
    refused(text, lambda: load([known, lost], demo, Spec(), strict=True))
    refused(
        f"the predictions: 1 of 1 predictions have no human scanpath: {where}",
        lambda: load([lost], demo, Spec()),  # nothing is left to score
    )


def test_sources_and_corpora_are_named():
    assert named_source(Path("a.csv")) == named_source("a.csv") == named_source(["a.csv", "b.csv"]) == "a.csv"
    assert named_source([Prediction("s", (0,))]) == named_source([]) == "the predictions"
    assert open_if_named(None) is None
    demo = open_if_named("demo")
    assert open_if_named(demo) is demo
