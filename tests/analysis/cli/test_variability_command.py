"""``scandl-analysis variability`` as a user calls it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scandl_analysis.chapters.whole_report import build_full_report
from scandl_analysis.cli import main
from scandl_reports.document import Figure


def test_without_a_run_it_is_the_demo_and_the_first_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["variability", "--out", "out", "--report", "page.txt"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "embedded demo" in lines[0]
    assert any(line.split()[:5] == ["left-to-right", "420", "1.00", "±", "0.00"] for line in lines)
    with (tmp_path / "out" / "variability.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * 5 * 6
    assert not [row for row in rows if "nan" in (row["mean"], row["ci_low"], row["sd"])]
    assert len((tmp_path / "out" / "scanpaths.csv").read_text().splitlines()) == 1 + 2 * 5 * 420
    made = json.loads((tmp_path / "out" / "variability.csv.json").read_text())
    assert made["settings"]["bootstrap"] == {"seed": "1", "resamples": "2000"}
    assert "regression_rate is 0 on all 420 scanpaths" in (tmp_path / "page.txt").read_text()
    # The assembled report of a run finds the table, and shows the numbers of the file.
    report = build_full_report(tmp_path / "out")
    assert [section.heading for section in report.sections][1] == "Variability: New Reader/New Sentence"
    (figure,) = [b for s in report.sections for b in s.everything if isinstance(b, Figure)]
    row = next(r for r in rows if r["source"] == "uniform" and r["measure"] == "skipping_rate")
    assert (
        "uniform",
        "skipping rate",
        *(float(row[q]) for q in ("q05", "q25", "median", "q75", "q95", "mean")),
    ) in figure.data.rows
    assert "comes nearest to the readers in 6 scanpath measures" in report.verdict[-1].text


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for out, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        assert main(["variability", "--out", out, "--seed", seed]) == 0
    a, b, c = ((tmp_path / out / "variability.csv").read_bytes() for out in "abc")
    assert a == b != c


def test_a_wrong_cell_is_named_with_its_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "preds.csv"
    table.write_text("reader_id,sentence_id,predicted\nr01,s01,0 1\nr01,s02,0 x\n")
    assert main(["variability", "--pred", str(table), "--corpus", "demo", "--out", str(tmp_path / "o")]) == 2
    assert f"{table}:3: column 'predicted': found '0 x'" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()
