"""ZuCo's MATLAB files: boxes, samples and what is damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat
from zuco_files import BOXES, FIXATIONS, TEXT, save_hdf5

from scandl.corpora.importers.zuco_mat import read_matlab, word_of
from scandl.errors import DataError


def test_boxes_agree_with_a_slow_definition() -> None:
    rng = np.random.default_rng(3)
    left_top = rng.integers(0, 20, (6, 2))
    boxes = np.hstack([left_top, left_top + rng.integers(0, 8, (6, 2))]).astype(float)
    fixations = rng.integers(0, 28, (200, 3)).astype(float)
    slow = []
    for x, y, t in fixations:
        for n, (x1, y1, x2, y2) in enumerate(boxes):
            if x1 <= x <= x2 and y1 <= y <= y2:
                slow.append((n, t))
                break
    fast = word_of(fixations, boxes)
    assert [(int(word), t) for word, t in zip(fast, fixations[:, 2], strict=True) if word != "."] == slow


def test_files_that_are_not_zuco(tmp_path: Path) -> None:
    path = tmp_path / "resultsA_SR.mat"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(DataError, match=r"resultsA_SR\.mat: found .*expected a MATLAB file"):
        read_matlab(path)
    savemat(path, {"other": 1})
    with pytest.raises(DataError, match="found no variable sentenceData, expected a results file of ZuCo"):
        read_matlab(path)


def test_a_damaged_hdf5_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "resultsZAB_SR.mat"
    save_hdf5(path, [(TEXT, BOXES, FIXATIONS)])
    whole = path.read_bytes()
    for keep in (1024, len(whole) // 2):
        path.write_bytes(whole[:keep])
        with pytest.raises(
            DataError, match=r"resultsZAB_SR\.mat: found .*, expected a MATLAB file that is whole"
        ):
            read_matlab(path)
