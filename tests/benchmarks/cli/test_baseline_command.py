"""``scandl-eval baseline calibrate``."""

from __future__ import annotations

import pickle
import re

import pytest

from scandl.corpora import Card, Corpus, write_corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.files.prediction_files import read_predictions
from scandl.models.cognitive.baseline_import import IMPORTERS
from scandl.records import Scanpath, Sentence
from scandl_eval.cli import main
from scandl_eval.cli.baseline_command import KINDS


def test_list_has_each_with_what_it_does(capsys):
    assert main(["baseline", "list"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 100
    entries = [" ".join(entry.split()) for entry in re.split(r"\n(?=\S)", printed)]
    by_name = {entry.split()[0]: entry for entry in entries}
    assert {"left-to-right", "train-label-dist", "markov-text", "uniform-n", "medoid"} <= set(by_name)
    assert by_name["train-label-dist"].endswith("[needs training; log-likelihood: exact]")
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
        (["generate", "unifrom"], "no model 'unifrom'; did you mean 'uniform'?"),
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


def test_texts_of_ones_own_are_read_with_durations(tmp_path, capsys):
    out, lines = tmp_path / "paths.csv", tmp_path / "texts.txt"
    lines.write_text("The old man the boats.\n\n\n  A cat sat.  \n")
    call = ["baseline", "generate", "ezreader", "--samples", "2", "--out", str(out)]
    assert main([*call, "--text-file", str(lines)]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == f"{out}: 4 scanpaths of ezreader"
    assert printed[1].startswith(
        "Predictability is 0 for every word: 'texts' has no cloze norms, and no table"
    )
    found = read_predictions(out)
    assert [(p.sentence_id, p.text, p.sample) for p in found] == [
        ("t1", "The old man the boats.", 0),
        ("t1", "The old man the boats.", 1),
        ("t4", "A cat sat.", 0),
        ("t4", "A cat sat.", 1),
    ]
    assert all(p.predicted and p.durations and p.reader_id is None and p.human is None for p in found)
    texts = ["--text", "The old man the boats.", "--text", "A cat sat."]
    assert main([*call, *texts]) == 0
    assert [p.predicted for p in read_predictions(out)][:2] == [p.predicted for p in found][:2]
    assert {p.sentence_id for p in read_predictions(out)} == {"t1", "t2"}


def test_a_learner_learns_from_the_corpus_and_reads_the_text(tmp_path, capsys):
    out = tmp_path / "paths.csv"
    call = ["baseline", "generate", "markov", "--text", "The old man the boats.", "--out", str(out)]
    assert main(call) == 2
    assert capsys.readouterr().err == (
        "scandl-eval: markov needs training: name a corpus that people have read, to learn from (--corpus)\n"
    )
    assert main([*call, "--corpus", "demo"]) == 0
    assert capsys.readouterr().out == f"{out}: 1 scanpath of markov\n"
    assert read_predictions(out)[0].predicted


def test_a_corpus_that_nobody_has_read_is_a_set_of_texts(tmp_path, capsys):
    folder, out = tmp_path / "mine", tmp_path / "paths.csv"
    folder.mkdir()
    (folder / "corpus.toml").write_text('name = "mine"\nlanguage = "en"\n')
    (folder / "sentences.csv").write_text("sentence_id,text\na,The old man the boats.\n")
    (folder / "words.csv").write_text(
        "sentence_id,word_index,cloze\n"
        + "".join(f"a,{n},{c}\n" for n, c in enumerate(["", 0, 0.9, "", 0.5]))
    )
    assert main(["baseline", "generate", "swift", "--corpus", str(folder), "--out", str(out)]) == 0
    assert len(read_predictions(out)) == 1
    capsys.readouterr()
    assert main(["baseline", "generate", "ezreader", "--corpus", str(folder), "--out", str(out)]) == 0
    assert "Predictability: 0 for 1 of 4 words that have no cloze norm." in capsys.readouterr().out
    assert main(["run", "--corpus", str(folder), "--out", str(tmp_path / "run")]) == 2
    assert (
        "corpus 'mine' has no fixations: nothing to learn from, nothing to score" in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--text", " "], "the text is empty: there is nothing to read"),
        (["--text", "a\x00b"], "--text: found 'a\\x00b', expected text without control characters"),
        (
            ["--text", "a", "--setting", "ns"],
            "--setting and --fold go with a corpus alone: a text has no folds",
        ),
        (
            ["--text", "a " + "x" * 9_000],
            "sentence 't1', word 1 has 9,000 characters, expected at most 300",
        ),
        (["--text", "a b", "--language", "klingon"], "no word frequencies for language 'klingon'"),
        (
            ["--text-file", "nowhere.txt"],
            "nowhere.txt: found no file, expected a file of texts: one a line",
        ),
    ],
)
def test_texts_that_cannot_be_read(flags, text, tmp_path, capsys):
    out = tmp_path / "x.csv"
    assert main(["baseline", "generate", "ezreader", *flags, "--out", str(out)]) == 2
    assert text in capsys.readouterr().err
    assert not out.exists()


def test_swift_says_that_predictability_changes_nothing(tmp_path, capsys):
    call = ["baseline", "generate", "swift", "--text", "A cat sat.", "--out", str(tmp_path / "x.csv")]
    assert main([*call, "--predictability", "zero"]) == 0
    assert "--predictability: swift does not use predictability (theta = 0)" in capsys.readouterr().out


@pytest.fixture
def surprising(tmp_path):
    """A table of the words of the demo corpus: the longer, the more surprising."""
    lines = ["sentence_id,word_index,surprisal,surprisal_unit"]
    for key, sentence in open_corpus("demo").sentences.items():
        lines += [f"{key},{n},{len(word) / 2},bits" for n, word in enumerate(sentence.words)]
    path = tmp_path / "words.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


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


@pytest.fixture
def corpus(tmp_path):
    sentences = {"x1": Sentence("x1", "Sally walked home.")}
    write_corpus(Corpus(Card(name="one"), sentences, (Scanpath("r", "x1", (0, 1)),)), tmp_path / "corpus")
    return tmp_path / "corpus"


def imported(*words):
    return main(["baseline", "import", *map(str, words)])


def test_predictions_are_written_and_oddities_told(tmp_path, corpus, capsys):
    source, out = tmp_path / "seq_1.dat", tmp_path / "preds.csv"
    source.write_text("1 1 3 210 20 1\n1 2 2 180 19 0\n1 3 4 250 0 2\n" * 2)
    assert imported("swift-sequence", source, "--corpus", corpus, "--out", out, "--model", "swift-c") == 0
    printed = capsys.readouterr()
    assert printed.out == f"{out}: 2 scanpaths of swift-c\n"
    assert printed.err.startswith("warning: 1 of 2 trials repeat an earlier trial")
    assert [(p.predicted, p.durations, p.sample) for p in read_predictions(out)] == [
        ((0, 1, 2), (210, 180, 250), 0),
        ((0, 1, 2), (210, 180, 250), 1),
    ]


def test_a_fault_is_one_line_and_leaves_no_file(tmp_path, corpus, capsys):
    source, out = tmp_path / "seq_1.dat", tmp_path / "preds.csv"
    source.write_text("1 9 3 210 20 1\n")
    assert imported("swift-sequence", source, "--corpus", corpus, "--out", out) == 2
    expected = f"{source}:1: column 'word': found 9, expected a position 1..3 of a sentence of 3 words"
    assert capsys.readouterr().err == f"scandl-eval: {expected}\n"
    assert not out.exists()


def test_a_missing_file_is_one_line(tmp_path, corpus, capsys):
    assert imported("ezreader-trace", tmp_path / "none", "--corpus", corpus, "--out", tmp_path / "p.csv") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_command_names_every_importer():
    assert set(KINDS) == set(IMPORTERS)


@pytest.mark.parametrize("kind", ["baseline-pickle", "baseline-table"])
def test_a_file_without_trials_leaves_no_predictions(tmp_path, corpus, capsys, kind):
    source, out = tmp_path / "empty", tmp_path / "preds.csv"
    if kind == "baseline-pickle":
        source.write_bytes(pickle.dumps({"predicted_sp_ids": [], "reader_ids": [], "sn_ids": []}))
    else:
        source.write_text("sn_id\treader_id\tinstance_idx\tfixation_index\tfixation_duration\tword_id\n")
    assert imported(kind, source, "--corpus", corpus, "--out", out) == 2
    assert capsys.readouterr().err == (f"scandl-eval: {source}: found no trial, expected at least one\n")
    assert not out.exists()
