"""The check of the layout finds what it is for."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).with_name("check_layout.py")


@pytest.fixture(scope="module")
def check() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_layout", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(root: Path, *files: str) -> Path:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()
    return root


def test_a_tidy_house_has_no_fault(check: ModuleType, tmp_path: Path) -> None:
    root = make(
        tmp_path,
        "scandl/__init__.py",
        "scandl/a.py",
        "scandl/cli/__init__.py",
        "scandl/room/__init__.py",
        "scandl/room/b.py",
        "tests/scandl/test_a.py",
        "tests/scandl/room/test_b.py",
        "tests/scandl/test_room.py",
        "tests/scandl/room/end_to_end/test_anything.py",
    )
    assert check.faults(root) == []


def test_every_kind_of_disorder_is_named(check: ModuleType, tmp_path: Path) -> None:
    root = make(
        tmp_path,
        *(f"scandl/full/m{n}.py" for n in range(35)),
        *(f"tests/scandl/full/test_m{n}.py" for n in range(35)),
        "scandl/one/same.py",
        "scandl/two/same.py",
        "tests/scandl/one/test_same.py",
        "tests/scandl/two/test_same.py",
        "scandl/untested.py",
        "tests/scandl/test_nothing.py",
        "scandl/tested.py",
        "tests/scandl/test_tested.py",
    )
    assert check.faults(root) == [
        "scandl/full: found 35 modules, expected at most 34",
        "scandl/one/same.py and scandl/two/same.py: found one name twice, expected a name of its own",
        "tests/scandl/test_nothing.py: found no module of this name, expected one, or end_to_end/",
        "scandl/untested.py: found no test file, expected test_untested.py",
    ]


def test_this_house_is_tidy(check: ModuleType) -> None:
    assert check.main() == 0
