"""The wheel: small, complete, and working from another folder."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIMIT = 2_000_000  # bytes, demo corpus and demonstration model included


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy, so that nothing is left in the project."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(out),
        str(source),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_is_small_and_holds_our_packages_alone(wheel: Path) -> None:
    assert wheel.stat().st_size < LIMIT
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {
        "scandl", "scandl_eval", "scandl_analysis", "scandl_reports"
    }  # fmt: skip
    assert "scandl/corpora/demo/fixations.csv" in names
    assert "scandl/py.typed" in names


def test_the_three_commands_run_from_the_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    """Install without dependencies into a folder of its own; third parties come from this environment."""
    site = tmp_path / "site"
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    for name, *arguments in (
        ("scandl.cli", "corpus", "check", "demo"),
        ("scandl_eval.cli", "--version"),
        ("scandl_analysis.cli", "--version"),
    ):
        code = (
            f"import sys; sys.path.insert(0, {str(site)!r})\n"
            f"from {name} import main\n"
            f"assert main.__code__.co_filename.startswith({str(site)!r})\n"
            f"sys.exit(main({arguments!r}))"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout
