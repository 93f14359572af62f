"""The house does not grow unseen: these numbers are what was reached, and may only fall."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from measure_house import inner_imports, measured  # noqa: E402

MOST = {
    "modules of the packages": 327,
    "lines of the packages": 65_480,
    "imports inside functions": 215,
    "formatter switched off": 0,
    "class names twice": 0,
}


@pytest.fixture(scope="module")
def house() -> dict[str, int]:
    return measured()


@pytest.mark.parametrize("name", MOST)
def test_the_house_is_no_larger(name: str, house: dict[str, int]) -> None:
    assert house[name] <= MOST[name]


def test_what_counts(tmp_path: Path) -> None:
    """A small house by hand: two modules with a class of one name, one import inside, one empty package."""
    for path, text in (
        ("scandl/__init__.py", '"""A package."""\n'),
        ("scandl/a.py", "class Row:\n    pass\n\n\ndef f():\n    import json\n    return json\n"),
        ("benchmarks/scandl_eval/b.py", "class Row:\n    pass\n\n\nclass _Own:\n    pass\n"),
        ("benchmarks/speed/c.py", "x = 1  # fmt: skip\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert measured(tmp_path) == {
        "modules of the packages": 2,
        "lines of the packages": 13,
        "scripts beside the packages": 1,
        "lines of the scripts": 1,
        "imports inside functions": 1,
        "formatter switched off": 1,
        "class names twice": 1,
    }


def test_an_import_of_a_function_in_a_function_counts_once() -> None:
    import ast

    nested = "def f():\n    def g():\n        import json\n    return g\n"
    assert inner_imports(ast.parse(nested)) == 1
