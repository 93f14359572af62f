"""Sentences and fixations as tensors: each sentence once, fixations packed in order of time.

Sequences of different lengths lie in one block without padding: all first elements, all second ones, ... The
longest sequence comes first, so the elements of one time are the continuations of the first rows of the time
before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scandl.corpora import Corpus
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence
from scandl.text.encoder import EncodedSentence, TextEncoder, Vectors
from scandl.text.word_facts import n_characters

UNKNOWN_READER = 0


@dataclass(frozen=True, slots=True)
class Packing:
    """Where each of N elements comes from."""

    member: Tensor  # (N,) number of the sequence
    time: Tensor  # (N,) place in it
    sizes: tuple[int, ...]  # how many sequences have an element of time 0, 1, ...

    @classmethod
    def of(cls, lengths: Sequence[int]) -> Self:
        """Return the packing of sequences of these lengths.

        >>> packed = Packing.of([1, 3])
        >>> packed.member.tolist(), packed.time.tolist(), packed.sizes
        ([1, 0, 1, 1], [0, 0, 1, 2], (2, 1, 1))
        """
        length = np.array(lengths)
        order = np.argsort(-length, kind="stable")
        present = np.arange(length.max())[:, None] < length[order]  # (T, sequences), longest first
        time, column = present.nonzero()
        sizes = tuple(present.sum(axis=1).tolist())
        return cls(torch.from_numpy(order[column]), torch.from_numpy(time), sizes)

    @property
    def n_sequences(self) -> int:
        """The number of sequences."""
        return self.sizes[0]

    def backwards(self) -> Tensor:
        """Return the index of each element's counterpart when every sequence is read from its end.

        >>> Packing.of([1, 3]).backwards().tolist()
        [3, 1, 2, 0]
        """
        starts = np.cumsum((0, *self.sizes[:-1]))
        column = np.concatenate([np.arange(size) for size in self.sizes])
        length = np.array([sum(size > k for size in self.sizes) for k in range(self.sizes[0])])
        return torch.from_numpy(starts[length[column] - 1 - self.time.numpy()] + column)


@dataclass(frozen=True, slots=True)
class InputScale:
    """One z-transformation."""

    mean: float = 0.0
    sd: float = 1.0

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Return the transformation that gives ``values`` mean 0 and SD 1.

        >>> InputScale.of([1.0, 3.0])(3.0)
        1.0
        """
        return cls(fmean(values), pstdev(values) or 1.0) if values else cls()

    def __call__(self, value: float) -> float:
        """Return the z-value."""
        return (value - self.mean) / self.sd


