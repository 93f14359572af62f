"""Tables of results read back: numbers are numbers, and faults have their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl_analysis.chapters.result_tables import check_texts, read_notes, read_numbers, records, row_colours


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_numbers_are_numbers_and_names_stay_text(tmp_path: Path) -> None:
    table = read_numbers(write(tmp_path / "t.csv", "model,fold,mean\nm,01,0.5\nn,02,\n"))
    assert records(table) == [
        {"model": "m", "fold": "01", "mean": 0.5},
        {"model": "n", "fold": "02", "mean": None},
    ]


def test_an_absent_table_is_empty_unless_it_is_needed(tmp_path: Path) -> None:
    assert read_numbers(tmp_path / "none.csv").empty
    with pytest.raises(DataError, match="found no file"):
        read_numbers(tmp_path / "none.csv", ("mean",))
    with pytest.raises(DataError, match="column 'sd': found only the columns mean"):
        read_numbers(write(tmp_path / "t.csv", "mean\n1\n"), ("mean", "sd"))


def test_faults_have_their_place(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "measure,mean\nsr,x\n")
    with pytest.raises(DataError, match="column 'mean': .* expected numbers"):
        read_numbers(path)
    table = read_numbers(write(path, "measure,mean\nsr,1\nspr,2\n"))
    with pytest.raises(DataError, match=r"t.csv:3: column 'measure': found 'spr', expected one of sr, fpr"):
        check_texts(path, table, "measure", ("sr", "fpr"))
    with pytest.raises(DataError, match="found no JSON object, expected the notes of an analysis"):
        read_notes(write(tmp_path / "t.csv.json", "[1]"))
    assert read_notes(tmp_path / "none.json") == ()


def test_a_published_row_has_the_colour_of_its_source() -> None:
    colours = row_colours([("swift",), ("swift, published (CELER)",), ("other",)])
    assert colours["swift"] == colours["swift, published (CELER)"] != colours["other"]
