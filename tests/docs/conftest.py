"""Install the example of a page, as pip would."""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """Write the package of a page into a folder on sys.path; return the name of its module."""
    modules = []

    def install(page: str) -> str:
        text = (DOCS / page).read_text(encoding="utf-8")
        blocks = {
            language: (name, code)
            for language, name, code in re.findall(r"```(python|toml)\n# ([\w.]+)\n(.*?)```", text, re.DOTALL)
        }
        file, code = blocks["python"]
        (tmp_path / file).write_text(code, encoding="utf-8")
        project = tomllib.loads(blocks["toml"][1])["project"]
        info = tmp_path / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        )
        lines = [
            line
            for group, points in project["entry-points"].items()
            for line in [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
        ]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        monkeypatch.syspath_prepend(tmp_path)
        importlib.invalidate_caches()
        modules.append(file.removesuffix(".py"))
        return modules[-1]

    yield install
    for module in modules:
        sys.modules.pop(module, None)
