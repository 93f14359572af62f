"""A real browser opens a page: what it loads, logs, sorts, plays and saves."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scandl_reports.svg import INK
from scandl_reports.writing import write_report

pytestmark = pytest.mark.slow
EXAMPLE = Path(__file__).parents[3] / "reports" / "examples" / "demo.html"
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> Path:
    """A folder with the browser driver and the accessibility checker."""
    if CHROMIUM is None or shutil.which("npm") is None:
        pytest.skip("chromium and npm are needed")
    folder = tmp_path_factory.mktemp("tools")
    (folder / "package.json").write_text("{}")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "playwright-core@1", "axe-core@4"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f"npm cannot install: {done.stderr[-200:]}")
    return folder


@pytest.fixture
def page(request, tmp_path) -> Path:
    """The page to open: the committed example, or one of a report of the tests."""
    if request.param == "example":
        return EXAMPLE
    write_report(request.getfixturevalue(request.param), tmp_path / "report.html")
    return tmp_path / "report.html"


def opened(page: Path, tools: Path) -> dict:
    script = Path(__file__).with_name("browser.mjs")
    subprocess.run(
        ["node", script, page, tools], check=True, env=os.environ | {"CHROMIUM": CHROMIUM}, timeout=300
    )
    return json.loads((tools / "result.json").read_text())


@pytest.mark.parametrize("page", ["report", "hostile", "tabbed", "example"], indirect=True)
def test_page_works(page, tools):
    found = opened(page, tools)
    assert found["problems"] == []
    assert [url for url in found["requests"] if not url.startswith(("blob:", "data:"))] == [f"file://{page}"]
    assert found["found"]["light"]["violations"] == []
    assert found["found"]["dark"]["violations"] == []
    assert found["found"]["light"]["paper"] != found["found"]["dark"]["paper"]
    assert found["found"]["light"]["ink"] != found["found"]["dark"]["ink"]
    assert found["print"]["nav"] is False
    assert found["print"]["paper_note"] is True
    assert found["overflow"] <= 0
    assert found["drawing"] <= 400  # on a screen of 400 px: figures scale
    assert INK in (tools / "drawing.svg").read_text()
    ElementTree.parse(tools / "drawing.svg")


@pytest.mark.parametrize("page", ["tabbed"], indirect=True)
def test_tabs_and_folds_by_mouse_keyboard_link_print_and_without_script(page, tools):
    found = opened(page, tools)
    assert found["problems"] == []
    assert found["found"]["light"]["violations"] == []
    tabs = found["tabs"]
    assert (tabs["first"], tabs["second"], tabs["back"]) == (["section-1"], ["section-2"], ["section-1"])
    assert (tabs["folded"], tabs["unfolded"]) == (False, True)
    assert tabs["linked"] == ["section-2"]
    assert found["scriptless"]["visible"] == [False, True]
    assert found["print"]["panels"] == [True, True]
    if shutil.which("pdftotext"):
        done = subprocess.run(
            ["pdftotext", tools / "printed.pdf", "-"], capture_output=True, text=True, check=True
        )
        assert all(word in done.stdout for word in ("First of two.", "Second of two.", "For who asks."))


@pytest.mark.parametrize("page", ["report"], indirect=True)
def test_sorting_and_playing(page, tools):
    found = opened(page, tools)
    assert found["sorted"] == {
        "before": ["0.71234", "0.9", "-0.0004"],
        "up": ["-0.0004", "0.71234", "0.9"],
        "state": "ascending",
        "down": ["0.9", "0.71234", "-0.0004"],
    }
    viewer = found["viewer"]
    assert (viewer["all"], viewer["first"], viewer["second"], viewer["played"]) == (7, 2, 4, 7)
    assert viewer["status"] == "r1: fixation 1 of 4 on “The”, 210 ms · markov: fixation 1 of 3 on “The”"
    assert viewer["playing"] == "true"
    assert viewer["rows"] == ["Reader r1", "markov", "uniform"]
    assert viewer["models_shown"] is True


@pytest.mark.parametrize("page", ["alone"], indirect=True)
def test_without_models_there_is_no_box_to_choose_one(page, tools):
    found = opened(page, tools)
    assert found["problems"] == []
    assert found["viewer"]["models_shown"] is False
    assert found["viewer"]["rows"] == ["Reader r1"]
