"""The wheel: small, complete, and working from another folder; the source archive it can be built from."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIMIT = 12_000_000  # bytes, demo corpus and shipped models included
PACKAGES = ("scandl", "scandl_eval", "scandl_analysis", "scandl_reports")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source archive from a copy, so that nothing is left in the project."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    _copy_project(source)
    code = f"import setuptools.build_meta as backend; backend.build_sdist({str(out)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=source, check=True, capture_output=True)
    (built,) = out.glob("*.tar.gz")
    return built


def _copy_project(target: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:  # an unpacked source archive
        shutil.copytree(ROOT, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*", "*.egg-info"))
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes((ROOT / name).read_bytes())


@pytest.fixture(scope="module")
def wheel(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from the source archive, as pip does."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w"]
    subprocess.run([*command, str(out), str(archive)], check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> Message:
    """Return what an index shows of the wheel."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(files.read(name).decode())


def test_the_wheel_is_small_and_holds_our_packages_alone(wheel: Path) -> None:
    assert wheel.stat().st_size < LIMIT
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "scandl",
        "scandl_eval",
        "scandl_analysis",
        "scandl_reports",
    }
    assert "scandl/corpora/demo/fixations.csv" in names
    assert "scandl/py.typed" in names


def test_the_source_archive_has_what_a_packager_needs(archive: Path) -> None:
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    for name in (
        "CITATION.cff",
        "CHANGELOG.md",
        "LICENSE",
        "Makefile",
        "constraints.txt",
        "mkdocs.yml",
        "docs/install.md",
        "docs/images/report.png",
        "reports/examples/demo.html",
        "tests/conftest.py",
        "tests/analysis/glm/test_fit.py",
        "benchmarks/speed/bench_glm.py",
    ):
        assert name in names
    assert not [name for name in names if "__pycache__" in name]


def test_an_index_page_says_who_and_for_which_pythons(metadata: Message) -> None:
    assert metadata["Author"] == "the scandl developers"
    assert metadata["Requires-Python"] == ">=3.11"
    classifiers = metadata.get_all("Classifier") or []
    for python in ("3.11", "3.12", "3.13"):
        assert f"Programming Language :: Python :: {python}" in classifiers


def test_one_version_everywhere(metadata: Message) -> None:
    from scandl.version import __version__

    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, flags=re.MULTILINE) == [__version__]
    assert metadata["Version"] == __version__
    assert {importlib.import_module(name).__version__ for name in PACKAGES} == {__version__}


def test_the_version_costs_no_third_party_import() -> None:
    heavy = "{'numpy', 'pandas', 'matplotlib', 'torch', 'scipy', 'importlib.metadata'}"
    code = (
        "import sys, scandl, scandl_eval, scandl_analysis\n"
        "assert scandl.__version__ == scandl_eval.__version__ == scandl_analysis.__version__\n"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_base_installation_leaves_out_what_has_an_extra(metadata: Message) -> None:
    """PDF, Parquet, torch, compilers and the samplers are hundreds of megabytes that scoring does not need."""
    needed = metadata.get_all("Requires-Dist") or []
    base = {re.split(r"[ ><=;\[]", one)[0] for one in needed if "extra ==" not in one}
    assert not base & {
        "typst",
        "pyarrow",
        "torch",
        "pymc",
        "bambi",
        "arviz",
        "nutpie",
        "numba",
        "onnxruntime",
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert any(one.startswith("typst") for one in extras["pdf"])
    assert any(one.startswith("pyarrow") for one in extras["parquet"])
    assert any(one.startswith("pocketsphinx") for one in extras["analysis"])
    named = set(re.fullmatch(r"scandl\[(.*)\]", extras["all"][0])[1].split(","))
    assert named == set(extras) - {"all", "test", "docs", "dev"}


def imported(path: Path) -> set[str]:
    """Return the top-level names of the modules a file imports when it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    named = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    named += [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in named}


def test_everything_imported_is_declared() -> None:
    """A module that only the developers' environment has would fail for everybody else."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    declared = {re.split(r"[ ><=;\[]", one)[0] for group in groups for one in group}
    along = {"llvmlite", "markupsafe"}  # with numba and jinja2, which cannot do without
    roots = [
        ROOT / folder
        for folder in (
            "scandl",
            "benchmarks/scandl_eval",
            "analysis/scandl_analysis",
            "reports/scandl_reports",
        )
    ]
    found = set().union(*(imported(path) for root in roots for path in root.rglob("*.py")))
    found = {{"PIL": "pillow"}.get(name, name) for name in found}  # one is imported under another name
    assert {"numpy", "tqdm"} <= found
    assert found - declared - along - set(PACKAGES) - set(sys.stdlib_module_names) == set()


def test_the_three_commands_run_from_the_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    """Install without dependencies into a folder of its own; third parties come from this environment."""
    site = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    for name, *arguments in (
        ("scandl", "corpus", "check", "demo"),
        ("scandl_eval", "--version"),
        ("scandl_analysis", "--version"),
    ):
        code = (
            f"import runpy, sys; sys.path.insert(0, {str(site)!r}); sys.argv[1:] = {arguments!r}\n"
            f"import {name}; assert {name}.__file__.startswith({str(site)!r})\n"
            f"runpy.run_module({name!r}, run_name='__main__', alter_sys=True)"  # as python -m does
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout


@pytest.mark.slow
def test_pip_takes_the_advice_to_add_an_extra(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a clean environment with the wheel alone, pip needs no index to know what the extra brings."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "env")], check=True)
    python = str(tmp_path / "env" / "bin" / "python")
    pip = [python, "-m", "pip", "install", "-q", "--no-index"]
    subprocess.run([*pip, "--no-deps", str(wheel)], check=True, capture_output=True)
    code = "from scandl.extras import install_command; print(install_command('zuco'))"
    advised = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert advised.stdout == "pip install 'scandl[zuco]'\n", advised.stderr
    done = subprocess.run([*pip, "--no-deps", "--dry-run", "scandl[zuco]"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*pip, "--dry-run", "scandl[zuco]"], capture_output=True, text=True)
    assert "No matching distribution found for" in done.stderr  # of what it brings, without an index
    assert "distribution found for scandl" not in done.stderr
