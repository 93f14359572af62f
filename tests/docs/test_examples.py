"""What the pages show in console blocks is what the commands print; ``…`` stands for what was left out."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TUTORIAL = DOCS / "tutorial.md"
ELSEWHERE = (TUTORIAL, DOCS / "pilot.md", DOCS / "own-experiment.md")  # run by tests of their own
PAGES = sorted(page for page in DOCS.rglob("*.md") if "```console" in page.read_text(encoding="utf-8"))
ROOMS = {"scandl": "scandl", "scandl-eval": "scandl_eval", "scandl-analysis": "scandl_analysis"}
FAULT = re.compile(r"^(scandl(-eval|-analysis)?: |\S+\.csv:\d+: )", flags=re.MULTILINE)


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Yield each command of a page with the output it shows."""
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = re.sub(r"\\\n *", "", part).partition("\n")
            yield command, output


def bash_commands(page: Path) -> Iterator[str]:
    """Yield our commands in blocks that are shown without output."""
    for block in re.findall(
        r"^```(?:bash)?\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M
    ):
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("scandl"):
                yield line.split(" #")[0].strip()


def matches(expected: str, found: str) -> bool:
    """Compare, where a line ``…`` stands for any lines and ``…`` in a line for any text of that line."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()).replace("…", ".*") + " *\n"
        for line in expected.splitlines()
    )
    return re.fullmatch(pattern, found) is not None


def replay(page: Path, folder: Path) -> None:
    """Run the commands of a page in a folder, and compare what they print and how they end."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1", "SCANDL_CORPORA": ""}
    for command, expected in sessions(page):
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env=env,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert matches(expected, done.stdout), f"{page.name}: $ {command}\n{done.stdout}"
        assert done.returncode == _exit_code(command, expected), f"{page.name}: $ {command}"


def _exit_code(command: str, expected: str) -> int:
    """Return how a command must end: a check that finds faults is no misuse."""
    if command.startswith("scandl-eval verify ") and "not what the run wrote" in expected:
        return 1
    if not FAULT.search(expected):
        return 0
    return 1 if re.match(r"scandl-eval validate |scandl corpus check ", command) else 2


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        ("a 0.5\n", "a 0.5\n", True),
        ("a 0.5\n", "a 0.6\n", False),
        ("a …\n", "a 0.6 | 3\n", True),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nd\n", "a\nb\nc\n", False),
        ("", "something\n", False),
    ],
)
def test_only_what_is_left_out_may_differ(expected: str, found: str, same: bool) -> None:
    assert matches(expected, found) is same


def test_the_tutorial_does_what_it_shows(tmp_path: Path) -> None:
    pytest.importorskip("pocketsphinx")
    replay(TUTORIAL, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if page not in ELSEWHERE], ids=lambda page: page.stem
)
def test_examples_do_what_they_show(page: Path, tmp_path: Path) -> None:
    replay(page, tmp_path)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda page: page.stem)
def test_commands_are_understood(page: Path) -> None:
    """Parse every command of every page with the real parser, also those that take too long to run."""
    shown = [command for command, output in sessions(page) if not FAULT.search(output)]
    for command in [*shown, *bash_commands(page)]:
        name, *arguments = shlex.split(command)
        if name in ROOMS and not {"…", "KIND"} & set(arguments):
            parsed = import_module(f"{ROOMS[name]}.cli").parser().parse_args(arguments)
            assert callable(parsed.run), command
