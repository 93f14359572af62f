"""Outputs of other programs, by kind; pickles that could run code are refused."""

from __future__ import annotations

import pickle
from collections import OrderedDict

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DataError, ScandlError
from scandl.models.cognitive.baseline_import import import_baseline
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


def read(tmp_path, kind, text, **options):
    path = tmp_path / "out.txt"
    path.write_text(text)
    return import_baseline(kind, path, CORPUS, **options)


HEADER = "sn_id\treader_id\tinstance_idx\tfixation_index\tfixation_duration\tword_id\tword\n"


def test_a_table_of_scandl_2_baselines(tmp_path):
    rows = "x1\tr1\t0\t1\tinf\t2\twalked\nx1\tr1\t0\t0\t200\t1\tSally\nx1\tr1\t1\t0\t190\t3\thome.\n"
    imported = read(tmp_path, "baseline-table", HEADER + rows, infinite_ms=2000.0)
    assert [(p.reader_id, p.predicted, p.sample, p.durations) for p in imported.predictions] == [
        ("r1", (0, 1), 0, (200, 2000)),
        ("r1", (2,), 1, (190,)),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x1\tr\t0\t0\t200\t0\tSally\n", r":2: column 'word_id': found 0, expected a position 1\.\.3"),
        (
            "x7\tr\t0\t0\t200\t1\tSally\n",
            ":2: column 'sn_id': found 'x7', expected a sentence of corpus 'two'",
        ),
        ("x1\tr\t0\t0\t200\t1\ta\nx1\tr\t0\t0\t200\t1\ta\n", "found a number twice in instance 0,"),
    ],
)
def test_broken_tables_name_the_place(tmp_path, row, message):
    with pytest.raises(DataError, match=message):
        read(tmp_path, "baseline-table", HEADER + row)


def test_an_unknown_kind_says_what_there_is(tmp_path):
    with pytest.raises(ScandlError, match="no importer 'swift-sequences'; did you mean 'swift-sequence'?"):
        read(tmp_path, "swift-sequences", "")


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises((DataError, OSError)):
        import_baseline("ezreader-trace", tmp_path / "none.txt", CORPUS)
