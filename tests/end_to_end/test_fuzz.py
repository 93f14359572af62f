"""The fuzzing script finds no fault in a few attacks of each kind, and would find one."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "fuzz" / "fuzz.py"


@pytest.fixture(scope="module")
def fuzz() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fuzz", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz"] = module
    spec.loader.exec_module(module)
    return module


def test_a_few_attacks_of_each_kind(fuzz: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seed", "7", "--attacks", str(3 * len(fuzz.KINDS))]) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_many_attacks(fuzz: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--seed", "8", "--attacks", "1500"]) == 0, capsys.readouterr().out


def test_an_attack_is_repeated_by_its_number(fuzz: ModuleType) -> None:
    one, other = (fuzz.attacked(3, 1)[1] for _ in range(2))
    assert (one.code, one.printed) == (other.code, other.printed)


def test_the_oracle_sees_faults(fuzz: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that raises, that says two lines, that changes its input, that leaves something behind."""

    class Broken:
        @staticmethod
        def main(argv: list[str]) -> int:
            if argv[0] == "raises":
                raise ZeroDivisionError
            print("one\ntwo", file=sys.stderr)
            (tmp_path / "input.csv").write_text("changed")
            (tmp_path / ".half").write_text("")
            return 2

    (tmp_path / "input.csv").write_text("as it was")
    monkeypatch.setattr(fuzz, "import_module", lambda _: Broken)
    (raised,) = fuzz.judged(fuzz.Attack(["scandl", "raises"]), tmp_path).faults
    assert "ZeroDivisionError" in raised
    assert fuzz.judged(fuzz.Attack(["scandl", "works"]), tmp_path).faults == [
        "2 lines for exit code 2",
        "an input was changed",
        "something half-written was left",
    ]


def test_a_wrong_number_is_a_fault(fuzz: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "out.json").write_text('{"rows": [{"model": "mine", "mean": 0.5}]}')
    attack = fuzz.Attack([], expected=0.25, note="json")
    assert list(fuzz.number_faults(attack, tmp_path)) == ["json: found NLD 0.5, expected 0.25"]
