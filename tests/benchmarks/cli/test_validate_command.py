from __future__ import annotations

import pytest

from scandl_eval.cli import main


@pytest.fixture
def checked(tmp_path, capsys):
    """Validate a file with this content; return the exit code and the printed lines without the path."""

    def run(content, *arguments):
        path = tmp_path / "preds.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        code = main(["validate", "--pred", str(path), *map(str, arguments)])
        printed = capsys.readouterr()
        assert printed.err == ""
        return code, [line.removeprefix(str(path)).lstrip(": ") for line in printed.out.splitlines()]

    return run


def test_a_good_file(checked):
    code, lines = checked("reader_id,sentence_id,text,predicted,human\nr,s,one two,0 1,0\n")
    assert code == 0
    assert lines == [
        "1 predictions, 1 models, 1 settings, 1 folds, 1 readers, 1 sentences, 1 samples",
        "no problem in 1 prediction",
    ]


def test_everything_wrong_is_listed(checked):
    code, lines = checked(
        "reader_id,sentence_id,text,predicted,human\n"
        "r,s,one two,0 x,0\n"  # not a number
        "r,s,one two,0 -1,0\n"  # negative
        "r,s,one two,0 2,0\n"  # out of the sentence
        "r,t,one two,0 1,0\n"  # good
        "r,t,one two,0 1,0\n"  # twice
        "r,u,one two,,[]\n"  # empty, no fault
        "r,v,one two,,0\n"  # empty beside a human path
    )
    assert code == 1
    assert [line.split(": found")[0] for line in lines[:4]] == [
        "2: column 'predicted'",
        "3: column 'predicted'",
        "4: column 'predicted'",
        "6: column 'sentence_id'",
    ]
    assert "1 of 3: empty predictions; each counts as NLD 1" in lines
    assert "1 of 3: empty predictions for an empty human scanpath; each counts as NLD 0" in lines
    assert "1 of 3: empty human scanpaths" in lines
    assert lines[-1] == "4 problems; 3 predictions can be read"


def test_a_log_probability_is_neither_positive_nor_absurd(checked):
    code, lines = checked(
        "sentence_id,predicted,human,log_prob\n1,0,0,3\n2,0,0,-inf\n3,0,0,1e308\n4,0,0,-1e308\n5,0,0,0\n"
    )
    assert code == 1
    assert [line.split(", expected a natural log-")[0] for line in lines[:3]] == [
        "2: column 'log_prob': found '3'",
        "4: column 'log_prob': found '1e308'",
        "5: column 'log_prob': found '-1e308'",
    ]
    assert "1 of 2: human scanpaths have the probability 0: bits per fixation are minus infinity" in lines
    assert lines[-1] == "3 problems; 2 predictions can be read"


def test_what_a_spreadsheet_adds_is_remarked(checked):
    code, lines = checked(b"\xef\xbb\xbfsentence_id,predicted,human\r\ns,0,0\r\ns,0,0\r\n")
    assert code == 0
    assert lines[:2] == [
        "a byte-order mark found, and read as if absent",
        "Windows line ends found, and read as if absent",
    ]
    assert "2 of 2: predictions name no reader" in lines
    assert "1 of 2: rows repeat another row exactly" in lines
    assert any(line.startswith("2 of 2: predictions have no text") for line in lines)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "1: found an empty file, expected a header line with column names"),
        ("sentence_id;predicted\ns;0\n", "1: found the delimiter ';', expected ','"),
        ("sentence_id,predicted,human\n", "found no predictions, expected at least one row"),
        (
            "sentence_id,predicted\ns,0\n",
            "column 'human': found no human scanpath, expected a column 'human', or --corpus",
        ),
    ],
)
def test_a_file_that_cannot_be_scored(checked, content, problem):
    code, lines = checked(content)
    assert code == 1
    assert lines[0] == problem
    assert lines[-1].startswith("1 problem; ")


def test_a_missing_file(tmp_path, capsys):
    assert main(["validate", "--pred", str(tmp_path / "none.csv")]) == 2
    said = capsys.readouterr()
    assert said.err.endswith("none.csv: found no file, expected a CSV or Parquet file\n")
    assert said.out == ""


def test_quiet_leaves_the_verdict(checked):
    assert checked("sentence_id,predicted,human\ns,0,0\n", "--quiet") == (0, ["no problem in 1 prediction"])


def test_against_a_corpus(checked, shared):
    code, lines = checked(
        "reader_id,sentence_id,predicted\n1,9,0 1\n1,nowhere,0\n1,9999,0\nnobody,9,0\n,10,0\n,11,0 99\n",
        "--corpus",
        shared("mertzen"),
    )
    assert code == 1
    assert [line.split(", expected")[0] for line in lines[:3]] == [
        "3: column 'sentence_id': found 'nowhere'",
        "4: column 'sentence_id': found '9999'",
        "7: column 'predicted': found '0 99'",
    ]
    lost = "warning: 1 of 3 predictions have no human scanpath, left out: sentence '9' of reader 'nobody'"
    assert lost in lines
