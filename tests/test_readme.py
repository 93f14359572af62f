"""The README: its commands exist and run, its files are there."""

from __future__ import annotations

import os
import re
import select
import shlex
import subprocess
import sys
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


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """Return a folder with the reader's own ``preds.csv`` and nothing else."""
    rows = ["sentence_id,predicted,human,text"]
    rows += [f"s{k},0 1 2 3,0 {k % 3} 3,The old dog slept." for k in range(20)]
    (tmp_path / "preds.csv").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path


def started(command: str, folder: Path) -> str:
    """Run the installed command in a folder, with none of our paths, and return what it prints."""
    name, *arguments = shlex.split(command)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [Path(sys.executable).parent / name, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("scandl")])
def test_commands_run(command: str, fresh: Path) -> None:
    if command.startswith("scandl-analysis psycholing"):
        pytest.importorskip("nutpie", reason="scandl[analysis] is not installed")
    said = started(command, fresh)
    assert said
    assert "surprisal is a linear function" not in said  # [analysis] brings a source of its own


@pytest.mark.slow
def test_the_base_installation_writes_a_page(fresh: Path) -> None:
    started("scandl-eval nld --pred preds.csv --report page.html", fresh)
    assert (fresh / "page.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_the_base_installation_shows_progress_on_a_terminal(fresh: Path) -> None:
    pty, termios = (pytest.importorskip(name, reason="no terminals here") for name in ("pty", "termios"))
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    flags = "--corpus demo --settings nrns --folds 0 --models left-to-right,uniform --resamples 20 --out run"
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    command = [Path(sys.executable).parent / "scandl-eval", "run", *flags.split()]
    done = subprocess.run(command, cwd=fresh, env=environment, stdout=subprocess.PIPE, stderr=theirs)
    said = os.read(ours, 100_000).decode() if select.select([ours], [], [], 1.0)[0] else ""
    assert done.returncode == 0, said
    assert "fit and generate" in said
