"""Files under the user's own names: every command takes them, and gives the number of ours."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from scandl.corpora.corpus_folder import open_corpus
from scandl_eval.cli import main

CHOSEN = ["--column", "predicted=gen", "--column", "sentence_id=stim", "--column", "human=eyes"]


@pytest.fixture
def files(tmp_path):
    """The same predictions as our CSV, and as JSON records and lines with other names."""
    corpus = open_corpus("demo")
    paths = corpus.scanpaths[:120]
    frame = pd.DataFrame(
        {
            "reader_id": [p.reader_id for p in paths],
            "sentence_id": [p.sentence_id for p in paths],
            "predicted": [list(range(corpus.sentences[p.sentence_id].n_words)) for p in paths],
            "human": [list(p.positions) for p in paths],
            "text": [corpus.sentences[p.sentence_id].text for p in paths],
        }
    )
    frame.to_csv(tmp_path / "mine.csv", index=False)
    other = frame.rename(columns={"predicted": "gen", "sentence_id": "stim", "human": "eyes"})
    other.to_json(tmp_path / "mine.json", orient="records")
    other.to_json(tmp_path / "mine.jsonl", orient="records", lines=True)
    return tmp_path


def scored(capsys, *call):
    assert main([*call, "--quiet"]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["mine.json", "mine.jsonl"])
@pytest.mark.parametrize("command", [["nld"], ["score", "--metrics", "scasim"]])
def test_the_numbers_are_those_of_our_own_form(files, capsys, command, name):
    ours = scored(capsys, *command, "--pred", str(files / "mine.csv"))
    theirs = scored(capsys, *command, "--pred", str(files / name), *CHOSEN)
    assert theirs == ours


def test_validate_and_compare_take_them_too(files, capsys):
    assert main(["validate", "--pred", str(files / "mine.json"), *CHOSEN]) == 0
    assert "no problem in 120 predictions" in capsys.readouterr().out
    assert main(["compare", str(files / "mine.csv"), str(files / "mine.json"), *CHOSEN]) == 0
    assert "mine.json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            [],
            "mine.json:1: column 'predicted': found only the columns reader_id, stim, gen, eyes, text, expected a column 'predicted' (one row per scanpath) or 'word_index' (one row per fixation); if it is one of gen, eyes: --column predicted=gen",
        ),
        (
            ["--column", "predicted=generated"],
            "mine.json:1: column 'generated': found only the columns reader_id, stim, gen, eyes, text, expected the column named for predicted",
        ),
        (["--column", "pred=gen"], "--column 'pred=gen': no meaning 'pred'; did you mean 'predicted'?"),
        (["--column", "gen"], "--column 'gen': expected MEANING=NAME, for example reader_id=VP"),
    ],
)
def test_a_wrong_guess_names_the_candidates(files, capsys, flags, message):
    assert main(["nld", "--pred", str(files / "mine.json"), *flags]) == 2
    assert message in capsys.readouterr().err


def test_a_run_takes_them_and_remembers(tmp_path, capsys):
    run = ["run", "--settings", "ns", "--folds", "0", "--resamples", "50", "--quiet"]
    assert main([*run, "--models", "left-to-right", "--out", str(tmp_path / "run")]) == 0
    theirs = pd.read_csv(tmp_path / "run/predictions/left-to-right/ns.csv", dtype=str)
    theirs["model"] = "mine"
    theirs.rename(columns={"predicted": "gen"}).to_json(tmp_path / "mine.jsonl", orient="records", lines=True)
    joined = [
        *run,
        "--models",
        "left-to-right",
        "--pred",
        str(tmp_path / "mine.jsonl"),
        "--column",
        "predicted=gen",
    ]
    assert main([*joined, "--out", str(tmp_path / "joined")]) == 0
    rows = json.loads((tmp_path / "joined/leaderboard.json").read_text())["rows"]
    means = {
        row["model"]: row["mean"] for row in rows if row["metric"] == "nld" and row["kind"] != "published"
    }
    assert means["mine"] == means["left-to-right"]
    config = tmp_path / "joined/run.toml"
    assert main(["run", "--config", str(config), "--out", str(tmp_path / "again"), "--quiet"]) == 0
    assert (tmp_path / "again/leaderboard.csv").read_bytes() == (
        tmp_path / "joined/leaderboard.csv"
    ).read_bytes()
