"""ZuCo's files as the tests write them: MATLAB 5 and v7.3."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
from scipy.io import savemat

# Two lines of text: three words above, one below; the boxes of neighbours touch.
BOXES = np.array([[0, 0, 10, 10], [10, 0, 30, 10], [30, 0, 50, 10], [0, 10, 20, 20]], dtype=float)

TEXT = "One two three four"

Trial = tuple[str, np.ndarray[Any, Any], list[tuple[float, float, float]] | None]

FIXATIONS = [(5, 5, 100), (99, 99, 70), (10, 5, 60), (5, 15, 49), (5, 10, 51)]


def save_old(path: Path, trials: list[Trial]) -> None:
    """Write the MATLAB 5 format, in which ZuCo 1.0 came."""
    data = np.zeros(
        len(trials), dtype=[(n, object) for n in ("content", "word", "allFixations", "wordbounds")]
    )
    for n, (text, boxes, fixations) in enumerate(trials):
        words = np.zeros(len(text.split()), dtype=[("content", object), ("fixPositions", object)])
        words["content"] = text.split()
        words["fixPositions"] = 1.0
        eyes: Any = np.nan
        if fixations is not None:
            x, y, t = np.array(fixations, dtype=float).reshape(-1, 3).T
            eyes = {"x": x, "y": y, "duration": t, "pupilsize": x}
        data[n] = (text, words if fixations is not None else np.nan, eyes, boxes)
    savemat(path, {"sentenceData": data})


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
