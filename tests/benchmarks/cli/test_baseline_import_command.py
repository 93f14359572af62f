from __future__ import annotations

import argparse
import pickle

import pytest

from scandl.cli.commandline import Parser, execute
from scandl.corpora import Card, Corpus, write_corpus
from scandl.files.prediction_files import read_predictions
from scandl.models.cognitive.importers import IMPORTERS
from scandl.records import Scanpath, Sentence
from scandl_eval.cli import baseline_import_command as baseline_import


@pytest.fixture
def corpus(tmp_path):
    sentences = {"x1": Sentence("x1", "Sally walked home.")}
    write_corpus(Corpus(Card(name="one"), sentences, (Scanpath("r", "x1", (0, 1)),)), tmp_path / "corpus")
    return tmp_path / "corpus"


def run(*words):
    root = Parser(prog="scandl-eval baseline")
    commands: argparse._SubParsersAction[argparse.ArgumentParser] = root.add_subparsers(required=True)
    baseline_import.add(commands)
    return execute(root, ["import", *map(str, words)])


def test_predictions_are_written_and_oddities_told(tmp_path, corpus, capsys):
    source, out = tmp_path / "seq_1.dat", tmp_path / "preds.csv"
    source.write_text("1 1 3 210 20 1\n1 2 2 180 19 0\n1 3 4 250 0 2\n" * 2)
    assert run("swift-sequence", source, "--corpus", corpus, "--out", out, "--model", "swift-c") == 0
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
    assert run("swift-sequence", source, "--corpus", corpus, "--out", out) == 2
    expected = f"{source}:1: column 'word': found 9, expected a position 1..3 of a sentence of 3 words"
    assert capsys.readouterr().err == f"scandl-eval baseline: {expected}\n"
    assert not out.exists()


def test_a_missing_file_is_one_line(tmp_path, corpus, capsys):
    assert run("ezreader-trace", tmp_path / "none", "--corpus", corpus, "--out", tmp_path / "p.csv") == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_command_names_every_importer():
    assert set(baseline_import.KINDS) == set(IMPORTERS)


@pytest.mark.parametrize("kind", ["baseline-pickle", "baseline-table"])
def test_a_file_without_trials_leaves_no_predictions(tmp_path, corpus, capsys, kind):
    source, out = tmp_path / "empty", tmp_path / "preds.csv"
    if kind == "baseline-pickle":
        source.write_bytes(pickle.dumps({"predicted_sp_ids": [], "reader_ids": [], "sn_ids": []}))
    else:
        source.write_text("sn_id\treader_id\tinstance_idx\tfixation_index\tfixation_duration\tword_id\n")
    assert run(kind, source, "--corpus", corpus, "--out", out) == 2
    assert capsys.readouterr().err == (
        f"scandl-eval baseline: {source}: found no trial, expected at least one\n"
    )
    assert not out.exists()
