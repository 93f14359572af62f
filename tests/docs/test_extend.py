"""The examples of the pages on metrics and corpora work as they stand."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scandl.corpora.importers import IMPORTERS
from scandl.measures.catalogue import METRICS
from scandl_eval.cli import main as evaluate

DOCS = Path(__file__).parents[2] / "docs"


def block(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def names() -> Any:
    """The names a block defines; what it registers is taken back."""
    before = {registry: dict(registry._items) for registry in (IMPORTERS, METRICS)}
    yield {}
    for registry, items in before.items():
        registry._items.clear()
        registry._items.update(items)


def test_the_metric_scores_a_file(
    names: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(block("add-a-metric.md", "python"), names)
    ((name, target),) = tomllib.loads(block("add-a-metric.md", "toml"))["project"]["entry-points"][
        "scandl.metrics"
    ].items()
    METRICS.register(name)(names[target.split(":")[1]])
    table = tmp_path / "preds.csv"
    table.write_text("sentence_id,predicted,human\ns1,0 1 2,0 1\ns2,,0 1 2\n")
    assert evaluate(["score", "--pred", str(table), "--metrics", name, "--quiet"]) == 0
    assert "| length-error | 2.0000 |" in capsys.readouterr().out


def test_the_importer_counts_from_one(names: dict[str, Any], tmp_path: Path) -> None:
    exec(block("add-a-corpus.md", "python"), names)
    fixations, sentences = tmp_path / "fixations.csv", tmp_path / "sentences.csv"
    fixations.write_text(
        "reader_id,sentence_id,fixation_index,word_id,duration_ms\nr1,s1,0,1,210\nr1,s1,1,3,180\n"
    )
    sentences.write_text("sentence_id,text\ns1,The cat sat.\n")
    (path,) = names["import_mine"](fixations, sentences).scanpaths
    assert path.positions == (0, 2)
    assert "mine" in IMPORTERS
