"""The example of docs/add-a-generator.md is a real distribution once its two files exist."""

from __future__ import annotations

import shutil

import pytest

from scandl.models.catalogue import model_class, model_names, open_model
from scandl_eval.cli import main


@pytest.fixture
def steady(installed):
    return installed("add-a-generator.md")


def test_example_is_found_by_its_entry_point(steady):
    assert model_class("steady").__name__ == "SteadyReader"
    assert "steady" in model_names()
    model = open_model("steady")
    assert model.name == "steady"
    assert model.about.startswith("Fixate every word, and some of them twice")
    assert model.needs.training


def test_example_generates(steady, tmp_path, capsys):
    out = tmp_path / "preds.csv"
    assert main(["baseline", "generate", "steady", "--setting", "ns", "--fold", "0", "--out", str(out)]) == 0
    assert "scanpaths of steady in 1 fold\n" in capsys.readouterr().out
    rows = out.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "model,setting,fold,reader_id,sentence_id,sample,predicted,human,text"
    assert rows[1].startswith("steady,ns,0,")


def test_the_bare_file_generates_the_same(steady, tmp_path, capsys):
    (tmp_path / "elsewhere").mkdir()
    file = shutil.copy(tmp_path / "steady_reader.py", tmp_path / "elsewhere" / "own_reader.py")
    found = []
    for name in ("steady", f"{file}:SteadyReader"):
        out = tmp_path / f"{len(found)}.csv"
        made = ["--setting", "ns", "--fold", "0", "--out", str(out)]
        assert main(["baseline", "generate", name, *made]) == 0
        found.append([line.split(",", 1)[1] for line in out.read_text(encoding="utf-8").splitlines()])
    assert len(found[0]) > 10
    assert [line.split(",")[:4] for line in found[0]] == [line.split(",")[:4] for line in found[1]]
