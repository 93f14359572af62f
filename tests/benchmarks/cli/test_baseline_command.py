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


@pytest.fixture
def surprising(tmp_path):
    """A table of the words of the demo corpus: the longer, the more surprising."""
    lines = ["sentence_id,word_index,surprisal,surprisal_unit"]
    for key, sentence in open_corpus("demo").sentences.items():
        lines += [f"{key},{n},{len(word) / 2},bits" for n, word in enumerate(sentence.words)]
    path = tmp_path / "words.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def generated(out, *options):
    call = [
        "baseline",
        "generate",
        "ezreader",
        "--setting",
        "ns",
        "--fold",
        "0",
        "--quiet",
        "--out",
        str(out),
    ]
    assert main([*call, *map(str, options)]) == 0
    return [prediction.predicted for prediction in read_predictions(out)]


def test_a_table_of_surprisal_makes_ez_reader_skip(tmp_path, surprising):
    out = tmp_path / "preds.csv"
    blind = generated(out)
    told = generated(out, "--words", surprising)
    bold = generated(out, "--words", surprising, "--calibration=2,1")
    assert generated(out, "--words", surprising, "--predictability", "zero") == blind
    lengths = [sum(map(len, paths)) for paths in (blind, told, bold)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[1] < 0.95 * lengths[0]
    assert lengths[2] < 0.95 * lengths[1]


def test_calibrate_prints_what_generate_takes(tmp_path, surprising, capsys):
    rows = [line.split(",") for line in surprising.read_text().splitlines()[1:]]
    # Readers guess a word half as often, in odds, as the model says.
    odds = [1 / (2.0 ** float(bits) - 1) if float(bits) else 1e9 for _, _, bits, _ in rows]
    text = "".join(
        f"{key},{n},{bits},{unit},{o / 2 / (1 + o / 2)}\n"
        for (key, n, bits, unit), o in zip(rows, odds, strict=True)
    )
    surprising.write_text("sentence_id,word_index,surprisal,surprisal_unit,cloze\n" + text)
    assert main(["baseline", "calibrate", "--corpus", "demo", "--words", str(surprising)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "--calibration=-0.6931,1.0000"
    assert "first words of sentences left out" in lines[1]
    assert lines[2].startswith("as it is: mean 0.")
    assert main(["baseline", "calibrate", "--corpus", "demo", "--words", str(tmp_path / "none.csv")]) == 2
    assert (
        "none.csv: found no file, expected a table with sentence_id and word_index" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--predictability", "surprise"], "no predictability 'surprise'; did you mean 'surprisal'?"),
        (["--predictability", "cloze"], "has no words column 'cloze', which --predictability asks for"),
        (["--calibration", "1"], "expected two numbers such as 0,1, found '1'"),
    ],
)
def test_predictability_that_is_not_there_is_refused(options, text, tmp_path, capsys):
    out = tmp_path / "preds.csv"
    try:
        code = main(["baseline", "generate", "ezreader", *options, "--out", str(out)])
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert text in capsys.readouterr().err
    assert not out.exists()
