"""A corpus on disk: one folder of small tables, found by name, proved when read, whole when written."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from scandl.config import toml_text
from scandl.corpora.corpus import Card, Corpus, Pair, card_table, read_card
from scandl.errors import DataError, Fact, ScandlError, did_you_mean
from scandl.files.cell_values import (
    EXPECTED,
    IDENTIFIER,
    TEXT,
    is_duration,
    is_name,
    is_text,
    parse_duration,
    seconds_fault,
)
from scandl.files.results import atomic_folder, note_input, write_text
from scandl.files.tables import ENDINGS, Problems, TextTable, find_table, no_file, read_table, write_table
from scandl.records import Scanpath, Sentence

TABLES = ("sentences", "fixations", "words", "readers")
FILES = ("corpus.toml", *(f"{name}{ending}" for name in TABLES for ending in ENDINGS))
"""Every file that a corpus may have; what else stands in its folder is not ours to replace."""
_DIGITS = 9  # of an index: no path or text is longer
DEMO = "demo"
VARIABLE = "SCANDL_CORPORA"
"""The environment variable that lists directories with corpus folders."""
T = TypeVar("T")
LOST, GAP = -1, -2
"""In a corpus of which fixations were lost: one fixation of an unknown word; lost time."""
IMPUTED = "imputed"
"""The column of fixations.csv, and the name in ``Scanpath.extra``, of what was filled in."""
SUMMARY = "imputation.toml"
"""Stands in a folder of completed versions of a corpus, beside their folders 1, 2 and so on."""
MARKS = {"NA": LOST, "GAP": GAP}
"""How they are written in the column word_index of fixations.csv."""
Words = dict[str, dict[str, tuple[str, ...]]]
Readers = dict[str, dict[str, str]]


def open_corpus(name_or_path: str | Path | Any, stimulus: Any = None) -> Corpus:
    """Read a corpus by folder or by name, or take over a dataset of pymovements.

    Parameters
    ----------
    name_or_path
        A folder, a name, or a ``Dataset`` (or ``Events``) of pymovements whose fixations carry words.
    stimulus
        Of pymovements: the ``TextStimulus``, unless the dataset has it.

    Returns
    -------
    Corpus
        Sentences and the scanpaths of their readers.

    Examples
    --------
    >>> open_corpus("demo")
    <Corpus demo: 30 simulated readers, 80 sentences, 2,140 scanpaths>
    """
    if isinstance(name_or_path, str | Path):
        return read_corpus(find_corpus(name_or_path))
    from scandl.corpora.importers.pymovements import import_pymovements

    return import_pymovements(name_or_path, stimulus)


def find_corpus(name_or_path: str | Path) -> Path:
    """Return the folder of a corpus; a folder that exists goes before a name, but for the package's demo.

    What the demo is said to show must not depend on where one stands: a folder of that name is
    ``./demo``, or a ``Path``.
    """
    path = Path(name_or_path)
    if (path / "corpus.toml").exists() and name_or_path != DEMO:
        return path
    installed = installed_corpora()
    if str(name_or_path) in installed:
        return installed[str(name_or_path)]
    if path.is_dir() or path.name != str(name_or_path):
        return path  # reading it will say what it lacks
    from scandl.corpora.public.declaration import public_corpora

    if str(name_or_path) in public_corpora():
        raise ScandlError(f"no corpus {str(name_or_path)!r} here: scandl corpus fetch {name_or_path}")
    hint = did_you_mean(str(name_or_path), installed)
    raise ScandlError(
        f"no corpus {str(name_or_path)!r}{hint} (folders are found in ./corpora and ${VARIABLE})"
    )


def installed_corpora() -> dict[str, Path]:
    """Return the folders by name; the first of a name wins, and the demo is always the package's."""
    found = {DEMO: Path(str(files("scandl.corpora").joinpath("demo")))}
    listed = [Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part]
    for directory in (*listed, Path("corpora")):
        if directory.is_dir():
            for folder in sorted(directory.iterdir()):
                if (folder / "corpus.toml").is_file():
                    found.setdefault(folder.name, folder)
    return {name: folder for name, folder in found.items() if (folder / "corpus.toml").is_file()}


