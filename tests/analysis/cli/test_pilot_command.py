"""The command: files, the printed page, one line for what cannot be."""

from __future__ import annotations

from dataclasses import fields

import pytest

from scandl_analysis.cli import main
from scandl_analysis.cli.pilot_command import CHOSEN
from scandl_analysis.piloting.experiments import PilotOptions

ROWS = [
    "1,a,The *cat* sat down on the mat.",
    "1,b,The *elephant* sat down on the mat.",
    "2,a,A *dog* ran off with the ball.",
    "2,b,A *hippopotamus* ran off with the ball.",
]
QUICK = [
    "--models",
    "ezreader",
    "--measures",
    "TFT",
    "--readers",
    "8",
    "--pool",
    "16",
    "--experiments",
    "20",
    "--surprisal",
    "unigram",
    "--quiet",
]


@pytest.fixture
def stimuli(tmp_path):
    path = tmp_path / "stimuli.csv"
    path.write_text("\n".join(["item_id,condition,text", *ROWS]), encoding="utf-8")
    return path


def test_files_and_output(stimuli, tmp_path, capsys):
    out = tmp_path / "pilot"
    flags = ["pilot", "--stimuli", str(stimuli), *QUICK, "--effect", "TFT=25ms", "--out", str(out)]
    assert main([*flags, "--report", str(tmp_path / "page.txt")]) == 0
    printed = capsys.readouterr().out
    assert "length     b − a" in printed
    assert "ezreader  critical  TFT" in printed
    assert "With 8 readers and 2 items, power for an effect of 25 ms" in printed
    assert max(map(len, printed.splitlines())) <= 100
    for name in ("effects.csv", "power.csv", "confounds.csv", "lists.csv", "report.html"):
        assert (out / name).stat().st_size > 0
    assert (tmp_path / "page.txt").exists()
    assert main(flags) == 0
    assert capsys.readouterr().out == printed  # from the pieces
    assert main([*flags, "--latex", "--figures", str(tmp_path / "figures")]) == 0
    tables = capsys.readouterr().out
    assert tables.startswith("% Tables of ")
    assert tables.count(r"\begin{tabular}") == tables.count(r"\bottomrule") > 1
    assert list((tmp_path / "figures").glob("*.svg"))


@pytest.mark.parametrize(
    ("row", "flags", "said"),
    [
        ("2,b,A *wolf* ran.,", [], "stimuli.csv:5: found 4 fields, expected 3 as in the header"),
        ("2,b,A wolf ran off.", [], "stimuli.csv:5: column 'text': found no critical region"),
        (
            "2,c,A *wolf* ran off.",
            [],
            "found item '1' without 'c', expected all of a, b, c (and 1 more fault)",
        ),
        (ROWS[3], ["--contrast", "animacy"], "no column 'animacy' for the contrast; known: condition"),
        (ROWS[3], ["--readers", "x"], "expected numbers such as 24,32, found 'x'"),
        (ROWS[3], ["--models", "ezraeder"], "no model 'ezraeder'; did you mean 'ezreader'?"),
        (ROWS[3], ["--effect", "TFT=25"], "--effect TFT=25: on the log scale"),
        (ROWS[3], ["--scheduler", "tcp://localhost:1"], "no Dask scheduler at 'tcp://localhost:1'"),
    ],
)
def test_what_cannot_be_is_one_line(row, flags, said, stimuli, tmp_path, capsys, monkeypatch):
    if "--scheduler" in flags:
        pytest.importorskip("distributed")
    monkeypatch.setattr("scandl.workers.CONNECT_SECONDS", 1)
    stimuli.write_text("\n".join(["item_id,condition,text", *ROWS[:3], row]), encoding="utf-8")
    arguments = ["pilot", "--stimuli", str(stimuli), *QUICK, *flags, "--out", str(tmp_path / "pilot")]
    try:
        code = main(arguments)
    except SystemExit as stop:  # argparse
        code = stop.code
    assert code == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "pilot" / "effects.csv").exists()


def test_one_level_is_one_line(stimuli, tmp_path, capsys):
    stimuli.write_text("\n".join(["item_id,condition,text", ROWS[0], ROWS[2]]), encoding="utf-8")
    assert main(["pilot", "--stimuli", str(stimuli), *QUICK, "--out", str(tmp_path / "pilot")]) == 2
    assert "the contrast 'condition' has one level, 'a', expected two or more" in capsys.readouterr().err


def test_every_option_of_a_pilot_is_a_flag():
    assert sorted(CHOSEN) == sorted(field.name for field in fields(PilotOptions))
