"""What is said where an optional package is missing, and the command that is advised."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scandl import extras
from scandl.errors import ScandlError
from scandl.extras import check_installed, install_command, is_installed, need

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
