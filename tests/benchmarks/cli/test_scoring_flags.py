"""What nld and score take and write."""

from __future__ import annotations

import argparse
import gc
import json
from pathlib import Path

import pytest

from scandl_eval.cli import main
from scandl_eval.cli.scoring_flags import add_scoring, inputs_of, opened, spec_of


@pytest.fixture
def parser():
    made = argparse.ArgumentParser()
    add_scoring(made)
    return made


def test_flags_become_the_declared_choices(parser):
    args = parser.parse_args(["--pred", "a.csv", "b.csv", "--pred", "c.csv", "--spec", "scandl"])
    assert args.pred == ["a.csv", "b.csv", "c.csv"]
    spec = spec_of(args)
    assert (spec.convention, spec.repair, spec.against, spec.reference) == (
        "scandl",
        "clean",
        "same-reader",
        "tested",
    )


def test_a_corpus_is_opened_and_belongs_to_the_inputs():
    assert opened(None) is None
    assert opened("demo").name == "demo"
    assert inputs_of(["a.csv"], None) == ["a.csv"]
    first, folder = inputs_of(["a.csv"], "demo")
    assert (first, folder.rpartition("/")[2]) == ("a.csv", "demo")


def test_forms_that_cannot_be_written_are_refused_before_any_work(capsys):
    """The predictions are not even looked for."""
    for flag, file, found in (
        ("--report", "r.docx", "r.docx"),
        ("--scores", "s.xlsx", "s.xlsx"),
    ):
        assert main(["nld", "--pred", "no-such-file.csv", flag, file]) == 2
        told = capsys.readouterr().err
        assert found in told
        assert "no-such-file" not in told


@pytest.mark.parametrize("enabled", [True, False])
def test_the_cycle_collector_is_as_it_was(table, enabled, capsys):
    path = table("sentence_id,predicted,human\ns1,0 1,0 1\n")
    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        assert main(["nld", "--pred", str(path)]) == 0
        assert main(["nld", "--pred", f"{path}x"]) == 2
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if was else gc.disable)()


def test_latex_is_printed_and_written_and_figures_have_their_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = ["sentence_id,reader_id,predicted,human,text"]
    rows += [f"s{s},r{r},0 1 {s % 3},0 {r} 2,a b c" for s in range(4) for r in range(3)]
    Path("preds.csv").write_text("\n".join(rows) + "\n")
    command = ["nld", "--pred", "preds.csv"]
    assert main([*command, "--latex", "--json", "r.json", "--report", "r.tex", "--figures", "figures"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("\\begin{table}\n\\centering\n\\caption{")
    assert r"\begin{tabular}{lll" in printed
    assert printed.rstrip().endswith("\\end{tabular}\n\\end{table}")
    written = json.loads(Path("r.json").read_text())["rows"]
    (mean,) = [row["mean"] for row in written if row["model"] == "preds" and row["metric"] == "nld"]
    assert f"preds & all & nld & {mean:.4f} & " in printed
    assert r"\begin{table}" in Path("r.tex").read_text()
    assert any(path.suffix == ".svg" for path in Path("figures").iterdir())
