"""Drawing from the commands: files by their ending, the model named, faults before the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.cli import main

TEXT = "The lighthouse keeper counted every ship."


def test_generate_draws_and_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, page = tmp_path / "a.svg", tmp_path / "a.html"
    assert (
        main(["generate", "--text", TEXT, "--readers", "2", "--plot", str(picture), "--animate", str(page)])
        == 0
    )
    drawn = picture.read_text(encoding="utf-8")
    assert ">people<" in drawn
    assert "sim1" in drawn
    assert "sim2" in drawn
    assert '"positions"' in page.read_text(encoding="utf-8")


def test_a_corpus_and_a_model_beside_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a.html"
    arguments = [
        "corpus",
        "show",
        "demo",
        "--examples",
        "1",
        "--model",
        "left-to-right",
        "--animate",
        str(page),
    ]
    assert main(arguments) == 0
    assert "left-to-right (simulated)" in page.read_text(encoding="utf-8")


def test_more_than_six_do_not_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "a.html"
    assert (
        main(
            ["generate", "--text", TEXT, "--samples", "7", "--model", "left-to-right", "--animate", str(page)]
        )
        == 0
    )
    assert "a.html: the first 6 of 7 readings" in capsys.readouterr().err
    assert page.read_text(encoding="utf-8").count('"onsets"') == 6


@pytest.mark.parametrize(
    ("flags", "fault"),
    [
        (["--plot", "a.xyz"], "a.xyz: found the ending '.xyz', expected a figure"),
        (["--animate", "a.png"], "a.png: found the ending '.png', expected one of .html, .gif, .mp4"),
    ],
)
def test_faults_are_told_before_the_work(
    flags: list[str], fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", "--text", TEXT, *flags]) == 2
    assert fault in capsys.readouterr().err


def test_a_sentence_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "show", "demo", "--sentence", "nowhere"]) == 2
    assert "found no scanpath of sentence 'nowhere', expected one of the corpus" in capsys.readouterr().err


def test_a_line_has_a_letter_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "--text", TEXT, "--width", "0"])
    assert "argument --width: expected a whole number from 1, found '0'" in capsys.readouterr().err
