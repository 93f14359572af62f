"""Output on terminals that lack letters, and names that would command them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.cli.terminal import harmless, harmless_output, print_table


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_letters_that_the_terminal_lacks_are_replaced(encoding: str) -> None:
    program = "import sys; from scandl.cli import main; sys.exit(main(['generate', '--model', 'demo', '--text', 'Der Ḁal 漢字 schläft…', '--quiet']))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert ("漢字" in text) == (encoding == "utf-8")
    assert "Der" in text


def test_an_error_is_printed_on_any_terminal(tmp_path: Path) -> None:
    program = "import sys; from scandl.cli import main; sys.exit(main(['corpus', 'show', 'nirgendwö…']))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )
    assert done.returncode == 2
    assert b"nirgendw??" in done.stderr
    assert b"Traceback" not in done.stderr


def test_control_characters_are_shown_and_layout_stays() -> None:
    assert harmless("a\tb\n\x1b[31m\x9b\x07\r") == "a\tb\n\\x1b[31m\\x9b\\x07\\r"


def test_an_escape_sequence_in_a_card_is_not_acted_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "corpus.toml").write_text('name = "mine"\nnotes = "red \\u001b[31m"\n')
    (tmp_path / "sentences.csv").write_text("sentence_id,text\ns,A cat.\n")
    assert main(["corpus", "show", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "red \\x1b[31m" in printed
    assert "\x1b" not in printed


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "head"),
    [
        (Screen, {}, "\x1b[1mmodel \\x07\x1b[0m"),
        (Screen, {"NO_COLOR": "1"}, "model \\x07"),
        (Screen, {"TERM": "dumb"}, "model \\x07"),
        (io.StringIO, {}, "model \\x07"),
    ],
)
def test_the_head_of_a_table_is_bold_where_a_terminal_can_show_it(stream, environment, head, monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", screen := stream())
    with harmless_output():
        print_table(["model \x07", "swift"])
    assert screen.getvalue() == f"{head}\nswift\n"


@pytest.mark.parametrize(
    ("closed", "told"),
    [
        (">&-", "standard output is closed: there is nowhere to print to"),
        ("2>&-", ""),
        (">&- 2>&-", ""),
        ("<&-", "standard input is closed, expected texts"),
    ],
)
def test_a_closed_stream_is_one_line_at_most(closed: str, told: str, tmp_path: Path) -> None:
    program = f"{sys.executable} -m scandl generate --model demo --quiet --text-file - {closed}"
    given = None if "<" in closed else b""  # an empty standard input is an error too
    done = subprocess.run(["sh", "-c", program], capture_output=True, input=given, cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stderr.decode().splitlines()
    assert len(lines) <= 1
    assert closed != "<&-" or lines == [f"scandl: {told}"]
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m scandl corpus list {closed}"], capture_output=True
    )
    if ">&-" in closed.split():
        assert done.returncode == 2
        assert done.stderr.decode() == (f"scandl: {told}\n" if told else "")
    else:
        assert done.returncode == 0


def test_a_backend_of_a_notebook_does_not_concern_commands(tmp_path: Path) -> None:
    figure = tmp_path / "a.svg"
    command = [sys.executable, "-m", "scandl", "generate", "--text", "A cat sat.", "--plot", str(figure)]
    done = subprocess.run(command, capture_output=True, env=os.environ | {"MPLBACKEND": "nosuch"})
    assert (done.returncode, done.stderr) == (0, b"")
    assert figure.stat().st_size > 1000
