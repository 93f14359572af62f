from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from scandl_reports.csv_text import csv_text
from scandl_reports.document import Column, Table

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_numbers_come_at_full_precision_and_intervals_in_two_columns(report):
    assert read(csv_text(report.sections[0].blocks[1])) == [
        ["model", "NLD", "95 % low", "95 % high", "rank", "n"],
        ["markov", "0.71234", "0.7", "0.72345", "2 (1–3) =", "1200"],
        ["uniform", "0.9", "0.88", "0.91", "10", "7"],
        ["Human", "-0.0004", "", "", "", "30"],
    ]


@given(st.lists(texts, min_size=1, max_size=5))
def test_no_cell_is_a_formula_and_none_is_lost(cells):
    table = Table("t", (Column("x"), Column("n")), tuple((cell, k) for k, cell in enumerate(cells)))
    rows = read(csv_text(table))[1:]
    assert len(rows) == len(cells)
    for (found, _), cell in zip(rows, cells, strict=True):
        plain = found.removeprefix("'") if found != cell else found
        assert plain.replace("\r\n", "\n") == cell.replace("\r\n", "\n")
        if found[:1] in ("=", "+", "-", "@", "\t", "\r"):
            float(found)  # a signed number is the only thing that may begin so
