from __future__ import annotations

import re
from pathlib import Path

from scandl_reports.document import Column, Figure, Report, Section, Table
from scandl_reports.plain import DATA_ROWS, WIDTH, to_plain

GOLDEN = Path(__file__).parent / "golden" / "report.txt"


def test_is_the_golden_file(report):
    assert to_plain(report) == GOLDEN.read_text(encoding="utf-8")


def test_long_data_of_a_figure_is_cut_and_counted():
    rows = tuple((f"r{k}", k) for k in range(DATA_ROWS + 5))
    data = Table("d", (Column("name"), Column("x")), rows)
    text = to_plain(Report("r", "", (), (Section("s", (Figure("f", "", "alt", data), data)),)))
    drawn, table = text.split("Table 1")
    assert "… and 5 more rows" in drawn
    assert f"r{DATA_ROWS + 4}" not in drawn
    assert f"r{DATA_ROWS + 4}" in table


def test_prose_is_wrapped_but_no_word_is_cut(hostile):
    text = to_plain(hostile)
    assert "w" * 400 in text
    prose = [line for line in text.splitlines() if line.startswith("Note: ")]
    assert all(len(line) <= WIDTH or re.search(r"\S{90}", line) for line in prose)
