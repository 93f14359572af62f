"""What variability and correlations share: reports are refused before the work, or written where asked."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from scandl_analysis.chapters.whole_report import build_full_report
from scandl_analysis.cli import main
from scandl_reports.document import Figure, Table


@pytest.mark.parametrize("command", ["variability", "correlations"])
def test_what_cannot_be_written_is_refused_first(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scandl_analysis.words.analysed_run.open_source", lambda _: pytest.fail("opened"))
    assert main([command, "--report", "page.doc"]) == 2
    assert "page.doc: a report is written as" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert main([command, "--out", str(tmp_path / "file")]) == 2
    assert "found a file, expected a folder" in capsys.readouterr().err


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
    assert (tmp_path / "out" / "variability.html").exists()
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
    rows = [f"r{r:02},s{s:02},{' '.join(map(str, range(r + s)))}" for r in (1, 2, 3) for s in (1, 2, 3, 4)]
    Path("preds.csv").write_text("\n".join(["reader_id,sentence_id,predicted", *rows]))
    for out, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        source = ["--pred", "preds.csv", "--corpus", "demo"]
        assert main(["variability", *source, "--out", out, "--seed", seed]) == 0
    a, b, c = ((tmp_path / out / "variability.csv").read_bytes() for out in "abc")
    assert a == b != c


def test_a_wrong_cell_is_named_with_its_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "preds.csv"
    table.write_text("reader_id,sentence_id,predicted\nr01,s01,0 1\nr01,s02,0 x\n")
    assert main(["variability", "--pred", str(table), "--corpus", "demo", "--out", str(tmp_path / "o")]) == 2
    assert f"{table}:3: column 'predicted': found '0 x'" in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_tables_files_and_report_of_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["correlations", "--out", "out", "--report", "page.html"]) == 0
    text = capsys.readouterr().out
    assert "embedded demo" in text.splitlines()[0]
    assert "Columns without a row: 5 scandl, 6 eyettention, 7 swift." in text
    with (tmp_path / "out" / "correlations.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    ours = [row for row in rows if row["origin"] == "run"]
    strengths = [row for row in ours if row["kind"] == "strength"]
    assert len(strengths) == 2 * 6
    assert len(ours) == 2 * (2 * 4 * 6 + 6) + len(strengths)
    assert all(row["r"] and row["ci_low"] for row in ours)
    assert len(rows) - len(ours) == 53
    assert (tmp_path / "page.html").read_text().count("<h1>") == 1
    report = build_full_report(tmp_path / "out")
    assert report.sections[1].heading == "Correlations: New Reader/New Sentence"
    figures = [b for b in report.sections[1].everything if isinstance(b, Figure)]
    by_reader, by_sentence, published, _ = (figure.data.rows for figure in figures)
    known = {
        (row["kind"], row["model"], row["other"]): float(row["r"])
        for row in ours
        if row["convention"] == "words"
    }
    assert ("uniform", known["reader", "uniform", "first_pass_count"]) in {row[:2] for row in by_reader}
    assert by_sentence[0][1:3] == (None, known["sentence", "ezreader", "left-to-right"])
    assert published[-1][0] == "scandl, published"
    assert published[-1][1] == 0.37  # with ezreader, as printed
    intervals = [b for b in report.sections[1].everything if isinstance(b, Table)][-1]
    assert len(intervals.rows) == (len(ours) - len(strengths)) / 2


def test_one_model_with_two_readers_says_what_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "straight.csv"
    rows = [f"{reader},{sentence},0 1 2" for reader in ("r01", "r02") for sentence in ("s01", "s02", "s03")]
    table.write_text("\n".join(["reader_id,sentence_id,predicted", *rows]) + "\n")
    page = tmp_path / "page.txt"
    assert main(["correlations", "--pred", str(table), "--corpus", "demo", "--report", str(page)]) == 0
    assert capsys.readouterr().out.startswith("prediction files, all: demo and straight\n")
    text = page.read_text()
    assert "2 readers: a correlation needs at least 3" in text
    assert "No figure “NLD of readers with their measures" in text
    assert " nan" not in text


def test_a_broken_table_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = "setting,corpus,convention,kind,model,other,origin,n,r,stars"
    for row, message in (
        (
            "nr,demo,words,readers,m,skipping_rate,run,3,0.5,",
            ":2: column 'kind': found 'readers', expected one of reader,",
        ),
        ("nr,demo,words,reader,m,skipping_rate,run,3,x,", "column 'r': found"),
        ("nr,demo,words,reader,m,skiping,run,3,0.5,", ":2: column 'other': found 'skiping'"),
    ):
        (tmp_path / "correlations.csv").write_text(f"{header}\n{row}\n")
        assert main(["report", str(tmp_path)]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
