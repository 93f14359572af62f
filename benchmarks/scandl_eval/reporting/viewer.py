"""Sentences of a run to look at: readers and, beside them, what each model made of the sentence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from scandl.corpora import Corpus
from scandl.errors import DataError
from scandl.files.cell_values import parse_durations, parse_path
from scandl.files.tables import read_table
from scandl_eval.reporting.prediction_paths import EXPECTED_PATH, PathFile, evenly, read_columns
from scandl_reports.document import Figure, Note, Reading, ReadSentence
from scandl_reports.figures.chart import About
from scandl_reports.figures.scanpaths import scanpaths_figure

SENTENCES, READERS = 6, 6  # of each setting, of each sentence
DRAWN = 4  # readings of the printed figure

Pair = tuple[str, str]
"""(reader, sentence)"""


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
    shown = {f"Reader {reader.name}": reader.words} | {
        each.name: each.words for each in evenly(models, DRAWN)
    }
    return scanpaths_figure(
        About(
            f"One sentence, a reader and models: {name}",
            f"Scanpaths of reader {reader.name} and {len(shown) - 1} models over the words of "
            f"{sentence.sentence_id}.",
            "A dot is a fixation, numbered in order; an arc is a saccade, orange where it goes back.",
        ),
        sentence.words, shown,
    )  # fmt: skip


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


def _human(file: PathFile, row: int, corpus: Corpus | None) -> Reading:
    reader, sentence = file.columns["reader_id"][row], file.columns["sentence_id"][row]
    words = _path(file, "human", row)
    known = corpus.by_pair.get((reader, sentence)) if corpus is not None else None
    durations = known.durations if known is not None and known.words == words else None
    return Reading(reader, words, durations)


def _generated(model: str, file: PathFile, row: int, distance: float | None) -> Reading:
    cell = file.columns["durations"][row] if "durations" in file.columns else ""
    durations = parse_durations(cell) if cell else None
    return Reading(model, _path(file, "predicted", row), durations, file.columns["reader_id"][row], distance)


def _path(file: PathFile, column: str, row: int) -> tuple[int, ...]:
    cell = file.columns[column][row]
    try:
        return parse_path(cell)
    except ValueError:
        raise DataError(file.path, read_table(file.path).line(row), column, cell, EXPECTED_PATH) from None
