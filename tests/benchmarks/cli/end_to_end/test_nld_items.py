"""Which predictions meet which human scanpaths, and what is said of those that meet none."""

from __future__ import annotations

import pytest

from scandl_eval.cli import main


def test_the_reader_decides_whose_path_is_compared(table, result, toy):
    path = table("reader_id,sentence_id,predicted\na,s1,0 2\nb,s1,0 2\nb,s2,0\n")
    found, printed = result("--pred", path, "--corpus", toy)
    row = found["rows"][0]
    assert (row["n"], row["mean"]) == (2, 0.5)  # a reads 0 2, b reads 1
    assert found["metric_spec"]["pairing"] == "same reader"
    assert (
        "warning: 1 of 3 predictions have no human scanpath, left out: sentence 's2' of reader 'b'" in printed
    )
    assert "1 sentences with too few readers left out" not in printed


def test_without_a_reader_every_reader_is_a_reference(table, result, toy):
    found, printed = result("--pred", table("sentence_id,predicted\ns1,0 2\ns2,0\n"), "--corpus", toy)
    row = found["rows"][0]
    assert (row["n"], row["mean"], row["mean_over_sentences"]) == (3, pytest.approx(1 / 3), 0.25)
    assert found["metric_spec"]["pairing"] == "all readers"
    assert "1 sentences with too few readers left out" in printed


def test_strict_refuses_what_cannot_be_scored(table, toy, capsys):
    path = table("reader_id,sentence_id,predicted\na,s1,0 2\nb,s2,0\n")
    assert main(["nld", "--pred", str(path), "--corpus", str(toy), "--strict"]) == 2
    assert (
        "1 of 2 predictions have no human scanpath, left out: sentence 's2' of reader 'b'"
        in capsys.readouterr().err
    )


def test_items_without_a_prediction_are_listed(table, toy, result, capsys):
    path = table("reader_id,sentence_id,predicted\na,s1,0 2\n")
    lacks = "preds has no prediction for 2 of the 3 items of setting 'all': sentence 's1' of reader 'b', "
    lacks += "sentence 's2' of reader 'a'"
    found, printed = result("--pred", path, "--corpus", toy)
    assert lacks in printed
    assert [(row["model"], row["n"]) for row in found["rows"]] == [("preds", 1), ("left-to-right", 1)]
    assert "no train-label-dist row: it learns from other sentences, and there is only one" in printed
    assert "no Human row: no sentence was read by enough readers" in printed
    found, _ = result("--pred", path, "--corpus", toy, "--reference", "all")
    assert [(row["model"], row["n"]) for row in found["rows"]] == [
        ("preds", 1),
        ("left-to-right", 1),
        ("Human", 1),
    ]
    assert main(["nld", "--pred", str(path), "--corpus", str(toy), "--strict"]) == 2
    assert capsys.readouterr().err == f"scandl-eval: {path}: {lacks}\n"


def test_models_of_one_setting_are_held_to_the_same_items(table, result, capsys):
    path = table(
        "model,setting,reader_id,sentence_id,predicted,human\n"
        "x,ns,a,s1,0,0\nx,ns,a,s2,0,0\ny,ns,a,s2,0,0\nx,nr,a,s1,0,0\n"
    )
    lacks = "y has no prediction for 1 of the 2 items of setting 'ns': sentence 's1' of reader 'a'"
    assert lacks in result("--pred", path)[1]
    assert main(["nld", "--pred", str(path), "--strict"]) == 2
    assert lacks in capsys.readouterr().err
    assert main(["compare", "x", "y", "--pred", str(path), "--strict"]) == 2
    assert lacks in capsys.readouterr().err


def test_human_paths_of_unnamed_readers_are_not_held_against_the_corpus(table, toy, result):
    path = table("sentence_id,predicted,human\ns1,0 2,0 2\ns2,0,0\n")
    assert "no prediction for" not in result("--pred", path, "--corpus", toy, "--strict")[1]


def test_human_paths_that_the_corpus_does_not_have_are_told(table, toy, result, capsys):
    path = table("reader_id,sentence_id,predicted,human\na,s1,0 2,1 2\nb,s1,1,1\na,s2,0,0\n")
    printed = result("--pred", path, "--corpus", toy)[1]
    told = (
        "1 of 3 human scanpaths are not those of corpus 'toy' for the same reader and sentence; the file's "
    )
    assert told + "are used: sentence 's1' of reader 'a'" in printed
    assert main(["validate", "--pred", str(path), "--corpus", str(toy)]) == 0
    assert f"warning: {told}" in capsys.readouterr().out


def test_without_an_interval_the_warning_goes_by_the_difference(table, result):
    head = "reader_id,sentence_id,text,predicted,human\n"
    assert "warning" not in result("--pred", table(head + "a,s1,u v w,0 2,0 2\n"))[1]
    assert (
        "warning: left-to-right" in result("--pred", table(head + "a,s1,u v w,2,0 1\n"), "--index-base", 0)[1]
    )


def test_an_unknown_sentence_is_named(table, toy, capsys):
    path = table("reader_id,sentence_id,predicted\na,nowhere,0\n")
    assert main(["nld", "--pred", str(path), "--corpus", str(toy)]) == 2
    error = capsys.readouterr().err
    assert "preds.csv:2: column 'sentence_id': found 'nowhere', expected a sentence of corpus 'toy'" in error
