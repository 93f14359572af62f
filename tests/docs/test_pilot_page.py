"""The page on piloting: its stimuli and commands give what it shows, its Python runs."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "pilot.md"


@pytest.fixture(scope="module")
def examples() -> ModuleType:
    """Return the module that replays pages."""
    spec = importlib.util.spec_from_file_location("examples", Path(__file__).with_name("test_examples.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_does_what_it_shows(tmp_path: Path, examples: ModuleType) -> None:
    pytest.importorskip("pocketsphinx")
    (stimuli,) = re.findall(r"```csv\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    (tmp_path / "stimuli.csv").write_text(stimuli, encoding="utf-8")
    examples.replay(PAGE, tmp_path)


def test_its_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PAGE.read_text(encoding="utf-8")
    (stimuli,) = re.findall(r"```csv\n(.*?)```", text, flags=re.DOTALL)
    (code,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "stimuli.csv").write_text(stimuli, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    stated = 'effects=["TFT=25ms"]'
    assert stated in code
    exec(code.replace(stated, f'{stated}, readers=[8], pool=16, experiments=20, surprisal="unigram"'), {})
    assert (tmp_path / "pilot.html").stat().st_size > 10_000
