"""A corpus: who read what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence

Pair = tuple[str, str]
"""(reader_id, sentence_id)"""


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
    dropped: Mapping[str, int] = field(default_factory=dict)  # what an importer left out, and how often


@dataclass(frozen=True)
class Corpus:
    """Sentences and the scanpaths of their readers, in the order of the files."""

    card: Card
    sentences: Mapping[str, Sentence]
    scanpaths: tuple[Scanpath, ...]
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Extra word columns: column -> sentence_id -> one value per word."""
    readers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Covariates: reader_id -> column -> value."""

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

    def word_numbers(self, column: str) -> dict[str, tuple[float, ...]] | None:
        """Return an extra word column as numbers by sentence, or None when the corpus has none."""
        if column not in self.words:
            return None
        try:
            return {key: tuple(map(float, values)) for key, values in self.words[column].items()}
        except ValueError as error:
            raise ScandlError(f"corpus {self.name!r}: words column {column!r} holds text: {error}") from None
