"""Shared flags: the texts, columns, fold and sampling they ask for, and what they refuse."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.cli.flags import (
    ChosenFold,
    add_columns,
    add_fold,
    add_texts,
    chosen_fold,
    sampling_asked_for,
    sentences_of,
    texts_given,
)
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ScandlError
from scandl.files.prediction_columns import files_of
from scandl.models.diffusion.diffusion_model import PUBLISHED, Denoising
from scandl.splits import make_cross, make_folds, write_folds


def asked(*flags: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_texts(parser)
    return parser.parse_args(flags)


def test_a_sentence_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("\ufeffOne  line.\r\n\n  \nAnother.".encode())
    found = sentences_of(asked("--text-file", str(tmp_path / "t.txt")))
    assert [(s.sentence_id, s.text) for s in found] == [("t1", "One line."), ("t4", "Another.")]


def test_texts_are_numbered_in_order() -> None:
    args = asked("--text", "A cat.", "--text", "A dog.")
    assert texts_given(args)
    assert not texts_given(asked())
    assert [(s.sentence_id, s.text) for s in sentences_of(args)] == [("t1", "A cat."), ("t2", "A dog.")]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "the text is empty: there is nothing to read"),
        ("schön".encode("latin-1"), "t.txt:1: found byte 0xf6 that is not UTF-8, expected UTF-8 text"),
        (
            None,
            "found no file, expected a file of texts: one a line, or .csv, .jsonl or .parquet with a column text",
        ),
    ],
)
def test_files_that_are_no_texts(content: bytes | None, text: str, tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ScandlError) as caught:
        sentences_of(asked("--text-file", str(path)))
    assert str(caught.value).endswith(text)


def asked_columns(*flags: str) -> list[str]:
    parser = argparse.ArgumentParser()
    add_columns(parser)
    return files_of(["a.csv", "b.csv"], parser.parse_args(flags).column)


def test_without_the_flag_files_are_what_they_were() -> None:
    assert asked_columns() == ["a.csv", "b.csv"]
    assert {type(file) for file in asked_columns()} == {str}


def test_with_it_every_file_has_the_users_word() -> None:
    files = asked_columns("--column", "predicted=path", "--column", "human=eyes")
    assert files == ["a.csv", "b.csv"]  # they are still named by their path
    assert {type(file) for file in files} != {str}


def test_a_meaning_that_there_is_not() -> None:
    with pytest.raises(ScandlError, match="pred"):
        asked_columns("--column", "pred=path")


@pytest.fixture
def other(tmp_path: Path) -> str:
    """A corpus of two sentences, which nobody was trained on."""
    (tmp_path / "corpus.toml").write_text('name = "other"\n')
    (tmp_path / "sentences.csv").write_text("sentence_id,text\ns1,one two three\ns2,four five\n")
    (tmp_path / "fixations.csv").write_text(
        "reader_id,sentence_id,fixation_index,word_index,duration_ms\na,s1,0,0,\na,s1,1,2,\na,s2,0,1,\n"
    )
    return str(tmp_path)


def chosen(*flags: str) -> ChosenFold:
    parser = argparse.ArgumentParser()
    add_fold(parser)
    return chosen_fold(parser.parse_args(flags))


def test_a_numbered_fold_is_that_of_the_split() -> None:
    found = chosen("--corpus", "demo", "--setting", "nrns", "--fold", "2", "--split-seed", "7")
    assert found.fold == make_folds(open_corpus("demo"), "nrns", seed=7)[2]
    assert found.corpus is found.tested


def test_cross_learns_from_one_corpus_and_is_tested_on_all_of_another(other: str) -> None:
    found = chosen("--corpus", "demo", "--setting", "cross", "--test-corpus", other)
    assert (found.corpus.name, found.tested.name, found.fold.fold_id) == ("demo", "other", "cross-0")
    assert sorted(found.fold.test) == [("a", "s1"), ("a", "s2")]
    demo = {(path.reader_id, path.sentence_id) for path in found.corpus.scanpaths}
    assert {*found.fold.train, *found.fold.validation} == demo


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        (("--setting", "cross"), "--setting cross and --test-corpus go together"),
        (("--setting", "ns", "--fold", "0", "--test-corpus", "demo"), "--test-corpus go together"),
        (("--setting", "nr"), "--setting nr needs --fold, from 0"),
        (("--setting", "cross", "--test-corpus", "demo"), "tests on its own training corpus 'demo'"),
        (("--setting", "ns", "--fold", "5"), "no fold 5; known: 0, 1, 2, 3, 4"),
    ],
)
def test_what_does_not_go_together_is_refused(flags: tuple[str, ...], reason: str) -> None:
    with pytest.raises(ScandlError, match=reason):
        chosen("--corpus", "demo", *flags)


def test_the_published_folds(other: str) -> None:
    found = chosen("--corpus", "demo", "--setting", "nr", "--fold", "3", "--scheme", "paper")
    assert found.fold == make_folds(open_corpus("demo"), "nr", scheme="paper")[3]
    crossed = chosen("--corpus", "demo", "--setting", "cross", "--test-corpus", other, "--scheme", "paper")
    assert (crossed.fold.scheme, crossed.fold.seed) == ("paper", 77)


def test_a_file_of_scandl_split_is_that_fold(tmp_path: Path, other: str) -> None:
    demo = open_corpus("demo")
    fold = make_folds(demo, "nrns", seed=9, n_folds=3)[1]
    crossed = make_cross(demo, open_corpus(other), seed=9)
    one, two = write_folds([fold, crossed], tmp_path / "splits")
    assert chosen("--corpus", "demo", "--split", str(one)).fold == fold
    found = chosen("--corpus", "demo", "--split", str(two), "--test-corpus", other)
    assert (found.fold, found.tested.name) == (crossed, "other")
    for flags, reason in (
        (["--corpus", "demo", "--split", str(one), "--fold", "1"], "--fold does not go with --split"),
        (["--corpus", "demo", "--split", str(one), "--setting", "ns"], "--setting does not go with --split"),
        (
            ["--corpus", "demo", "--split", str(two)],
            "a fold of setting 'cross': --test-corpus goes with cross alone",
        ),
        (
            ["--corpus", other, "--split", str(one)],
            "column 'corpus': found 'demo', expected the corpus that was",
        ),
        (["--corpus", "demo"], "give --setting and --fold, or a file of scandl split with --split"),
    ):
        with pytest.raises(ScandlError, match=reason):
            chosen(*flags)
    one.write_text(one.read_text().replace(fold.test[0][0], "nobody"))
    with pytest.raises(
        ScandlError, match=r"nrns-1.json: .*found 'reader nobody, sentence .*', expected scanpaths"
    ):
        chosen("--corpus", "demo", "--split", str(one))


@pytest.mark.parametrize("seed", ["-1", "1.5", "x"])
def test_a_seed_is_a_whole_number(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        chosen("--corpus", "demo", "--setting", "ns", "--fold", "0", "--split-seed", seed)
    assert f"argument --split-seed: expected a whole number from 0, found '{seed}'" in capsys.readouterr().err


def test_the_folds_without_a_seed_are_those_of_seed_1() -> None:
    found = chosen("--corpus", "demo", "--setting", "ns", "--fold", "1")
    assert found.fold == make_folds(open_corpus("demo"), "ns", seed=1)[1]


def test_the_defaults_are_those_of_python() -> None:
    assert sampling_asked_for(None) is None
    assert sampling_asked_for(None, keep_symbols=True) == Denoising(keep_symbols=True)
    assert sampling_asked_for(2000) == PUBLISHED


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