def read_corpus(
    folder: Path | str, problems: Problems | None = None, *, marks: Mapping[str, int] | None = None
) -> Corpus:
    """Read a corpus folder and prove its invariants; one without fixations is a set of texts.

    With ``problems`` all faults are collected there and faulty rows are left out. With ``marks`` a word
    index may be one of them: what was lost of a scanpath, where ``MARKS`` stand, is then read too.
    """
    root = Path(folder)
    problems = problems if problems is not None else Problems(stop_at_first=True)
    if not root.is_dir():
        raise DataError(
            root, None, None, Fact("no folder"), "a folder with corpus.toml, sentences.csv, fixations.csv"
        )
    if (root / SUMMARY).is_file():
        expected = (
            f"one of them, such as {root / '1'} (scandl-analysis measures, fit and psycholing pool all)"
        )
        raise DataError(root, None, None, Fact("versions of a corpus, completed by imputation"), expected)
    for name in FILES:
        note_input(root / name)
    card = _kept(problems, Card(name=root.name), lambda: read_card(root / "corpus.toml"))
    sentences: dict[str, Sentence] | None = _kept(
        problems, None, lambda: _read_sentences(find_table(root, "sentences"), problems)
    )
    scanpaths: list[Scanpath] = _kept(
        problems, [], lambda: _read_fixations(find_table(root, "fixations"), sentences, problems, marks or {})
    )
    readers: Readers = _kept(problems, {}, lambda: _read_readers(find_table(root, "readers"), problems))
    if sentences is None:
        return Corpus(card, {}, (), readers=readers)  # what belongs to sentences cannot be used without them
    words: Words = _kept(problems, {}, lambda: _read_words(find_table(root, "words"), sentences, problems))
    return Corpus(card, sentences, tuple(scanpaths), words, readers, root if words else None)


def _kept(problems: Problems, otherwise: T, read: Callable[[], T]) -> T:
    """Return what ``read`` returns; a fault that stops it is kept, so that the other files are read too."""
    try:
        return read()
    except DataError as error:
        problems.add(error)
        return otherwise


def write_corpus(corpus: Corpus, folder: Path | str, *, form: str = "csv") -> None:
    """Write a corpus folder as ``csv`` or ``parquet``, whole or not at all; it must pass its own check.

    What is known of readers who read nothing of it, as in a part of a corpus, is not written.
    """
    with atomic_folder(folder, owned=FILES) as root:
        write_text(root / "corpus.toml", toml_text(card_table(corpus.card)))
        write_table(root / f"sentences.{form}", _sentence_columns(corpus.sentences.values()))
        write_table(root / f"fixations.{form}", _fixation_columns(corpus.scanpaths))
        if corpus.words:
            write_table(root / f"words.{form}", _word_columns(corpus))
        who = set(corpus.reader_ids)
        readers = {key: row for key, row in corpus.readers.items() if key in who or not who}
        if readers:
            columns = list(next(iter(readers.values())))
            cells = {column: [row[column] for row in readers.values()] for column in columns}
            write_table(root / f"readers.{form}", {"reader_id": list(readers)} | cells)
        _prove(root, Path(folder), with_paths=bool(corpus.scanpaths))


def _prove(written: Path, target: Path, *, with_paths: bool) -> None:
    """Refuse a folder that its own check would refuse; a set of texts need not have fixations."""
    from scandl.corpora.corpus_check import check_corpus

    problems = Problems()
    if with_paths:
        problems.errors += check_corpus(written).problems
    else:
        read_corpus(written, problems)
    for error in problems.errors:
        place = target / error.path.relative_to(written)
        raise DataError(place, error.row, error.column, error.found, f"{error.expected}; it was not written")


def _read_sentences(path: Path, problems: Problems) -> dict[str, Sentence]:
    table = read_table(path)
    ids, texts = table.need("sentence_id", "text")
    items = table.columns.get("item_id", [""] * len(table))
    extra = [name for name in table.columns if name not in ("sentence_id", "text", "item_id")]
    sentences: dict[str, Sentence] = {}
    for i, (key, text, item) in enumerate(zip(ids, texts, items, strict=True)):
        if not key or key in sentences:
            found = Fact(f"{key!r} a second time" if key else "nothing")
            problems.add(
                DataError(path, table.line(i), "sentence_id", found, "each sentence once, with an id")
            )
        elif not is_name(key):
            problems.add(DataError(path, table.line(i), "sentence_id", key, IDENTIFIER))
        elif not text.split() or not is_text(text):
            expected = TEXT if text.split() else "a sentence of at least one word"
            problems.add(DataError(path, table.line(i), "text", text, expected))
        elif not is_name(item):
            problems.add(DataError(path, table.line(i), "item_id", item, IDENTIFIER))
        else:
            sentences[key] = Sentence(key, text, item, {name: table.columns[name][i] for name in extra})
    return sentences