@dataclass(frozen=True, slots=True)
class Scales:
    """The scales a model was trained with."""

    inverse_length: InputScale = field(default_factory=InputScale)
    duration: InputScale = field(default_factory=InputScale)

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Return the scales of a corpus: a word counts once in its sentence, a duration once."""
        lengths = [
            1.0 / n_characters(word) for sentence in corpus.sentences.values() for word in sentence.words
        ]
        durations = [duration for path in corpus.scanpaths for duration in path.durations or ()]
        return cls(InputScale.of(lengths), InputScale.of(durations))


@dataclass(frozen=True, slots=True, eq=False)
class SentenceInput:
    """A sentence as the network reads it: CLS, words, SEP."""

    context: Vectors  # (M + 2, dim) for the word encoder
    static: Vectors  # (M + 2, dim) for the fixation encoder
    inverse_length: Vectors  # (M + 2,)

    @property
    def n_words(self) -> int:
        """M, the number of words."""
        return len(self.inverse_length) - 2


@dataclass(frozen=True, slots=True, eq=False)
class PathInput:
    """A scanpath as the network follows it, from CLS on."""

    sentence: SentenceInput
    at: NDArray[np.int64]  # (N + 1,) 0 for CLS, then the fixated words from 1
    duration: Vectors  # (N + 1,) z-values, 0 where there is none
    reader: int = UNKNOWN_READER

    @property
    def following(self) -> NDArray[np.int64]:
        """Where the eyes go next, (N + 1,); SEP at the end."""
        return np.append(self.at[1:], self.sentence.n_words + 1)


@dataclass(frozen=True, slots=True)
class Sentences:
    """The distinct sentences of a batch: U of them, S positions in the longest."""

    context: Tensor  # (positions of all, dim), packed
    packing: Packing
    static: Tensor  # (U, S, dim)
    inverse_length: Tensor  # (U, S)
    last: Tensor  # (U,) position of SEP


@dataclass(frozen=True, slots=True)
class FixationArrays:
    """The fixations of a batch, packed: N in all."""

    packing: Packing
    at: Tensor  # (N,) position in the sentence
    row: Tensor  # (N,) index of the sentence
    gaze: Tensor  # (N, 2) landing position and duration, z-values
    reader: Tensor  # (N,)


@dataclass(frozen=True, slots=True)
class FixationBatch:
    """Scanpaths to learn from or to judge."""

    sentences: Sentences
    fixations: FixationArrays
    following: Tensor  # (N,) where the eyes go next

    @property
    def n_words(self) -> Tensor:
        """The number of words of the sentence of each fixation, (N,)."""
        return self.sentences.last[self.fixations.row] - 1


class InputMaker:
    """Turns sentences and scanpaths into what a trained network expects of them."""

    def __init__(
        self, words: TextEncoder, fixated: TextEncoder, scales: Scales, readers: Sequence[str] = ()
    ) -> None:
        self.words = words
        self.fixated = fixated
        self.scales = scales
        self.readers = {name: n for n, name in enumerate(readers, start=UNKNOWN_READER + 1)}
        self._sentences: dict[tuple[str, tuple[str, ...]], SentenceInput] = {}

    def sentence(self, sentence: Sentence) -> SentenceInput:
        """Return the input of a sentence; each text is encoded once."""
        words = sentence.words
        if not words:
            raise ScandlError(f"sentence {sentence.sentence_id!r} is empty: there is nothing to read")
        key = (sentence.language_or_english, words)
        if key not in self._sentences:
            inverse = [self.scales.inverse_length(1.0 / n_characters(word)) for word in words]
            self._sentences[key] = SentenceInput(
                by_word(self.words.encode(words, key[0])),
                by_word(self.fixated.encode(words, key[0])),
                np.array([0.0, *inverse, 0.0], dtype=np.float32),  # CLS and SEP are of average length
            )
        return self._sentences[key]

    def path(self, sentence: Sentence, scanpath: Scanpath, *, gaze: bool) -> PathInput:
        """Return the input of a scanpath; without ``gaze`` its durations are not looked at."""
        at = np.array([0, *(word + 1 for word in scanpath.positions)], dtype=np.int64)
        duration = np.zeros(len(at), dtype=np.float32)
        if gaze and scanpath.durations is not None:
            duration[1:] = [self.scales.duration(value) for value in scanpath.durations]
        return PathInput(self.sentence(sentence), at, duration, self.reader(scanpath.reader_id))

    def reader(self, reader_id: str) -> int:
        """Return the number of a reader of the training fold, or that of all others."""
        return self.readers.get(reader_id, UNKNOWN_READER)


def by_word(encoded: EncodedSentence) -> Vectors:
    """Sum the vectors of each word's pieces, (M + 2, dim).

    >>> by_word(EncodedSentence((0, 1, 1, 2), np.array([[1.0], [2.0], [3.0], [4.0]], np.float32))).ravel()
    array([1., 5., 4.], dtype=float32)
    """
    total = np.zeros((encoded.n_words + 2, encoded.vectors.shape[1]), dtype=np.float32)
    np.add.at(total, list(encoded.word_ids), encoded.vectors)
    return total


def collate(paths: Sequence[PathInput], dtype: torch.dtype = torch.float32) -> FixationBatch:
    """Return the tensors of a batch; each sentence is in it once."""
    rows: dict[int, int] = {}
    distinct: list[SentenceInput] = []
    for path in paths:
        if rows.setdefault(id(path.sentence), len(distinct)) == len(distinct):
            distinct.append(path.sentence)
    packing = Packing.of([len(path.at) for path in paths])

    def packed(arrays: Sequence[NDArray[Any]]) -> Tensor:
        return torch.from_numpy(_padded(arrays))[packing.member, packing.time]

    duration = packed([path.duration for path in paths]).to(dtype)
    fixations = FixationArrays(
        packing=packing,
        at=packed([path.at for path in paths]),
        row=torch.tensor([rows[id(path.sentence)] for path in paths])[packing.member],
        gaze=torch.stack([torch.zeros_like(duration), duration], dim=1),  # no corpus has landing positions
        reader=torch.tensor([path.reader for path in paths])[packing.member],
    )
    following = packed([path.following for path in paths])
    return FixationBatch(collate_sentences(distinct, dtype), fixations, following)


def collate_sentences(sentences: Sequence[SentenceInput], dtype: torch.dtype) -> Sentences:
    """Return the tensors of sentences."""
    packing = Packing.of([sentence.n_words + 2 for sentence in sentences])
    context, static, inverse_length = (
        torch.from_numpy(_padded([getattr(sentence, name) for sentence in sentences])).to(dtype)
        for name in ("context", "static", "inverse_length")
    )
    last = torch.tensor([sentence.n_words + 1 for sentence in sentences])
    return Sentences(context[packing.member, packing.time], packing, static, inverse_length, last)


def _padded(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    longest = max(len(array) for array in arrays)
    out = np.zeros((len(arrays), longest, *arrays[0].shape[1:]), dtype=arrays[0].dtype)
    for into, array in zip(out, arrays, strict=True):
        into[: len(array)] = array
    return out
