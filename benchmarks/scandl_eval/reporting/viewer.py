"""Sentences of a run to look at, readers and models; its prediction tables, read once and fast."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scandl.corpora import Corpus
from scandl.drawings.picture import Trace
from scandl.errors import DataError
from scandl.extras import is_installed
from scandl.files.cell_values import parse_durations, parse_path
from scandl.files.tables import read_table
from scandl_reports.document import Figure, Note, ReadSentence, ShownReading
from scandl_reports.figures.chart import About
from scandl_reports.figures.comparisons import scanpaths_figure

SENTENCES, READERS = 6, 6  # of each setting, of each sentence
DRAWN = 4  # readings of the printed figure

Pair = tuple[str, str]
"""(reader, sentence)"""

T = TypeVar("T")
Whole = NDArray[np.int64]
FURTHEST = 5  # words; longer saccades share the outermost class
CLASSES = tuple(
    f"≤−{FURTHEST}" if k == -FURTHEST else f"≥{FURTHEST}" if k == FURTHEST else str(k).replace("-", "−")
    for k in range(-FURTHEST, FURTHEST + 1)
)
COLUMNS = ("reader_id", "sentence_id", "sample", "predicted", "human", "text")
EXPECTED_PATH = "word positions such as '0 1 1 3'"
Rates = list[tuple[str, float, float]]
"""(reader or sentence, human, model)"""


def read_sentences(
    group: str, files: Mapping[str, PathFile], folder: Path, setting: str, corpus: Corpus | None
) -> list[ReadSentence]:
    """Return a few sentences, spread over the setting, with a few readers each and all models."""
    if not files:
        return []
    first = next(iter(files.values()))
    chosen = dict(evenly(_tested(first), SENTENCES))
    readings = {sentence: [_human(first, row, corpus) for row in rows] for sentence, rows in chosen.items()}
    pairs = {(reading.name, sentence) for sentence, found in readings.items() for reading in found}
    for model, file in files.items():
        distances = _distances(folder / "scores" / model / f"{setting}.csv", pairs)
        for pair, row in _rows(file.columns, pairs).items():
            readings[pair[1]].append(_generated(model, file, row, distances.get(pair)))
    texts = {sentence: first.columns["text"][rows[0]] for sentence, rows in chosen.items()}
    return [
        ReadSentence(group, sentence, tuple(texts[sentence].split()), tuple(found))
        for sentence, found in readings.items()
    ]


def single_figure(sentence: ReadSentence, name: str) -> Figure | Note:
    """Draw one reader and the models beside, the figure of the ScanDL paper."""
    reader = sentence.readings[0]
    models = [reading for reading in sentence.readings if reading.instead_of == reader.name]
    shown = [Trace(f"Reader {reader.name}", reader.words, reader.durations)] + [
        Trace(each.name, each.words, each.durations) for each in evenly(models, DRAWN)
    ]
    return scanpaths_figure(
        About(
            f"One sentence, a reader and models: {name}",
            f"Scanpaths of reader {reader.name} and {len(shown) - 1} models over the words of "
            f"{sentence.sentence_id}.",
            "A dot is a fixation, numbered in order; an arc is a saccade; those below the words go back.",
        ),
        sentence.words,
        shown,
    )


def _tested(file: PathFile) -> list[tuple[str, list[int]]]:
    """Return the sentences of a table with the rows of a few of their readers."""
    rows: dict[str, list[int]] = {}
    for k, sentence in enumerate(file.columns["sentence_id"]):
        if file.columns["sample"][k] == "0":
            rows.setdefault(sentence, []).append(k)
    return [(sentence, evenly(found, READERS)) for sentence, found in sorted(rows.items())]


def _rows(columns: Mapping[str, list[str]], pairs: Collection[Pair]) -> dict[Pair, int]:
    """Return the row of the first sample of each (reader, sentence)."""
    keys = zip(columns["reader_id"], columns["sentence_id"], columns["sample"], strict=True)
    return {(r, s): k for k, (r, s, sample) in enumerate(keys) if sample == "0" and (r, s) in pairs}


def _distances(path: Path, pairs: Collection[Pair]) -> dict[Pair, float]:
    """Return the NLD of some instances from a table of scores; nothing where the run has none."""
    if not path.is_file():
        return {}
    columns = read_columns(path, ("reader_id", "sentence_id", "sample", "nld"))
    cells = {pair: columns["nld"][row] for pair, row in _rows(columns, pairs).items()}
    try:
        return {pair: float(cell) for pair, cell in cells.items() if cell}
    except ValueError as error:
        raise DataError(path, None, "nld", str(error), "numbers") from None


def _human(file: PathFile, row: int, corpus: Corpus | None) -> ShownReading:
    reader, sentence = file.columns["reader_id"][row], file.columns["sentence_id"][row]
    words = _path(file, "human", row)
    known = corpus.by_pair.get((reader, sentence)) if corpus is not None else None
    durations = known.durations if known is not None and known.positions == words else None
    return ShownReading(reader, words, durations)


def _generated(model: str, file: PathFile, row: int, distance: float | None) -> ShownReading:
    cell = file.columns["durations"][row] if "durations" in file.columns else ""
    durations = parse_durations(cell) if cell else None
    return ShownReading(
        model, _path(file, "predicted", row), durations, file.columns["reader_id"][row], distance
    )


def _path(file: PathFile, column: str, row: int) -> tuple[int, ...]:
    cell = file.columns[column][row]
    try:
        return parse_path(cell)
    except ValueError:
        raise DataError(file.path, read_table(file.path).line(row), column, cell, EXPECTED_PATH) from None


@dataclass(frozen=True)
class PathFile:
    """The predictions of one model in one setting."""

    path: Path
    columns: Mapping[str, list[str]]

    def step_shares(self, *, human: bool = False) -> list[float]:
        """Return the share of each class of saccade length."""
        counts = step_counts(self._positions("human" if human else "predicted"))
        total = max(int(counts.sum()), 1)
        return [int(count) / total for count in counts]

    def rates(self, by: str) -> Rates:
        """Return human and generated fixations per word for each value of the column ``by``."""
        names, groups = np.unique(np.array(self.columns[by], dtype=object).astype(str), return_inverse=True)
        words, human, model = (np.bincount(groups, weights=counts) for counts in self._counts)
        return [
            (str(name), float(h / n), float(m / n))
            for name, n, h, m in zip(names, words, human, model, strict=True)
            if n
        ]

    @cached_property
    def _counts(self) -> tuple[Whole, Whole, Whole]:
        """Words, human fixations and generated fixations of each row."""
        known = {text: len(text.split()) for text in set(self.columns["text"])}
        words = np.array([known[text] for text in self.columns["text"]], dtype=np.int64)
        human, model = (
            np.array([cell.count(" ") + bool(cell) for cell in self.columns[name]], dtype=np.int64)
            for name in ("human", "predicted")
        )
        return words, human, model

    def _positions(self, column: str) -> Whole:
        """Return the positions of all paths, −1 between two paths."""
        try:
            return np.array(" -1 ".join(self.columns[column]).split(), dtype=np.int64)
        except ValueError as error:
            raise DataError(self.path, None, column, str(error), EXPECTED_PATH) from None


def step_counts(positions: Whole) -> Whole:
    """Return how often each class of saccade length occurs; −1 stands between two paths.

    >>> step_counts(np.array([0, 1, 9, -1, 3, 3])).tolist()
    [0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1]
    """
    inside = (positions[1:] >= 0) & (positions[:-1] >= 0)
    steps = np.clip(np.diff(positions)[inside], -FURTHEST, FURTHEST) + FURTHEST
    return np.bincount(steps, minlength=2 * FURTHEST + 1)


def evenly(items: Sequence[T], most: int) -> list[T]:
    """Return at most so many items, evenly spread, the first among them.

    >>> evenly("abcdefg", 3), evenly("ab", 3)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    n = min(most, len(items))
    return [items[k * len(items) // n] for k in range(n)]


def read_paths(folder: Path, models: Iterable[str], setting: str) -> tuple[dict[str, PathFile], list[str]]:
    """Return the prediction tables of a setting by model, and the models that have none."""
    found, missing = {}, []
    for model in models:
        path = folder / "predictions" / model / f"{setting}.csv"
        if path.is_file():
            found[model] = PathFile(path, read_columns(path, COLUMNS, optional=("durations",)))
        else:
            missing.append(model)
    return found, missing


def read_columns(path: Path, names: Iterable[str], optional: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return columns of a CSV file as text.

    Where Arrow is installed, by its reader: ten times as fast as the one that finds faults.
    """
    needed, wanted = list(names), [*names, *optional]
    found = _by_arrow(path, wanted) if is_installed("pyarrow") else {}
    if set(needed) - set(found):
        table = read_table(path)  # this reader says what is wrong with the file, and where
        table.need(*needed)
        return {name: table.columns[name] for name in wanted if name in table.columns}
    return found


def _by_arrow(path: Path, wanted: Sequence[str]) -> dict[str, list[str]]:
    """Return those of the wanted columns that are there without a gap; nothing of a file with faults."""
    import pyarrow as pa
    from pyarrow import csv

    convert = csv.ConvertOptions(
        include_columns=wanted, include_missing_columns=True, column_types=dict.fromkeys(wanted, pa.string())
    )
    try:
        table = csv.read_csv(
            path, parse_options=csv.ParseOptions(newlines_in_values=True), convert_options=convert
        )
        columns = {name: table.column(name) for name in wanted}
    except (pa.ArrowInvalid, OSError):
        return {}
    return {name: values.to_pylist() for name, values in columns.items() if not values.null_count}
