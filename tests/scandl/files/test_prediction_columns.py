"""Columns under other names: taken where they are sure, named where they are not, never lost."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from scandl.errors import DataError, ScandlError
from scandl.files.prediction_columns import FileWithColumns, parse_meanings
from scandl.files.prediction_files import read_predictions


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("header", ["Model", " model ", "MODEL", "model_name"])
def test_case_and_spaces_do_not_merge_two_models(tmp_path: Path, header: str) -> None:
    path = write(tmp_path, f"{header},SETTING,Fold,sentence_id,predicted,human\na,ns,1,s,0,0\nb,nr,2,s,1,0\n")
    found = [(p.model, p.setting, p.fold) for p in read_predictions(path, index_base=0)]
    assert found == [("a", "ns", "1"), ("b", "nr", "2")]


def test_the_long_form_too(tmp_path: Path) -> None:
    path = write(tmp_path, "Model,sentence_id,fixation_index,word_index\na,s,0,0\nb,s,0,1\n")
    assert [(p.model, p.predicted) for p in read_predictions(path)] == [("a", (0,)), ("b", (1,))]


def test_a_column_that_only_looks_like_one_of_ours_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "modle,sentence_id,predicted,human\na,s,0,0\n")
    with pytest.warns(
        UserWarning,
        match=r"mine.csv: column 'modle' is not used; if it is 'model', call it so or give --column model=modle",
    ):
        (found,) = read_predictions(path)
    assert (found.model, found.extra) == ("mine", {"modle": "a"})


def test_common_names_are_known_and_the_users_word_comes_first(tmp_path: Path) -> None:
    path = write(tmp_path, 'participant,Sentence ID,generated,raw,observed\nr,s,"[0, 1]",2 3,1\n')
    (found,) = read_predictions(path)
    assert (found.reader_id, found.sentence_id, found.predicted, found.human) == ("r", "s", (0, 1), (1,))
    (found,) = read_predictions(FileWithColumns(path, {"predicted": "raw"}))
    assert found.predicted == (2, 3)


def test_a_table_of_another_program_is_read_at_the_first_try(tmp_path: Path) -> None:
    """What is called sentence is the text where another column names the sentence."""
    path = write(tmp_path, "subject,sent_id,pred,gold,sentence\nr,s,0 1,1 0,one two\n")
    (found,) = read_predictions(path)
    assert (found.reader_id, found.sentence_id, found.text) == ("r", "s", "one two")
    assert (found.predicted, found.human) == ((0, 1), (1, 0))


def test_of_two_files_one_may_have_our_names(tmp_path: Path) -> None:
    path = write(tmp_path, "sentence_id,predicted\ns,0 1\n")
    assert read_predictions(FileWithColumns(path, {"predicted": "path"}))[0].predicted == (0, 1)


FAULTS = {
    "two candidates": (
        "Model,MODEL,sentence_id,predicted\na,b,s,0\n",
        {},
        "mine.csv:1: column 'model': found two candidates, Model and MODEL, expected one (call it 'model', or --column model=Model)",
    ),
    "no paths": (
        "sentence_id,path,other,n\ns,0 1,x,3\n",
        {},
        "mine.csv:1: column 'predicted': found only the columns sentence_id, path, other, n, expected a column 'predicted' (one row per scanpath) or 'word_index' (one row per fixation); if it is one of path: --column predicted=path",
    ),
    "no sentence": (
        "nr,predicted\ns,0 1\n",
        {},
        "mine.csv:1: column 'sentence_id': found only the columns nr, predicted, expected a column of this name; if it is one of nr: --column sentence_id=nr",
    ),
    "a wrong word": (
        "sentence_id,path\ns,0 1\n",
        {"predicted": "pfad"},
        "mine.csv:1: column 'pfad': found only the columns sentence_id, path, expected the column named for predicted",
    ),
    "a position that hashes like 0": (
        "sentence_id,predicted,human\ns,2305843009213693951,0\n",
        {},
        "mine.csv:2: column 'predicted': found '2305843009213693951', expected word positions such as '0 1 1 3'",
    ),
    "a position that no text has": (
        "sentence_id,predicted,human\ns,1000000,0\n",
        {},
        "mine.csv:2: column 'predicted': found '1000000', expected positions below 1,000,000",
    ),
    "a control character in a text": (
        "sentence_id,predicted,text\ns,0,The \x01cat\n",
        {},
        "mine.csv:2: column 'text': found 'The \\x01cat', expected text without control characters",
    ),
    "a control character in a reader": (
        "reader_id,sentence_id,predicted\nr\x1b,s,0\n",
        {},
        "mine.csv:2: column 'reader_id': found 'r\\x1b', expected an identifier without line breaks and other control characters",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_the_candidates(tmp_path: Path, fault: str) -> None:
    text, chosen, message = FAULTS[fault]
    with pytest.raises(DataError) as caught:
        read_predictions(FileWithColumns(write(tmp_path, text), chosen))
    assert message in str(caught.value)


def test_pairs_of_the_command_line() -> None:
    with pytest.raises(ScandlError, match="--column 'predicted': expected MEANING=NAME"):
        parse_meanings(["predicted"])
    with pytest.raises(ScandlError, match="--column 'pred=x': no meaning 'pred'; did you mean 'predicted'"):
        parse_meanings(["pred=x"])


def test_the_word_goes_along_to_another_process() -> None:
    file = pickle.loads(pickle.dumps(FileWithColumns("mine.csv", {"model": "m"})))
    assert (file, file.columns) == ("mine.csv", {"model": "m"})
