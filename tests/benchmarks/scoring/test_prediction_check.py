from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import DataError
from scandl.files.prediction_files import read_predictions
from scandl_eval.scoring.prediction_check import validate

HEADER = "reader_id,sentence_id,predicted,human,text\n"


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str, name: str = "p.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


def test_every_fault_is_told_and_the_sound_rows_counted(file):
    path = file(HEADER + "r1,s1,0 1,0 1,two words\nr1,s2,0 x,0,two words\nr2,s1,0 9,0,two words\n")
    found = validate(path)
    assert (found.n_predictions, found.n_problems) == (1, 2)
    assert found.problems == [
        f"{path}:3: column 'predicted': found '0 x', expected word positions such as '0 1 1 3'",
        f"{path}:4: column 'predicted': found '0 9', expected positions 0..1, the sentence has 2 words",
    ]


def test_one_fault_of_many_rows_is_one_line(file):
    rows = "".join(f"r{n},s{n},1 {n + 1},0,{'word ' * (n + 1)}\n" for n in range(625))
    found = validate(path := file(HEADER + rows))
    assert (found.n_predictions, found.n_problems) == (0, 625)
    assert [line.removeprefix(str(path)).split(", expected")[0] for line in found.problems] == [
        ":2: column 'predicted': found '1 1'",
        ":3: column 'predicted': found '1 2'",
        ":4: column 'predicted': found '1 3'",
        ": column 'predicted': 622 more such rows: 5, 6, 7, 8, 9, …",
    ]
    assert found.problems[2].endswith("the sentence has 3 words; does this file count from 1? --index-base 1")
    with pytest.warns(UserWarning, match="human paths contain 0, so that only predictions count from 1"):
        assert [p.predicted for p in read_predictions(path, index_base=1)][:3] == [(0, 0), (0, 1), (0, 2)]
    assert validate(path, index_base=1).problems == []


def test_rows_without_a_human_path_are_no_readers_who_fixated_nothing(file):
    found = validate(file(HEADER + "r1,s1,0 1,0 1,two words\nr2,s1,0 1,,two words\n"))
    assert found.problems == []
    assert found.warnings == [
        "1 of 2 predictions have no human scanpath, left out: sentence 's1' of reader 'r2'"
    ]


def test_a_file_that_cannot_be_read_is_one_fault_and_one_that_is_not_there_an_error(file, tmp_path):
    assert validate(file("")).problems == [
        f"{tmp_path / 'p.csv'}:1: found an empty file, expected a header line with column names"
    ]
    assert validate(file(HEADER)).problems == [
        f"{tmp_path / 'p.csv'}: found no predictions, expected at least one row"
    ]
    with pytest.raises(DataError, match="found no file, expected a CSV or Parquet file"):
        validate(tmp_path / "other.csv")


def test_humans_come_from_somewhere(file):
    path = file("reader_id,sentence_id,predicted\nr01,s01,0 1\nnobody,s01,0 1\n")
    assert validate(path).problems == [
        f"{path}: column 'human': found no human scanpath, expected a column 'human', or --corpus"
    ]
    found = validate(path, open_corpus("demo"))
    assert found.problems == []
    assert found.warnings == [
        "1 of 2 predictions have no human scanpath, left out: sentence 's01' of reader 'nobody'"
    ]


def test_what_is_no_fault_is_remarked(file):
    rows = "s1,,0 1\ns1,,0 1\ns1,0 1,[]\n"
    found = validate(file("\ufeffsentence_id,predicted,human\r\n" + rows.replace("\n", "\r\n")))
    assert found.problems == []
    assert found.remarks == [
        "a byte-order mark found, and read as if absent",
        "Windows line ends found, and read as if absent",
        "3 predictions, 1 models, 1 settings, 1 folds, 0 readers, 1 sentences, 1 samples",
        "2 of 3: empty predictions; each counts as NLD 1",
        "1 of 3: empty human scanpaths",
        "3 of 3: predictions name no reader",
        "3 of 3: predictions have no text: positions are not checked, and left-to-right cannot be shown",
        "1 of 3: rows repeat another row exactly",
    ]


def test_human_paths_of_other_data_are_counted(file):
    demo = open_corpus("demo")
    own = demo.scanpaths[0]
    human = " ".join(map(str, reversed(own.positions)))
    path = file(f"reader_id,sentence_id,predicted,human\n{own.reader_id},{own.sentence_id},0,{human}\n")
    (warning,) = validate(path, demo).warnings
    assert warning.startswith("1 of 1 human scanpaths are not those of corpus 'demo'")
