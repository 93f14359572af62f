"""``scandl-analysis predictors`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora import Corpus, write_corpus
from scandl_analysis.cli import main


@pytest.fixture
def folder(small_corpus: Corpus, tmp_path: Path) -> str:
    write_corpus(small_corpus, tmp_path / "small")
    return str(tmp_path / "small")


def test_says_which_provider_it_was(folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "p.csv"
    arguments = ["predictors", "--corpus", folder, "--out", str(out), "--surprisal", "unigram"]
    assert main([*arguments, "--frequency", "neglog2", "--no-punctuation", "--unit", "bits"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("surprisal: unigram (wordfreq ")
    assert lines[0].endswith("bits; asked for by name")
    assert lines[-1] == f"4 words in {out}, how it was made in {out}.json"
    rows = [line.split(",") for line in out.read_text().splitlines()]
    assert rows[4][2:4] == ["slept.", "5"]
    assert rows[1][4] == rows[1][5]  # -log2 of the frequency is the unigram surprisal in bits


def test_an_impossible_wish_is_one_line_and_leaves_nothing(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "p.csv"
    arguments = ["predictors", "--corpus", folder, "--out", str(out), "--surprisal", "unigram", "--bow"]
    assert main(arguments) == 2
    assert capsys.readouterr().err == (
        "scandl-analysis: surprisal 'unigram' knows whole words only: correction and alignment are for"
        " language models with tokens\n"
    )
    assert not out.exists()
