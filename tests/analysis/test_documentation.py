"""What the pages on measures and predictors show is what the code does."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"


def python_block(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]


def test_examples_of_measures() -> None:
    example = doctest.DocTestParser().get_doctest(python_block("measures.md"), {}, "measures.md", None, 0)
    failed, tried = doctest.DocTestRunner().run(example)
    assert (failed, tried) == (0, 2)


def test_the_python_block_of_predictors_runs() -> None:
    names: dict[str, Any] = {}
    exec(python_block("predictors.md"), names)
    assert abs(names["scaled"]["surprisal"].mean()) < 1e-9
    assert len(names["constants"]) == 3