def _read_fixations(
    path: Path, sentences: Mapping[str, Sentence] | None, problems: Problems, marks: Mapping[str, int]
) -> list[Scanpath]:
    """Read scanpaths; without sentences, which could not be read, any sentence of any length will do."""
    if not path.exists():
        return []
    table = read_table(path)
    columns = table.need("reader_id", "sentence_id", "fixation_index", "word_index")
    durations = table.columns.get("duration_ms", [""] * len(table))
    flags = _imputed_flags(table, problems)
    lengths: dict[str, float] = dict.fromkeys(columns[1], math.inf)
    if sentences is not None:
        lengths = {key: sentence.n_words for key, sentence in sentences.items()}
    # A table has many rows and few distinct names and numbers, so each text is looked at once.
    named = {reader for reader in set(columns[0]) if reader and is_name(reader)}
    numbers = {text: int(text) for text in {*columns[2], *columns[3]} if _is_index(text)}
    places = numbers | dict(marks)
    times = {text: float(text) if text else None for text in set(durations) if _is_duration(text)}
    trials: dict[Pair, list[tuple[int, int, float | None, int]]] = {}
    for i, (reader, sentence, index, word, duration) in enumerate(zip(*columns, durations, strict=True)):
        n, at, n_words = numbers.get(index), places.get(word), lengths.get(sentence)
        if (
            reader not in named
            or n is None
            or at is None
            or n_words is None
            or at >= n_words
            or duration not in times
        ):
            fault = _fixation_fault(reader, sentence, index, word, duration, lengths)
            problems.add(DataError(path, table.line(i), *fault))
        else:
            trials.setdefault((reader, sentence), []).append((n, at, times[duration], i))
    paths = []
    for pair, fixations in trials.items():
        fixations.sort(key=itemgetter(0))
        gap = next((row[3] for n, row in enumerate(fixations) if row[0] != n), None)
        if gap is None:
            found = _scanpath(pair, fixations, may_lack=bool(marks))
            own = [flags[i] for *_, i in fixations] if flags else []
            paths.append(replace(found, extra={IMPUTED: " ".join(own)}) if "1" in own else found)
        else:
            index = table.columns["fixation_index"][gap]
            fact = Fact(f"{index} for reader {pair[0]!r}, sentence {pair[1]!r}")
            expected = "0, 1, 2 … without gap or repetition"
            problems.add(DataError(path, table.line(gap), "fixation_index", fact, expected))
    if (unit := seconds_fault(map(_known_durations, paths))) is not None:
        problems.add(DataError(path, None, "duration_ms", *unit))
    return paths


def _imputed_flags(table: TextTable, problems: Problems) -> Sequence[str]:
    """Return for each row whether it was filled in, 0 or 1; nothing where the table does not say."""
    flags = table.columns.get(IMPUTED, [])
    for i, flag in enumerate(flags):
        if flag not in ("0", "1"):
            problems.add(
                DataError(table.path, table.line(i), IMPUTED, flag, "1 where it was filled in, else 0")
            )
    return flags


def _scanpath(
    pair: Pair, fixations: Sequence[tuple[int, int, float | None, int]], *, may_lack: bool
) -> Scanpath:
    """Return the scanpath of sorted fixations; it has durations if each fixation has one.

    Where some ``may_lack`` theirs, these are not a number.
    """
    durations = tuple(math.nan if ms is None else ms for _, _, ms, _ in fixations)
    lacking = [math.isnan(ms) for ms in durations]
    timed = not all(lacking) if may_lack else not any(lacking)
    return Scanpath(*pair, tuple(word for _, word, _, _ in fixations), durations if timed else None)


def _known_durations(path: Scanpath) -> tuple[float, ...] | None:
    return path.durations and tuple(ms for ms in path.durations if not math.isnan(ms))


def unused_durations(folder: Path) -> int:
    """Count the durations that reading leaves out, because another fixation of the scanpath has none."""
    table = read_table(find_table(folder, "fixations"))
    readers, sentences = table.need("reader_id", "sentence_id")
    trials: dict[Pair, list[bool]] = {}
    for reader, sentence, duration in zip(
        readers, sentences, table.columns.get("duration_ms", [""] * len(table)), strict=True
    ):
        trials.setdefault((reader, sentence), []).append(bool(duration))
    return sum(sum(given) for given in trials.values() if not all(given))


