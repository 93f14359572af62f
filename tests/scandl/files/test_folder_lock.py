"""Two writers and one folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scandl.errors import ScandlError
from scandl.files.folder_lock import locked

pytest.importorskip("fcntl")
HOLD = "import sys; from scandl.files.folder_lock import locked\nwith locked(sys.argv[1]): print('held', flush=True); input()"


def test_the_second_writer_is_told_and_a_killed_one_leaves_nothing(tmp_path: Path) -> None:
    run = tmp_path / "run"
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
    )
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(
            ScandlError, match=r"run: another command is writing into this folder; wait for it"
        ):
            locked(run).__enter__()
        other.kill()
    with locked(run):
        assert list(run.iterdir()) == []
    with locked(run):
        pass
