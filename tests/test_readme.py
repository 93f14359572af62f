"""The README: its commands exist, its files are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```bash\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = [line.split("#")[0].strip() for block in BLOCKS for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(((?!http)[^)#]+)", README))))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("make ")])
def test_make_targets_exist(command: str) -> None:
    assert re.search(rf"^{command.split()[1]}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("scandl")])
def test_commands_are_understood(command: str) -> None:
    """Parse every command of the README with the real parser."""
    name, *arguments = shlex.split(command)
    module = {"scandl": "scandl", "scandl-eval": "scandl_eval", "scandl-analysis": "scandl_analysis"}[name]
    parser = __import__(f"{module}.cli", fromlist=["parser"]).parser()
    assert callable(parser.parse_args(arguments).run)
