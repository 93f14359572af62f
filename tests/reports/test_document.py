from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.files.results import provenance
from scandl_reports.document import (
    Column,
    Report,
    Section,
    Table,
    Term,
    Text,
    numbered,
    provenance_rows,
    shown,
)


def test_tables_and_figures_are_counted_apart_through_all_sections(report):
    def names(of):
        return [[name for name, _ in (*blocks, *more)] for _, blocks, more in numbered(of)]

    assert names(report) == [["", "Table 1", "Figure 1", ""], ["", "", ""], ["Table 2"]]
    _, table, figure, _ = report.sections[0].blocks
    first = replace(report.sections[0], more=(table,))
    pictured = replace(report, picture=figure, sections=(first, *report.sections[1:]))
    assert names(pictured) == [["", "Table 1", "Figure 2", "", "Table 2"], ["", "", ""], ["Table 3"]]


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e6, max_value=1e6))
def test_a_shown_number_is_the_number_to_three_digits(value):
    text = shown(value)
    assert float(text.replace("−", "-")) == pytest.approx(
        value, abs=0.0005 + 1e-12
    )  # a tie may go either way
    assert "-" not in text
    assert text != "−0.000"


@pytest.mark.parametrize("nothing", [None, math.nan, math.inf])
def test_what_cannot_be_given_is_a_dash(nothing):
    assert shown(nothing) == "–"


def test_counts_and_words_are_shown_as_they_are():
    assert [shown(cell) for cell in (0, -3, "−", "left-to-right")] == ["0", "−3", "−", "left-to-right"]


def test_a_term_without_definition_is_refused():
    table = Table("t", (Column("x", "NLD"),), ((1,),))
    with pytest.raises(ValueError, match="terms without a definition: NLD"):
        Report("r", "", (), (Section("s", (table,)),))


def test_added_chapters_stand_before_the_appendix(report):
    more = report.with_sections(
        [Section("Effects", (Text("x"),))], [Term("NLD", "again"), Term("effect", "slope")]
    )
    assert [section.title for section in more.sections] == [
        "New Sentence",
        "Scanpaths",
        "Effects",
        "All numbers",
    ]
    assert [(t.name, t.definition) for t in more.terms] == [
        ("NLD", "Edit distance over the longer length."),
        ("effect", "slope"),
    ]


def test_a_column_is_numeric_when_no_cell_is_words(report):
    assert report.sections[0].blocks[1].numeric == (False, True, True, False, True)


def test_every_known_field_has_its_row(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x")
    made = provenance(seed=3, inputs=[tmp_path / "a.csv"]).as_dict()
    rows = dict(provenance_rows(made))
    assert rows["seed"] == "3"
    assert rows[f"input {tmp_path / 'a.csv'}"].startswith("sha256 ")
    known = {name.replace("_", " ") for name, value in made.items() if value is not None and name != "inputs"}
    assert known <= set(rows)


def test_what_is_not_known_is_left_out() -> None:
    assert provenance_rows({"git_revision": None, "inputs": {}}) == ()