def _is_index(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


def _is_duration(text: str) -> bool:
    try:
        return not text or is_duration(parse_duration(text))
    except ValueError:
        return False


def _fixation_fault(
    reader: str, sentence: str, index: str, word: str, duration: str, lengths: Mapping[str, float]
) -> tuple[str, object, str]:
    """Return (column, found, expected) of the first thing wrong with a faulty fixation."""
    if not reader or not is_name(reader):
        return "reader_id", reader or Fact("nothing"), IDENTIFIER if reader else "an identifier"
    if sentence not in lengths:
        return "sentence_id", sentence, "a sentence of sentences.csv"
    if word in MARKS:
        return "word_index", word, "a whole number from 0; scandl corpus impute fills what was lost"
    for column, value in (("fixation_index", index), ("word_index", word)):
        if not _is_index(value):
            return column, value, "a whole number from 0"
    if int(word) >= lengths[sentence]:
        return "word_index", word, f"a position 0..{lengths[sentence] - 1} of sentence {sentence!r}"
    return "duration_ms", duration, f"{EXPECTED}, or nothing"


def read_words(path: Path | str, sentences: Mapping[str, Sentence]) -> Words:
    """Read a table of word columns that belongs to these sentences: column -> sentence_id -> values."""
    source = Path(path)
    if not source.is_file():
        raise DataError(source, None, None, no_file(source), "a table with sentence_id and word_index")
    return _read_words(source, sentences, Problems(stop_at_first=True))


def _read_words(path: Path, sentences: Mapping[str, Sentence], problems: Problems) -> Words:
    if not path.exists():
        return {}
    table = read_table(path)
    ids, indices = table.need("sentence_id", "word_index")
    extra = [name for name in table.columns if name not in ("sentence_id", "word_index")]
    place: dict[str, dict[int, int]] = {}
    for i, (key, index) in enumerate(zip(ids, indices, strict=True)):
        if key not in sentences:
            problems.add(
                DataError(table.path, table.line(i), "sentence_id", key, "a sentence of sentences.csv")
            )
        elif not _is_index(index) or int(index) >= sentences[key].n_words:
            expected = f"a position 0..{sentences[key].n_words - 1} of sentence {key!r}"
            problems.add(DataError(table.path, table.line(i), "word_index", index, expected))
        elif int(index) in place.setdefault(key, {}):
            found = Fact(f"word {index} of sentence {key!r} a second time")
            problems.add(DataError(table.path, table.line(i), "word_index", found, "each word once"))
        else:
            place[key][int(index)] = i
    for key, rows in place.items():
        missing = next((n for n in range(sentences[key].n_words) if n not in rows), None)
        if missing is not None:
            found = Fact(f"no row for word {missing} of sentence {key!r}")
            problems.add(DataError(table.path, None, "word_index", found, "every word of a sentence or none"))
    return {
        name: {key: tuple(table.columns[name][rows[n]] for n in sorted(rows)) for key, rows in place.items()}
        for name in extra
    }


def _read_readers(path: Path, problems: Problems) -> Readers:
    if not path.exists():
        return {}
    table = read_table(path)
    (ids,) = table.need("reader_id")
    readers: Readers = {}
    for i, (key, row) in enumerate(zip(ids, table.rows(), strict=True)):
        if not key or key in readers:
            found = Fact(f"{key!r} a second time" if key else "nothing")
            expected = "each reader once, with an id"
            problems.add(DataError(table.path, table.line(i), "reader_id", found, expected))
            continue
        readers[key] = {name: value for name, value in row.items() if name != "reader_id"}
    return readers


def _sentence_columns(sentences: Iterable[Sentence]) -> dict[str, list[str]]:
    every = list(sentences)
    columns = {"sentence_id": [s.sentence_id for s in every], "text": [s.text for s in every]}
    if any(s.item_id for s in every):
        columns["item_id"] = [s.item_id for s in every]
    extra = dict.fromkeys(name for s in every for name in s.extra)
    return columns | {name: [s.extra.get(name, "") for s in every] for name in extra}


def _fixation_columns(paths: Iterable[Scanpath]) -> dict[str, list[object]]:
    every = list(paths)
    rows = [
        (
            path.reader_id,
            path.sentence_id,
            n,
            word,
            "" if path.durations is None else f"{path.durations[n]:.10g}",
        )
        for path in every
        for n, word in enumerate(path.positions)
    ]
    names = ("reader_id", "sentence_id", "fixation_index", "word_index", "duration_ms")
    columns: dict[str, list[object]] = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    if any(IMPUTED in path.extra for path in every):
        flags = (path.extra.get(IMPUTED, "").split() or ["0"] * path.n_fixations for path in every)
        columns[IMPUTED] = [flag for of_path in flags for flag in of_path]
    return columns


def _word_columns(corpus: Corpus) -> dict[str, list[object]]:
    keys = list(dict.fromkeys(key for by_sentence in corpus.words.values() for key in by_sentence))
    places = [(key, n) for key in keys for n in range(corpus.sentences[key].n_words)]
    columns: dict[str, list[object]] = {
        "sentence_id": [key for key, _ in places],
        "word_index": [n for _, n in places],
    }
    return columns | {name: [values[key][n] for key, n in places] for name, values in corpus.words.items()}
