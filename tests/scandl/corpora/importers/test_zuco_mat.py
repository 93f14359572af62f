"""ZuCo's MATLAB files: boxes, samples and what is damaged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from scipy.io import savemat

from scandl.corpora.importers.zuco_mat import read_matlab, word_of
from scandl.errors import DataError

# Two lines of text: three words above, one below; the boxes of neighbours touch.
BOXES = np.array([[0, 0, 10, 10], [10, 0, 30, 10], [30, 0, 50, 10], [0, 10, 20, 20]], dtype=float)

TEXT = "One two three four"

Trial = tuple[str, np.ndarray[Any, Any], list[tuple[float, float, float]] | None]

FIXATIONS = [(5, 5, 100), (99, 99, 70), (10, 5, 60), (5, 15, 49), (5, 10, 51)]


def save_hdf5(path: Path, trials: list[Trial]) -> None:
    """Write what MATLAB v7.3 makes: a user block, references, characters as numbers, columns as rows."""
    with h5py.File(path, "w", userblock_size=512) as file:
        refs, data = file.create_group("#refs#"), file.create_group("sentenceData")
        columns: dict[str, list[Any]] = {
            name: [] for name in ("content", "word", "allFixations", "wordbounds")
        }

        def put(value: Any) -> Any:
            refs[str(len(refs))] = value
            return refs[str(len(refs) - 1)].ref

        def characters(text: str) -> Any:
            return np.array([[ord(c)] for c in text], dtype=np.uint16)

        for text, boxes, fixations in trials:
            columns["content"].append(put(characters(text)))
            columns["wordbounds"].append(put(boxes.T))
            if fixations is None:
                columns["word"].append(put(np.array([[np.nan]])))
                columns["allFixations"].append(put(np.array([[np.nan]])))
                continue
            word, eyes = refs.create_group(str(len(refs))), None
            contents = [put(characters(w)) for w in text.split()]
            if len(contents) > 1:
                word["content"] = np.array(contents, dtype=h5py.ref_dtype)[:, None]
            else:
                word["content"] = characters(text)
            columns["word"].append(word.ref)
            eyes = refs.create_group(str(len(refs)))
            for name, values in zip(("x", "y", "duration"), zip(*fixations, strict=True), strict=True):
                eyes[name] = np.array([values], dtype=float)
            columns["allFixations"].append(eyes.ref)
        for name, values in columns.items():
            data[name] = np.array(values, dtype=h5py.ref_dtype)[:, None]
    with path.open("r+b") as stream:
        stream.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(128))


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
