"""What is said where an optional package is missing, and the command that is advised."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numba
import pytest

from scandl import extras
from scandl.errors import ScandlError
from scandl.extras import Registry, check_installed, compiled, install_command, is_installed, need
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


def test_a_name_can_be_taken_once() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("one")(1)
    with pytest.raises(ScandlError, match="number 'one' is registered twice"):
        registry.register("one")(2)
    assert list(registry) == ["one"]
    assert "two" not in registry


def test_a_far_off_name_lists_what_there_is() -> None:
    registry: Registry[int] = Registry("number")
    registry.register("one")(1)
    with pytest.raises(ScandlError, match="^no number 'xyz'; known: one$"):
        registry["xyz"]


def test_other_packages_add_names_but_take_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "theirs.py").write_text("two = 2\none = -1\n")
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scandl.numbers]\ntwo = theirs:two\none = theirs:one\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    registry: Registry[int] = Registry("number", entry_point_group="scandl.numbers")
    registry.register("one")(1)
    assert list(registry) == ["one", "two"]
    assert (registry["one"], registry["two"]) == (1, 2)
