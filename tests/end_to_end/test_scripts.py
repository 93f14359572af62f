"""Scripts that are run by hand find what they import: no test runs them, and names move."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(path for path in (ROOT / "benchmarks").glob("*/*.py") if path.parent.name != "scandl_eval")


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_names_that_a_script_imports_exist(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scandl"):
            try:
                module = import_module(str(node.module))
            except ModuleNotFoundError as error:
                if str(error.name).startswith("scandl"):
                    raise
                pytest.skip(f"{error.name} is not installed")
            for name in (alias.name for alias in node.names):
                assert hasattr(module, name) or find_spec(f"{node.module}.{name}"), f"{node.module}.{name}"
