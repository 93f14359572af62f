"""``scandl split``: files of folds, and flags that do not go together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scandl.cli import main
from scandl.corpora.corpus_folder import open_corpus
from scandl.splits import make_folds, read_fold


def test_files_hold_the_folds_that_python_makes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = [
        "split",
        "--corpus",
        "demo",
        "--setting",
        "nr",
        "--folds",
        "3",
        "--seed",
        "4",
        "--out",
        str(tmp_path),
    ]
    assert main(command) == 0
    folds = make_folds(open_corpus("demo"), "nr", seed=4, n_folds=3)
    files = sorted(tmp_path.glob("*.json"))
    assert [read_fold(file) for file in files] == folds
    assert len(capsys.readouterr().out.splitlines()) == 2 + 3


@pytest.mark.parametrize(
    ("flags", "text"),
    [
        (["--setting", "cross"], "--test-corpus goes with --setting cross, and only with it"),
        (
            ["--setting", "ns", "--test-corpus", "demo"],
            "--test-corpus goes with --setting cross, and only with it",
        ),
        (
            ["--setting", "cross", "--test-corpus", "demo", "--folds", "3"],
            "--folds and --shared-only do not go with --setting cross: it has one fold",
        ),
        (["--setting", "ns", "--folds", "1"], "--folds 1: expected at least 2"),
    ],
)
def test_what_does_not_go_together(
    flags: list[str], text: str, tmp_path: Path, refused: Callable[[list[str]], str]
) -> None:
    assert refused(["split", "--corpus", "demo", "--out", str(tmp_path), *flags]) == f"scandl: {text}"
    assert list(tmp_path.iterdir()) == []
