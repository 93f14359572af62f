"""Flags for what is known of words: predictability, calibration."""

from __future__ import annotations

import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl.files.prediction_files import read_predictions
from scandl_eval.cli import main


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
