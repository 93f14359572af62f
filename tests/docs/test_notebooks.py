"""The notebooks run, and show what they are stored with."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib as mpl
import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
NEEDS = {"analyse-your-corpus": "pocketsphinx"}


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The hook that MkDocs calls."""
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "docs" / "hooks" / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    before = mpl.get_backend()
    mpl.use("agg")
    yield
    mpl.use(before)


def texts(notebook: dict[str, Any]) -> list[list[dict[str, str]]]:
    """Return what each cell shows as text; figures are counted, fonts differ between machines."""
    return [
        [
            {kind: "".join(lines) for kind, lines in shown(output).items() if kind != "image/png"}
            for output in cell["outputs"]
        ]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def shown(output: dict[str, Any]) -> dict[str, list[str]]:
    return output["data"] if "data" in output else {"stdout": output["text"]}


def run_alone(hook: ModuleType, path: Path) -> dict[str, Any]:
    """Run a notebook in a process of its own, as its reader does: other tests leave no trace in it."""
    code = (
        "import json, runpy, sys; from pathlib import Path; hook = runpy.run_path(sys.argv[1]);"
        "found = hook['run_notebook'](hook['read_notebook'](Path(sys.argv[2])));"
        "sys.__stdout__.write('\\n@@' + json.dumps(found))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(hook.__file__), str(path)],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"MPLBACKEND": "agg"},
    )
    return json.loads(done.stdout.rpartition("@@")[2])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_what_they_are_stored_with(
    path: Path, hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem])
    monkeypatch.chdir(tmp_path)
    stored = hook.read_notebook(path)
    assert texts(run_alone(hook, path)) == texts(stored)
    assert list(tmp_path.iterdir()) == []  # nothing is written unless it is asked for


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_pages_have_every_cell(path: Path, hook: ModuleType) -> None:
    notebook = hook.read_notebook(path)
    page = hook.as_markdown(notebook, path.name)
    assert page.startswith("# ")
    assert all(hook.source_of(cell) in page for cell in notebook["cells"])
    assert page.endswith(f"[Download this notebook]({path.name})\n")
    assert "<style" not in page
    assert "border=" not in page  # tables have the style of the site


def test_a_cell_shows_what_jupyter_shows(hook: ModuleType) -> None:
    pytest.importorskip("matplotlib.pyplot").close(
        "all"
    )  # figures that other tests of this process left open
    assert hook.run_cell("a = 1", {}) == []
    assert hook.run_cell("2;", {}) == []
    printed, value = hook.run_cell("print('x')\n[1]", {}, 7)
    assert printed == {"name": "stdout", "output_type": "stream", "text": ["x\n"]}
    assert value["execution_count"] == 7
    (figure,) = hook.run_cell("from matplotlib import pyplot\npyplot.figure();", {})
    assert figure["data"]["image/png"].startswith("iVBOR")
