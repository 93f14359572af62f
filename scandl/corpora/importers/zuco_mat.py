"""The MATLAB files of ZuCo: one per reader and task, in the old format or in HDF5 (v7.3).

``sentenceData`` is an array of structs with ``content`` (the text), ``word`` (structs with
``content``), ``allFixations`` (``x``, ``y``, ``duration``) and ``wordbounds`` (left, top, right,
bottom of each word). NaN stands where a trial has no recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.importers.fixation_report import FixationReport, ReportColumn
from scandl.errors import DataError, Fact
from scandl.extras import need

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

_HDF5 = b"\x89HDF\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Trial:
    """One sentence as one reader read it."""

    words: tuple[str, ...]
    boxes: Array  # (words, 4): left, top, right, bottom
    fixations: Array | None  # (fixations, 3): x, y, samples; None = nothing was recorded


def read_matlab(path: Path) -> tuple[FixationReport, dict[str, str], Counter[str]]:
    """Return the fixations by number of the sentence, the texts, and what was left out."""
    texts: dict[str, str] = {}
    rows: list[tuple[str, str, str]] = []
    dropped: Counter[str] = Counter()
    for number, trial in enumerate(read_results(path), start=1):
        texts[str(number)] = " ".join(trial.words)
        if trial.fixations is None:
            dropped["trials without a recording"] += 1
        elif len(trial.boxes) != len(trial.words):
            dropped["trials whose words and word boxes differ in number"] += 1
        else:
            places = word_of(trial.fixations, trial.boxes)
            samples = trial.fixations[:, 2].tolist()
            rows += [(str(number), word, f"{n:g}") for word, n in zip(places, samples, strict=True)]
    names = ("number", "word_index", "duration_ms")
    columns = {name: ReportColumn.of(name, [row[k] for row in rows]) for k, name in enumerate(names)}
    return FixationReport(path, columns, line_of=lambda row: None), texts, +dropped


def word_of(fixations: Array, boxes: Array) -> list[str]:
    """Return the first word whose box holds each fixation, borders included; a dot where none does."""
    import numpy as np

    x, y = fixations[:, 0, None], fixations[:, 1, None]  # (fixations, 1) each
    left, top, right, bottom = boxes.T  # (words,) each
    inside = (left <= x) & (x <= right) & (top <= y) & (y <= bottom)  # (fixations, words)
    return np.where(inside.any(axis=1), inside.argmax(axis=1).astype(str), ".").tolist()


def read_results(path: Path) -> Iterator[Trial]:
    """Yield the trials of one file in the order of the sentences."""
    with path.open("rb") as stream:
        hdf5 = _HDF5 in stream.read(1024)  # MATLAB puts 512 bytes of its own before the signature
    yield from _read_hdf5(path) if hdf5 else _read_old(path)


def _read_old(path: Path) -> Iterator[Trial]:
    import numpy as np
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        data = loadmat(path, squeeze_me=True, struct_as_record=False, variable_names=["sentenceData"])
    except (MatReadError, ValueError, TypeError, NotImplementedError) as error:
        raise DataError(path, None, None, Fact(str(error)), "a MATLAB file") from None
    for trial in np.atleast_1d(_sentence_data(path, data)):
        eyes = trial.allFixations
        fixations = None
        if hasattr(eyes, "x"):
            fixations = _columns(eyes.x, eyes.y, eyes.duration)
        words = [str(word.content) for word in np.atleast_1d(trial.word) if hasattr(word, "content")]
        yield _trial(path, str(trial.content), words, np.array(trial.wordbounds), fixations)


def _read_hdf5(path: Path) -> Iterator[Trial]:
    h5py = need("h5py", "zuco")
    try:
        yield from _hdf5_trials(h5py, path)
    except (OSError, RuntimeError, KeyError, ValueError, TypeError) as error:  # h5py's, of damaged parts
        found = Fact((str(error) or type(error).__name__).splitlines()[0])
        raise DataError(path, None, None, found, "a MATLAB file that is whole") from None


def _hdf5_trials(h5py: Any, path: Path) -> Iterator[Trial]:
    with h5py.File(path, "r") as file:
        data = _sentence_data(path, file)
        for n in range(_length(data["content"])):
            eyes = _element(file, data["allFixations"], n)
            word = _element(file, data["word"], n)
            fixations = None
            if isinstance(eyes, h5py.Group):
                fixations = _columns(eyes["x"][()], eyes["y"][()], eyes["duration"][()])
            words = []
            if isinstance(word, h5py.Group):
                contents = word["content"]
                words = [_text(_element(file, contents, k)) for k in range(_length(contents))]
            content = _text(_element(file, data["content"], n))
            # HDF5 holds MATLAB's columns as rows.
            yield _trial(path, content, words, _element(file, data["wordbounds"], n)[()].T, fixations)


def _sentence_data(path: Path, data: Any) -> Any:
    if "sentenceData" not in data:
        raise DataError(path, None, None, Fact("no variable sentenceData"), "a results file of ZuCo")
    return data["sentenceData"]


def _length(dataset: Any) -> int:
    """Return the number of structs: one struct alone is stored without references."""
    return int(dataset.size) if dataset.dtype.kind == "O" else 1


def _element(file: Any, dataset: Any, n: int) -> Any:
    if getattr(dataset, "dtype", None) is None or dataset.dtype.kind != "O":
        return dataset
    return file[dataset[()].ravel()[n]]


def _text(dataset: Any) -> str:
    return "".join(map(chr, dataset[()].ravel().tolist()))


def _columns(*columns: Any) -> Array:
    import numpy as np

    return np.stack([np.atleast_1d(np.squeeze(column)).astype(np.float64) for column in columns], axis=1)


def _trial(path: Path, content: str, words: Sequence[str], bounds: Any, fixations: Array | None) -> Trial:
    """Return the trial; the words are those of the text if they are as many as the boxes."""
    import numpy as np

    boxes = np.asarray(bounds, dtype=np.float64)
    boxes = boxes.reshape(-1, 4) if boxes.size % 4 == 0 else np.zeros((0, 4))
    text = tuple(content.split())
    if not text:
        raise DataError(path, None, "content", content, "the text of a sentence")
    single = all(len(word.split()) == 1 for word in words)
    if len(text) != len(boxes) == len(words) and single:
        text = tuple(word.strip() for word in words)
    return Trial(text, boxes, fixations)
