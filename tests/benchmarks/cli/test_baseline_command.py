from __future__ import annotations

import pytest

from scandl.corpora.catalogue import open_corpus
from scandl.files.prediction_files import read_predictions
from scandl_eval.cli import main


def test_list_has_a_line_for_each(capsys):
    assert main(["baseline", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    by_name = {line.split()[0]: line for line in lines}
    assert {"left-to-right", "train-label-dist", "markov-text", "uniform-n", "medoid"} <= set(by_name)
    assert by_name["train-label-dist"].endswith("[log-likelihood]")
    assert "uses the human path's length" in by_name["uniform-n"]


def test_generate_covers_the_corpus(tmp_path, capsys):
    out = tmp_path / "preds.csv"
    assert main(["baseline", "generate", "train-label-dist", "--out", str(out), "--seed", "3"]) == 0
    corpus = open_corpus("demo")
    assert (
        capsys.readouterr().out
        == f"{out}: {len(corpus.scanpaths)} scanpaths of train-label-dist in 5 folds\n"
    )
    found = read_predictions(out, corpus=corpus)
    assert {(p.reader_id, p.sentence_id) for p in found} == set(corpus.by_pair)
    assert all(p.log_prob < 0 and p.human and p.text and p.setting == "all" for p in found)
    first = out.read_bytes()
    main(["baseline", "generate", "train-label-dist", "--out", str(out), "--seed", "3", "--quiet"])
    assert out.read_bytes() == first
    main(["baseline", "generate", "train-label-dist", "--out", str(out), "--seed", "4", "--quiet"])
    assert out.read_bytes() != first


def test_generate_for_one_fold_with_samples(tmp_path):
    out = tmp_path / "preds.csv"
    call = [
        "baseline",
        "generate",
        "markov",
        "--setting",
        "nrns",
        "--fold",
        "2",
        "--samples",
        "3",
        "--out",
        str(out),
    ]
    assert main(call) == 0
    found = read_predictions(out)
    assert {(p.setting, p.fold) for p in found} == {("nrns", "2")}
    assert {p.sample for p in found} == {0, 1, 2}


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (["generate", "unifrom"], "no generator 'unifrom'; did you mean 'uniform'?"),
        (["generate", "uniform", "--setting", "nss"], "no setting 'nss'; did you mean 'ns'?"),
        (["generate", "uniform", "--setting", "ns", "--fold", "8"], "no fold 8 of setting 'ns'"),
    ],
)
def test_bad_calls_are_one_line(call, text, tmp_path, capsys):
    out = tmp_path / "preds.csv"
    assert main(["baseline", *call, "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert text in error
    assert error.count("\n") == 1
    assert not out.exists()


def test_an_unknown_form_is_refused_before_the_work(tmp_path, capsys):
    out = tmp_path / "x.xlsx"
    assert main(["baseline", "generate", "uniform", "--corpus", "no-such-corpus", "--out", str(out)]) == 2
    assert capsys.readouterr().err == (
        f"scandl-eval: {out}: found the ending '.xlsx', expected a name that ends in .csv, .parquet or .json\n"
    )
    assert not out.exists()
