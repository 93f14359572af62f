"""The user's own column names and several files, in every command of the analysis that reads predictions."""

from __future__ import annotations

import pandas as pd
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl_analysis.cli import main


@pytest.fixture
def files(tmp_path):
    """Predictions of two models with names of their own, and the same with ours."""
    corpus = open_corpus("demo")
    for name, step in (("a", 1), ("b", 2)):
        rows = [
            {
                "reader_id": p.reader_id,
                "sentence_id": p.sentence_id,
                "predicted": list(range(0, corpus.sentences[p.sentence_id].n_words, step)),
            }
            for p in corpus.scanpaths[::19]
        ]
        pd.DataFrame(rows).to_csv(tmp_path / f"{name}.csv", index=False)
        other = pd.DataFrame(rows).rename(columns={"predicted": "gen"})
        (tmp_path / "other").mkdir(exist_ok=True)
        other.to_json(tmp_path / "other" / f"{name}.json", orient="records")
    return tmp_path


def test_measures_of_several_files_under_other_names(files, capsys):
    out = files / "m.csv"
    calls = ([str(files / f"{n}.csv") for n in "ab"], [str(files / "other" / f"{n}.json") for n in "ab"])
    found = []
    for pred, column in zip(calls, ([], ["--column", "predicted=gen"]), strict=True):
        assert main(["measures", "--corpus", "demo", "--pred", *pred, *column, "--out", str(out)]) == 0
        found.append(out.read_bytes())
        printed = capsys.readouterr().out
        assert [line.split(":")[0] for line in printed.splitlines() if " ± " in line and "sr " in line] == [
            "human",
            "a",
            "b",
        ]
    assert found[0] == found[1]


@pytest.mark.parametrize("command", ["variability", "correlations"])
def test_the_other_commands_take_them(files, capsys, command):
    call = [command, "--corpus", "demo", "--quiet"]
    texts = []
    for folder, ending, column in (("", "csv", []), ("other", "json", ["--column", "predicted=gen"])):
        pred = [str(files / folder / f"{n}.{ending}") for n in "ab"]
        assert main([*call, "--pred", *pred, *column]) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_a_run_has_columns_of_ours(capsys):
    assert main(["variability", "--column", "predicted=x"]) == 2
    assert "--column goes with --pred: the files of a run are ours" in capsys.readouterr().err
