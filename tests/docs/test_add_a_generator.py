"""The example of docs/add-a-generator.md is a real distribution once its two files exist."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest

from scandl.models.fold_predictions import describe_generators, find_generator
from scandl.models.model import GENERATORS
from scandl_eval.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "add-a-generator.md"


@pytest.fixture
def steady(tmp_path, monkeypatch):
    """Install the page's package into a folder on sys.path, as pip would."""
    blocks = dict(re.findall(r"```(python|toml)\n# [\w.]+\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S))
    (tmp_path / "steady_reader.py").write_text(blocks["python"], encoding="utf-8")
    project = tomllib.loads(blocks["toml"])["project"]
    info = tmp_path / "steady_reader-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    yield
    GENERATORS._items.pop("steady", None)
    sys.modules.pop("steady_reader", None)


def test_example_is_found_by_its_entry_point(steady):
    assert find_generator("steady").__name__ == "SteadyReader"
    about = {line.name: line for line in describe_generators()}
    assert about["steady"].about.startswith("Fixate every word, and some of them twice")
    assert not about["steady"].likelihood
    assert about["markov"].likelihood


def test_example_generates(steady, tmp_path, capsys):
    out = tmp_path / "preds.csv"
    assert main(["baseline", "generate", "steady", "--setting", "ns", "--fold", "0", "--out", str(out)]) == 0
    assert "scanpaths of steady in 1 fold\n" in capsys.readouterr().out
    rows = out.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "model,setting,fold,reader_id,sentence_id,sample,predicted,human,text"
    assert rows[1].startswith("steady,ns,0,")
