"""``scandl-analysis measures`` as a user calls it."""

from __future__ import annotations

from pathlib import Path

import pytest

from scandl.corpora import Corpus, write_corpus
from scandl_analysis.cli import main


def test_prints_means_and_writes_the_table(
    small_corpus: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_corpus(small_corpus, tmp_path / "small")
    out = tmp_path / "words.csv"
    assert main(["measures", "--corpus", str(tmp_path / "small"), "--out", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("human: sr 0.2500 ± 0.0000, fpr 0.1250 ± 0.1250, ffc 1.0000 ± 0.2500")
    assert lines[1] == "mean over words ± standard error over readers and sentences; variant paper"
    assert lines[2] == f"8 rows in {out}, how it was made in {out}.json"
    assert len(out.read_text().splitlines()) == 9


def test_nothing_given_and_a_bad_file_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "words.csv")
    assert main(["measures", "--out", out]) == 2
    assert (
        capsys.readouterr().err
        == "scandl-analysis: nothing to measure: give a corpus, predictions, or both\n"
    )
    pred = tmp_path / "preds.csv"
    pred.write_text("sentence_id,predicted,text\ns1,0 9,two words\n")
    assert main(["measures", "--pred", str(pred), "--out", out]) == 2
    assert f"{pred}:2: column 'predicted': found '0 9', expected positions 0..1" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["preds.csv"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--per-scanpath", "--variant", "paper"], "--variant is of word measures: leave it out"),
        (["--convention", "words"], "--convention is of scanpath measures: give --per-scanpath"),
    ],
)
def test_an_option_without_effect_is_refused(options, message, tmp_path: Path, capsys) -> None:
    out = tmp_path / "m.csv"
    assert main(["measures", "--corpus", "demo", "--out", str(out), *options]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


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
