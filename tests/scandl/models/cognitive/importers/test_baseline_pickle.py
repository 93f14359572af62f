"""Pickles of the released baselines: read without running anything in them."""

from __future__ import annotations

import pickle
from collections import OrderedDict

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError
from scandl.models.cognitive.importers import import_baseline
from scandl.records import Sentence

SENTENCES = {
    "x1": Sentence("x1", "Sally walked home."),  # centres 3.5, 10, 16; ends at 19
    "x2": Sentence("x2", "We met an old man."),
}

CORPUS = Corpus(Card(name="two"), SENTENCES, ())


def write_pickle(tmp_path, table, protocol=4):
    path = tmp_path / "ez.pickle"
    path.write_bytes(pickle.dumps(table, protocol))
    return path


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_a_pickle_of_the_released_baselines(tmp_path, protocol):
    table = {
        "predicted_sp_ids": [[0, 1, 3, 50], np.array([0, 2, 2, 5, 50])],
        "predicted_sp_words": [["[CLS]", "Sally"], ["…"]],
        "original_sn": ["Sally walked home.", "We met an old man."],
        "reader_ids": ["r1", np.int64(7)],
        "sn_ids": ["x1", "x2"],
    }
    imported = import_baseline("baseline-pickle", write_pickle(tmp_path, table, protocol), CORPUS)
    first, second = imported.predictions
    assert (first.predicted, first.reader_id) == ((0, 2), "r1")
    assert (second.predicted, second.reader_id) == ((1, 1, 4), "7")
    assert imported.notes == []


def test_repairs_of_a_pickle_are_told(tmp_path):
    table = {"predicted_sp_ids": [[1, 9, 2]], "reader_ids": ["r"], "sn_ids": ["x1"]}
    imported = import_baseline("baseline-pickle", write_pickle(tmp_path, table), CORPUS)
    assert imported.predictions[0].predicted == (0, 1)
    assert imported.notes == ["repaired on import: no CLS 1×, no SEP 1×, not a word 1×"]


class Harmful:
    def __reduce__(self):
        return (print, ("this must never be printed",))


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (Harmful(), r"found the object builtins\.print, expected a pickle of plain lists"),
        (OrderedDict(a=1), r"found the object collections\.OrderedDict,"),
        ([1, 2], "found a list, expected lists named predicted_sp_ids"),
        ({"predicted_sp_ids": []}, "column 'reader_ids': found no list of this name,"),
        (
            {"predicted_sp_ids": [[0]], "reader_ids": [], "sn_ids": ["x1"]},
            "found 0 entries, expected 1 as in",
        ),
        (
            {"predicted_sp_ids": [[0]], "reader_ids": ["r"], "sn_ids": ["x9"]},
            "found 'x9', expected a sentence of corpus 'two'",
        ),
        ({"predicted_sp_ids": [["a"]], "reader_ids": ["r"], "sn_ids": ["x1"]}, "expected a list of ids"),
    ],
)
def test_other_pickles_are_refused(tmp_path, capsys, table, message):
    with pytest.raises(DataError, match=message):
        import_baseline("baseline-pickle", write_pickle(tmp_path, table), CORPUS)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("content", [b"", b"not a pickle", b"\x80\x04\x95", b"(dp0\nI1\nI2\nR."])
def test_files_that_are_no_pickles_are_refused(tmp_path, content):
    path = tmp_path / "broken.pickle"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"broken\.pickle: found"):
        import_baseline("baseline-pickle", path, CORPUS)
