from __future__ import annotations

import json

import pytest

from scandl.measures.catalogue import METRICS
from scandl_eval.cli import main

PREDICTIONS = "reader_id,sentence_id,text,predicted,human\n" + "".join(
    f"r{r},s{s},a b c d e,{'0 1 3 2 4'[: 2 * (r + 2) - 1]},{'0 2 1 3 4'[: 2 * (5 - r) - 1]}\n"
    for r in range(3)
    for s in range(4)
)


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "preds.csv"
    path.write_text(PREDICTIONS)
    return str(path)


def test_every_named_metric_has_its_rows(predictions, tmp_path, capsys):
    target, table = tmp_path / "out.json", tmp_path / "scores.csv"
    arguments = [
        "--metrics",
        "nld,yujian-bo,scanmatch,scasim,energy,diversity",
        "--json",
        str(target),
        "--scores",
        str(table),
    ]
    assert main(["score", "--pred", predictions, *arguments]) == 0
    rows = json.loads(target.read_text())["rows"]
    assert {row["metric"] for row in rows} == {
        "nld",
        "yujian-bo",
        "scanmatch",
        "scasim",
        "energy",
        "diversity",
    }
    scasim = [row for row in rows if row["metric"] == "scasim"]
    assert all((row["n"], row["mean"]) == (0, None) for row in scasim)
    assert table.read_text().splitlines()[0].endswith("sample,nld,yujian-bo,scanmatch,scasim")
    printed = capsys.readouterr().out
    assert "scasim is not defined for 12 of 12 instances of preds (all)" in printed


def test_nld_is_the_same_number_as_in_nld(predictions, tmp_path):
    found = []
    for command in (["nld"], ["score", "--metrics", "nld"]):
        target = tmp_path / f"{command[0]}.json"
        assert main([*command, "--pred", predictions, "--json", str(target)]) == 0
        found.append(json.loads(target.read_text())["rows"][0])
    for field in ("model", "metric", "mean", "ci95", "n"):
        assert found[0][field] == found[1][field]


def test_an_unknown_metric_is_named(predictions, capsys):
    assert main(["score", "--pred", predictions, "--metrics", "nld,scansim"]) == 2
    assert "no metric 'scansim'; did you mean 'scasim'" in capsys.readouterr().err
    assert main(["score", "--pred", predictions, "--metrics", "classifer-auc"]) == 2
    assert "no metric 'classifer-auc'; did you mean 'classifier-auc'" in capsys.readouterr().err


def test_all_metrics_without_being_named(predictions, tmp_path, capsys):
    target = tmp_path / "out.json"
    assert main(["score", "--pred", predictions, "--all", "--json", str(target)]) == 0
    shown = {line.partition(" |")[0].strip() for line in capsys.readouterr().out.splitlines()}
    rows = json.loads(target.read_text())["rows"]
    named = {
        m.name for m in METRICS.values() if "log_prob" not in m.needs and (m.score or m.kernel or m.asked_as)
    }
    assert {*named, "classifier-auc"} <= {row["metric"] for row in rows}
    for metric in named:
        defined = any(row["mean"] is not None for row in rows if row["metric"] == metric)
        assert defined == (metric in shown), metric


@pytest.mark.parametrize("columns", ["80", "100", "200"])
def test_it_fits_a_screen_with_every_row_complete(predictions, capsys, monkeypatch, columns):
    """Groups of metrics, the best model first, readers last; each line of numbers says which metric it is."""
    monkeypatch.setenv("COLUMNS", columns)
    assert main(["score", "--pred", predictions, "--quiet"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("warning")]
    assert len(lines) < 40
    assert all(len(line) <= 100 for line in lines)
    header = [cell.strip() for cell in lines[1].split("|")]
    assert lines[0] == "all: paths as distributions"
    assert (header[0], header[-1]) == ("metric", "Human")
    (energy,) = (line for line in lines if line.startswith("energy "))
    values = [float(cell) for cell in energy.split("|")[1:-1]]
    assert values == sorted(values)


def test_rows_without_durations_are_named_and_left_out(tmp_path, capsys):
    rows = ["reader_id,sentence_id,predicted,durations"]
    for reader in range(4):
        durations = "" if reader == 3 else "200 300"
        rows += [f"demo{reader},d1,0 1,{durations}"]
    path = tmp_path / "part.csv"
    corpus = timed_demo(tmp_path)
    path.write_text("\n".join([*rows, ""]))
    names = "nld-time,energy-time,duration-mean-ratio"
    assert main(["score", "--pred", str(path), "--corpus", str(corpus), "--metrics", names]) == 0
    printed = capsys.readouterr().out
    assert (
        "1 of 4 predictions of part have no durations and are left out of metrics of time: sentence"
        in printed
    )
    assert "nld-time is not defined for 1 of 4 instances of part (all)" in printed


@pytest.mark.parametrize(
    ("durations", "message"),
    [
        ("200", "preds.csv:2: column 'durations': found 1 durations, expected 2, one per fixation"),
        ("200 0", "found '200 0', expected milliseconds above 0 and at most 60,000, such as '210 180'"),
        ("200 -5", "found '200 -5', expected milliseconds above 0 and at most 60,000, such as '210 180'"),
        (
            "200 1e6",
            "found '200 1000000', expected milliseconds above 0 and at most 60,000, such as '210 180'",
        ),
        (
            ".2 .3",
            "found a median of 0.3, expected milliseconds; these look like seconds, multiply them by 1000",
        ),
    ],
)
def test_faulty_durations_are_one_line(durations, message, tmp_path, capsys):
    path = tmp_path / "preds.csv"
    rows = [f"{sample},demo0,d1,0 1,{durations}" for sample in range(5)]
    path.write_text("\n".join(["sample,reader_id,sentence_id,predicted,durations", *rows, ""]))
    assert main(["score", "--pred", str(path), "--corpus", str(timed_demo(tmp_path))]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def timed_demo(folder):
    """A corpus of four readers of one sentence, with durations."""
    root = folder / "corpus"
    root.mkdir()
    (root / "corpus.toml").write_text("name = 'mine'\nlanguage = 'en'\nkind = 'human'\n")
    (root / "sentences.csv").write_text("sentence_id,text\nd1,The old man the boats.\n")
    rows = [f"demo{r},d1,{i},{i},{150 + 40 * r + 10 * i}" for r in range(4) for i in range(3)]
    head = "reader_id,sentence_id,fixation_index,word_index,duration_ms"
    (root / "fixations.csv").write_text("\n".join([head, *rows, ""]))
    return root
