"""Lazy names: a front door says what it offers, and imports it only when it is asked for."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

PACKAGES = ("scandl", "scandl_eval", "scandl_analysis")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there(package: str) -> None:
    door = import_module(package)
    for name in door.__all__:
        assert getattr(door, name) is not None
    assert set(door.__all__) <= set(dir(door))


@pytest.mark.parametrize("package", PACKAGES)
def test_types_and_names_lead_to_the_same_modules(package: str) -> None:
    """What type checkers are told, written twice in the file, is what is imported."""
    door = import_module(package)
    tree = ast.parse(Path(str(door.__file__)).read_text(encoding="utf-8"))
    told = {
        alias.asname or alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    dictionaries = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    homes = {name: home for each in dictionaries for name, home in ast.literal_eval(each).items()}
    assert {name: told.get(name) for name in homes} == homes
    assert sorted(homes) == sorted(door.__all__)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_door_opens_without_third_parties(package: str) -> None:
    script = (
        f"import sys; before = set(sys.modules); import {package}; dir({package});"
        "new = {name.split('.')[0] for name in set(sys.modules) - before};"
        "own = {'scandl', 'scandl_eval', 'scandl_analysis', 'scandl_reports'};"
        "print(sorted(new - own - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("package", ["scandl", "scandl_analysis"])
def test_every_public_function_has_an_example(package: str) -> None:
    """But for regressions, whose smallest example takes an extra and a while; their page has one."""
    door = import_module(package)
    for name in set(door.__all__) - {"fit", "predictive_power", "psycholing"}:
        if inspect.isfunction(getattr(door, name)):
            assert ">>> " in str(getattr(door, name).__doc__), name


def test_a_name_that_is_not_offered() -> None:
    with pytest.raises(AttributeError, match="module 'scandl' has no attribute 'spoon'"):
        import_module("scandl").spoon  # noqa: B018
