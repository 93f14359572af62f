"""What is said where an optional package is missing, and the command that is advised."""

from __future__ import annotations

import sys
from pathlib import Path

import numba
import pytest

from scandl import extras
from scandl.errors import ScandlError
from scandl.extras import check_installed, compiled, install_command, is_installed, need
from scandl.models.ezreader.ezreader import simulate_ezreader
from scandl.models.swift.swift import simulate_swift

ROOT = Path(__file__).parents[2]


def test_a_clone_is_named_by_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    assert install_command("analysis") == "pip install -e '.[analysis]'"
    monkeypatch.chdir(tmp_path)
    assert install_command("analysis") == f"pip install -e '{ROOT}[analysis]'"


def test_an_installed_wheel_is_named_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(extras, "__file__", str(tmp_path / "scandl" / "extras.py"))
    assert install_command("analysis") == "pip install 'scandl[analysis]'"


def test_what_is_missing_is_said_without_importing_the_rest() -> None:
    assert is_installed("math", "json.decoder")
    with pytest.raises(ScandlError) as caught:
        check_installed("math", "no_such_module.part", extra="pdf")
    assert str(caught.value) == f"this needs no_such_module, which is not installed: {install_command('pdf')}"


def test_a_package_that_is_switched_off_counts_as_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    assert not is_installed("typst")
    with pytest.raises(ScandlError, match="this needs typst, which is not installed"):
        need("typst", "pdf")


def test_a_fault_inside_a_package_is_not_called_a_missing_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "half_installed.py").write_text("import a_dependency_of_it\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_dependency_of_it"):
        need("half_installed", "model")


def test_a_package_that_lacks_another_is_not_called_absent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("import no_such_dependency")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        need("broken_package", "model")
    sys.modules.pop("broken_package", None)


def double(x: float) -> float:
    return 2 * x


def test_functions_keep_their_values() -> None:
    assert compiled(double)(1.5) == double(1.5) == 3.0


def test_without_a_folder_for_the_cache_it_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def njit(**options: bool) -> object:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'double': no locator available for file")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled(double)(2.0) == 4.0
    assert ["cache" in options for options in asked] == [True, False]


def test_without_numba_functions_stay_and_simulators_say_what_they_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert compiled(double) is double
    for simulate in (simulate_ezreader, simulate_swift):
        with pytest.raises(ScandlError, match=r"this needs numba, which is not installed: .*simulators"):
            simulate([])
