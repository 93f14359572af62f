"""The examples of the pages on metrics and corpora work as they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from scandl.corpora.importers import IMPORTERS
from scandl.corpora.public.declaration import declared
from scandl.corpora.public.importing import import_public
from scandl.measures.catalogue import METRICS
from scandl.records import Scanpath
from scandl_eval.cli import main as evaluate

DOCS = Path(__file__).parents[2] / "docs"


def block(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def names() -> Iterator[dict[str, Any]]:
    """The names a block defines; what it registers is taken back."""
    before = {registry: dict(registry._items) for registry in (IMPORTERS, METRICS)}
    yield {}
    for registry, items in before.items():
        registry._items.clear()
        registry._items.update(items)


def table_of_the_docs() -> str:
    spec = spec_from_file_location("hook", DOCS / "hooks" / "from_code.py")
    assert spec is not None
    assert spec.loader is not None
    hook = module_from_spec(spec)
    spec.loader.exec_module(hook)
    return str(hook.metrics())


def test_an_installed_metric_is_everywhere_without_another_edit(
    names: dict[str, Any],
    installed: Callable[[str], str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    installed("add-a-metric.md")
    table = tmp_path / "preds.csv"
    table.write_text("sentence_id,predicted,human\ns1,0 1 2,0 1\ns2,,0 1 2\n")
    page = tmp_path / "report.html"
    assert evaluate(["score", "--pred", str(table), "--metrics", "length-error", "--report", str(page)]) == 0
    assert "| length-error | 2.0000 |" in capsys.readouterr().out
    meaning = "How many fixations a generated path has more or fewer than the human one. Lower is better."
    assert meaning in page.read_text(encoding="utf-8")
    assert "`length-error` | lower | 1 | \\|fixations generated − human\\|" in table_of_the_docs()

    run = tmp_path / "run"
    few = ["--settings", "nrns", "--folds", "0", "--resamples", "20", "--quiet"]
    models = ["--models", "uniform,left-to-right", "--metrics", "length-error"]
    assert evaluate(["run", *models, "--out", str(run), *few]) == 0
    assert meaning in (run / "report.html").read_text(encoding="utf-8")
    rows = json.loads((run / "leaderboard.json").read_text())["rows"]
    ranks = {row["model"]: row["rank"] for row in rows if row["metric"] == "length-error"}
    assert sorted(rank for rank in ranks.values() if rank) == [1, 2]
    assert ranks["simulated readers"] is None  # they have a row, and no rank
    capsys.readouterr()
    assert evaluate(["leaderboard", str(run), "--sort", "length-error"]) == 0
    printed = capsys.readouterr().out
    assert "ranked by length-error" in printed
    first = next(model for model, rank in ranks.items() if rank == 1)
    assert printed.splitlines()[2].startswith(first)


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


def test_the_declared_corpus_is_imported(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text(
        "text,number,word,predictability\nA_1,1,The,\nA_1,2,cat,.1\nA_1,3,sat.,.4\n"
    )
    (tmp_path / "fix_07.tsv").write_text(
        "list\ttext\troi\tdur\tpractice\nA\t1\t1\t200\tno\nA\t1\t3\t180\tno\nA\t9\t1\t100\tyes\n"
    )
    for editions in ([], ["long"]):
        corpus = import_public(declared(block("add-a-corpus.md", "toml"), "mine", editions), tmp_path)
        assert corpus.scanpaths == (Scanpath("r07", "A_1", (0, 2), (200.0, 180.0)),)
        assert corpus.words == {"cloze": {"A_1": ("", ".1", ".4")}}
        assert corpus.sentences["A_1"].item == "A"
        assert corpus.card.dropped == {"rows with another practice": 1}
