"""A score is made in few modules: who follows ``nld`` through the code reads no more than these."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("modules_visited.py")
MOST = 25


def test_nld_does_its_work_in_few_modules(tmp_path: Path) -> None:
    """With texts, baselines, human ceiling, energy and intervals, on readers who have a name."""
    rows = [
        f"{reader},{sentence},{fold},one two three four,{predicted},{human}"
        for sentence, fold in (("s1", 0), ("s2", 1), ("s3", 0), ("s4", 1))
        for reader, predicted, human in (
            ("a", "0 1 3", "0 2 3"),
            ("b", "0 1 2 3", "0 1 1 3"),
            ("c", "0 3", "1 2"),
        )
    ]
    file = tmp_path / "preds.csv"
    file.write_text("\n".join(["reader_id,sentence_id,fold,text,predicted,human", *rows]) + "\n")
    command = [sys.executable, str(SCRIPT), "scandl_eval", "nld", "--pred", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    modules = done.stdout.split()
    assert "scandl_eval.scoring.engine" in modules
    assert len(modules) <= MOST, "\n".join(modules)
