"""Tables of results read back: numbers are numbers, and faults have their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.errors import DataError
from scandl_analysis.chapters.result_tables import (
    amount,
    check_texts,
    effect_said,
    measure_words,
    predictor_words,
    read_notes,
    read_numbers,
    records,
    row_colours,
    unit_words,
)
from scandl_analysis.effects.designs import DEFAULT_TIMES
from scandl_analysis.glm.spec import FAMILIES
from scandl_analysis.words.word_table import PREDICTORS, PREVIOUS


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


def test_every_measure_and_predictor_has_a_name_in_words() -> None:
    names = [
        *map(measure_words, (*FAMILIES, *DEFAULT_TIMES)),
        *map(predictor_words, (*PREDICTORS, *PREVIOUS)),
    ]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() and "_" not in name and len(name) > 5 for name in names)


def test_a_heading_has_the_unit_it_knows() -> None:
    row = {"measure": "FPRT", "unit": "ms", "per": ""}
    assert unit_words(row) == "gaze duration, ms"
    assert unit_words(row | {"unit": "", "per": "letter"}) == "gaze duration"


@pytest.mark.parametrize(("value", "said"), [(0.04, "0.0"), (-0.04, "0.0"), (12.34, "12.3"), (-1.0, "−1.0")])
def test_nothing_has_no_sign(value: float, said: str) -> None:
    assert amount(value, "ms") == said


def test_plural_measures_have_plural_verbs() -> None:
    assert effect_said("tfc", "surprisal", 0.1) == "all fixations rise with surprisal"
    assert effect_said("FPRT", "surprisal", -0.1) == "gaze duration falls with surprisal"
