from __future__ import annotations

from pathlib import Path

import pytest

from scandl.cli import main


def test_no_run_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(
        "found no file, expected the settings of a run: give the folder of a run\n"
    )
