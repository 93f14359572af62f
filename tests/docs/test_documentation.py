"""What the pages on measures, predictors and behaviour show is what the code does."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def python_block(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]


@pytest.mark.parametrize(("page", "examples"), [("measures.md", 2), ("behaviour.md", 5)])
def test_examples(page: str, examples: int) -> None:
    example = doctest.DocTestParser().get_doctest(python_block(page), {}, page, None, 0)
    failed, tried = doctest.DocTestRunner().run(example)
    assert (failed, tried) == (0, examples)


def test_the_python_block_of_predictors_runs() -> None:
    names: dict[str, Any] = {}
    exec(python_block("predictors.md"), names)
    assert abs(names["scaled"]["surprisal"].mean()) < 1e-9
    assert len(names["constants"]) == 3


def test_the_files_of_the_twenty_tasks_exist() -> None:
    """CONTRIBUTING says where a task is done; a file that moved would send a newcomer astray."""
    root = DOCS.parent
    table = (
        (root / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Twenty tasks")[1].split("\n## ")[0]
    )
    rows = [line.split(" | ")[1] for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 20
    for row in rows:
        assert (root / row.split("`")[1]).exists(), row
