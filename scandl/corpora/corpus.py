"""A corpus: who read what, and a key made of its content, the same wherever it was read from."""

from __future__ import annotations

import hashlib
import json
import math
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scandl.corpora.corpus_statistics import statistics_rows
from scandl.errors import DataError, Fact, ScandlError
from scandl.files.cell_values import is_name
from scandl.files.tables import find_table, no_file, read_table
from scandl.frames import fixation_frame
from scandl.records import Scanpath, Sentence
from scandl.text.word_facts import UNKNOWN

if TYPE_CHECKING:
    import pandas as pd

Pair = tuple[str, str]
"""(reader_id, sentence_id)"""
KINDS = ("human", "simulated")
FIRST_FIXATIONS = ("whole", "truncated")
_TEXTS = ("licence", "citation", "source", "notes", "bibtex")


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What ``corpus.toml`` says of a corpus."""

    name: str
    language: str = "en"
    kind: str = "human"
    licence: str = ""
    citation: str = ""
    source: str = ""
    notes: str = ""
    bibtex: str = ""
    first_fixation: str = "whole"  # truncated: it was under way when the text appeared
    dropped: Mapping[str, int] = field(default_factory=dict)  # what an importer left out, and how often
    checksums: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of the files it was made from


def read_card(path: Path) -> Card:
    """Read ``corpus.toml``."""
    if not path.is_file():
        raise DataError(path, None, None, no_file(path), "corpus.toml with at least a name")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(path, None, None, Fact(error), "well-formed TOML") from None
    name = table.get("name", Fact("nothing"))
    if not isinstance(name, str) or isinstance(name, Fact) or not name or not is_name(name):
        raise DataError(path, None, "name", name, "the name of the corpus, without control characters")
    kind = table.get("kind", "human")
    if kind not in KINDS:
        raise DataError(path, None, "kind", kind, "human or simulated")
    first = table.get("first_fixation", FIRST_FIXATIONS[0])
    if first not in FIRST_FIXATIONS:
        raise DataError(path, None, "first_fixation", first, " or ".join(FIRST_FIXATIONS))
    texts = {key: str(table.get(key, "")) for key in _TEXTS}
    dropped = table.get("dropped", {})
    if not isinstance(dropped, dict) or not all(type(count) is int for count in dropped.values()):
        raise DataError(path, None, "dropped", str(dropped), "a table of whole numbers")
    checksums = table.get("checksums", {})
    if not isinstance(checksums, dict):
        raise DataError(path, None, "checksums", str(checksums), "a table of checksums by file")
    return Card(
        name=table["name"],
        language=str(table.get("language", UNKNOWN)),
        kind=kind,
        first_fixation=first,
        dropped=dropped,
        checksums={str(file): str(checksum) for file, checksum in checksums.items()},
        **texts,
    )


def card_table(card: Card) -> dict[str, Any]:
    """Return what ``corpus.toml`` is written from."""
    table = {
        key: getattr(card, key)
        for key in ("name", "language", "kind", "licence", "citation", "source", "notes")
    }
    if card.first_fixation != FIRST_FIXATIONS[0]:
        table["first_fixation"] = card.first_fixation
    table |= {"bibtex": card.bibtex} if card.bibtex else {}
    tables = {"dropped": card.dropped, "checksums": card.checksums}
    return table | {name: dict(values) for name, values in tables.items() if values}


@dataclass(frozen=True, repr=False)
class Corpus:
    """Sentences and the scanpaths of their readers, in the order of the files."""

    card: Card
    sentences: Mapping[str, Sentence]
    scanpaths: tuple[Scanpath, ...]
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Extra word columns: column -> sentence_id -> one value per word."""
    readers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Covariates: reader_id -> column -> value."""
    folder: Path | None = field(default=None, compare=False)
    """Where the word columns were read from, for errors about their cells."""

    def __post_init__(self) -> None:
        """Tell every sentence the language of the corpus, unless it has its own."""
        told = {key: sentence.in_language(self.card.language) for key, sentence in self.sentences.items()}
        object.__setattr__(self, "sentences", told)

    def __repr__(self) -> str:
        simulated = "simulated " if self.card.kind == "simulated" else ""
        counts = (
            _counted(len(self.reader_ids), f"{simulated}reader"),
            _counted(len(self.sentences), "sentence"),
            _counted(len(self.scanpaths), "scanpath"),
        )
        return f"<Corpus {self.name}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        """Return the table of ``scandl corpus check`` for a notebook."""
        rows = statistics_rows(self) if self.scanpaths else []
        cells = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in rows)
        return f"<p>{escape(repr(self))}</p><table>{cells}</table>"

    def to_frame(self) -> pd.DataFrame:
        """Return one row per fixation: reader, sentence, position, duration, word."""
        texts = {key: sentence.text for key, sentence in self.sentences.items()}
        return fixation_frame(self.scanpaths, texts, numbered=False)

    @property
    def name(self) -> str:
        """The name on the card."""
        return self.card.name

    @cached_property
    def by_pair(self) -> Mapping[Pair, Scanpath]:
        """The scanpath of each (reader, sentence)."""
        return {(path.reader_id, path.sentence_id): path for path in self.scanpaths}

    @cached_property
    def by_sentence(self) -> Mapping[str, tuple[Scanpath, ...]]:
        """The scanpaths of each sentence that was read."""
        groups: dict[str, list[Scanpath]] = {}
        for path in self.scanpaths:
            groups.setdefault(path.sentence_id, []).append(path)
        return {sentence_id: tuple(paths) for sentence_id, paths in groups.items()}

    @property
    def reader_ids(self) -> list[str]:
        """The readers, in order of first appearance."""
        return list(dict.fromkeys(path.reader_id for path in self.scanpaths))

    def restricted_to(self, pairs: Collection[Pair]) -> Corpus:
        """Return the corpus with only these scanpaths, and only the sentences they read."""
        wanted = set(pairs)
        paths = tuple(p for p in self.scanpaths if (p.reader_id, p.sentence_id) in wanted)
        read = {path.sentence_id for path in paths}
        return replace(
            self,
            scanpaths=paths,
            sentences={key: sentence for key, sentence in self.sentences.items() if key in read},
            words={
                column: {key: values for key, values in by_sentence.items() if key in read}
                for column, by_sentence in self.words.items()
            },
        )

    def display_lines(self, sentence_id: str) -> tuple[int, ...] | None:
        """Return the line of each word on the display, from the word column ``line``, where it is known."""
        cells = self.words.get("line", {}).get(sentence_id, ())
        return tuple(map(int, cells)) if cells and all(cell.isdecimal() for cell in cells) else None

    def word_numbers(self, column: str) -> dict[str, tuple[float, ...]] | None:
        """Return an extra word column as numbers by sentence, or None when the corpus has none."""
        if column not in self.words:
            return None
        numbers = {key: tuple(map(_number, values)) for key, values in self.words[column].items()}
        if not all(math.isfinite(value) for values in numbers.values() for value in values):
            raise self._no_number(column)
        return numbers

    def _no_number(self, column: str) -> ScandlError:
        """Return the error of the first cell of a word column that is no number, with its place."""
        if self.folder is not None:
            table = read_table(find_table(self.folder, "words"))
            for i, cell in enumerate(table.columns.get(column, ())):
                if not math.isfinite(_number(cell)):
                    return DataError(table.path, table.line(i), column, cell, "a number")
        cells = (cell for values in self.words[column].values() for cell in values)
        found = next(cell for cell in cells if not math.isfinite(_number(cell)))
        return ScandlError(
            f"corpus {self.name!r}: words column {column!r}: found {found!r}, expected a number"
        )


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _number(cell: str) -> float:
    """Return a number; NaN where the cell holds none."""
    try:
        return float(cell)
    except ValueError:
        return math.nan


def corpus_digest(corpus: Corpus) -> str:
    """Return a key for what a corpus holds, wherever it was read from."""
    found = hashlib.sha256(json.dumps([corpus.words, corpus.readers], sort_keys=True).encode())
    for sentence in corpus.sentences.values():
        told = (sentence.sentence_id, sentence.text, sentence.item_id, sentence.language)
        found.update(repr(told).encode())
    for path in corpus.scanpaths:
        found.update(repr((path.reader_id, path.sentence_id, path.positions, path.durations)).encode())
    return found.hexdigest()


def joined(
    corpora: Sequence[Corpus], name: str, *, told: Mapping[str, Mapping[str, str]] | None = None
) -> Corpus:
    """Return one corpus of several; every id is preceded by the name of its corpus and a slash.

    Two corpora often name their readers 1, 2, 3. Without the name, a reader of one would be taken
    for a reader of the other.

    Parameters
    ----------
    corpora
        At least one, each with a name of its own.
    name
        Of the new corpus.
    told
        By corpus, what is known of all of its readers beside what the corpus says, such as their task.
    """
    names = [corpus.name for corpus in corpora]
    if not corpora or len(set(names)) < len(names):
        raise ScandlError(f"joining corpora: found {', '.join(names) or 'none'}, expected different ones")
    known = told or {}
    readers = {
        f"{corpus.name}/{reader}": {**corpus.readers.get(reader, {}), **known.get(corpus.name, {})}
        for corpus in corpora
        for reader in corpus.reader_ids
    }
    sentences = {
        f"{corpus.name}/{key}": replace(
            sentence, sentence_id=f"{corpus.name}/{key}", item_id=f"{corpus.name}/{sentence.item}"
        )
        for corpus in corpora
        for key, sentence in corpus.sentences.items()
    }
    paths = tuple(
        replace(
            path, reader_id=f"{corpus.name}/{path.reader_id}", sentence_id=f"{corpus.name}/{path.sentence_id}"
        )
        for corpus in corpora
        for path in corpus.scanpaths
    )
    card = Card(
        name=name,
        language=_all([corpus.card.language for corpus in corpora]),
        kind=_all([corpus.card.kind for corpus in corpora]),
        licence=_all([corpus.card.licence for corpus in corpora]),
        citation=_all([corpus.card.citation for corpus in corpora]),
        source=_all([corpus.card.source for corpus in corpora]),
    )
    words: dict[str, dict[str, tuple[str, ...]]] = {}
    for corpus in corpora:
        for column, values in corpus.words.items():
            words.setdefault(column, {}).update({f"{corpus.name}/{key}": row for key, row in values.items()})
    return Corpus(card, sentences, paths, words, readers)


def _all(values: Sequence[str]) -> str:
    """Return the different values, in order."""
    return "; ".join(dict.fromkeys(value for value in values if value))
