"""Sentence and scanpath as one padded sequence of ids, and back: the only place that knows PAD.

An input is ``CLS pieces SEP | CLS fixations SEP | PAD ...``: every piece carries the number of its
word (1-based), a fixation is the number of the fixated word, PAD is the last id of the model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from scandl.corpora.corpus import Corpus
from scandl.errors import ScandlError
from scandl.files.symbol_repair import frame
from scandl.models.diffusion.settings import ModelConfig
from scandl.records import Positions
from scandl.text.encoder import EncodedSentence, Vectors

_QUANTILES = 256  # of the fixations per word in training that are kept
LEAST_ROOM = 40  # positions a scanpath must have when a sentence is generated for; half of a short bucket


@dataclass(frozen=True, slots=True)
class Tokens:
    """One input of the model; L is the length of its bucket."""

    ids: NDArray[np.int64]  # (L,) sentence word ids, then scanpath ids, then PAD
    positions: NDArray[np.int64]  # (L,) count from 0, and again from 0 where the scanpath starts
    noised: NDArray[np.bool_]  # (L,) False on the sentence, True on scanpath and padding
    padding: NDArray[np.bool_]  # (L,) True on PAD alone
    text: Vectors  # (L, text_dim) static piece vectors, the padding vector after the sentence
    n_sentence: int  # positions of the sentence, CLS and SEP included
    n_words: int


def pad_id(config: ModelConfig) -> int:
    """Return the id of PAD: the last of the vocabulary, whatever the length of a bucket."""
    return config.seq_len - 1


@dataclass(frozen=True, slots=True)
class Lengths:
    """What a model has seen of lengths in training; empty where nothing is known."""

    longest: int = 0  # words of the longest sentence
    per_word: tuple[float, ...] = ()  # fixations per word: quantiles of the paths, from the lowest

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Return the lengths of a training corpus."""
        counts = [(path.n_fixations, corpus.sentences[path.sentence_id].n_words) for path in corpus.scanpaths]
        shares = np.sort([n_fixations / n_words for n_fixations, n_words in counts])
        at = np.unique(((np.arange(_QUANTILES) + 0.5) * len(shares) / _QUANTILES).astype(int))
        return cls(max(n_words for _, n_words in counts), tuple(shares[at].round(4).tolist()))

    def drawn(self, n_words: int, uniform: float) -> int:
        """Return the number of fixations that a reader of so many words may need room for.

        >>> [Lengths(9, (0.5, 1.0)).drawn(8, u) for u in (0.1, 0.9)]
        [4, 8]
        """
        if not self.per_word:
            return 0
        return round(self.per_word[int(uniform * len(self.per_word))] * n_words)


def bucket_for(sentence: EncodedSentence, config: ModelConfig, n_fixations: int = 0) -> int:
    """Return the length an input of this sentence is padded to, with room for so many fixations.

    There is room for ``config.reserve`` fixations per word, and for more where a path needs it, so that
    none loses its end. The length of the padding then tells the model which paths are long. So that it
    is told nothing it could not know, the number is drawn when it generates (``Lengths.drawn``).
    """
    given, wanted = _n_condition(sentence, config), _wanted(sentence, config, n_fixations)
    fitting = (bucket for bucket in config.buckets if bucket >= wanted and given <= _most_given(bucket))
    return next(fitting, config.buckets[-1])


def _wanted(sentence: EncodedSentence, config: ModelConfig, n_fixations: int) -> int:
    room = max(math.ceil(config.reserve * sentence.n_words), n_fixations)
    return _n_condition(sentence, config) + 3 + room


def used_buckets(buckets: Sequence[int], taken: Sequence[int], least: int) -> tuple[int, ...]:
    """Return the buckets that at least so many inputs take, the others going to the next larger one.

    A batch is of one bucket. The few inputs of a rare one would fill whole batches, and count too much.

    Parameters
    ----------
    buckets
        All there are, rising.
    taken
        The bucket of each input.
    least
        How many inputs a bucket needs; the largest that is taken may have fewer.

    >>> used_buckets((16, 20, 24, 28, 32), [16, 16, 20, 24, 24, 28], least=2)
    (16, 24, 28, 32)
    """
    kept, waiting = [], 0
    for bucket in buckets:
        waiting += sum(own == bucket for own in taken)
        if waiting >= least or bucket >= max(taken):
            kept.append(bucket)
            waiting = 0
    return tuple(kept)


def _most_given(length: int) -> int:
    """Return how many positions of a bucket a sentence may take, so that a scanpath has room."""
    return length - min(LEAST_ROOM, length // 2)


def training_tokens(
    sentence: EncodedSentence, path: Positions, padding: Vectors, config: ModelConfig, name: str = ""
) -> Tokens:
    """Return the input of one human scanpath; what is too long loses its end, the longer part first."""
    length = bucket_for(sentence, config, len(path))
    words = list(sentence.word_ids) if config.sentence_condition else []
    scanpath = list(frame(path, sentence.n_words))
    sep = sentence.n_words + 1
    _check_vocabulary(sep, config, name)
    words, scanpath = words[:-1], scanpath[:-1]
    while len(words) + len(scanpath) > length - 3:
        longer = max(len(words), len(scanpath))
        words, scanpath = (part[:-1] if len(part) == longer else part for part in (words, scanpath))
    if config.sentence_condition:
        words.append(sep)
    return _tokens(sentence, words, [*scanpath, sep], padding, length, config)


def is_cut(sentence: EncodedSentence, path: Positions, config: ModelConfig) -> bool:
    """Say whether an input is too long for any bucket, so that sentence or scanpath lose their end."""
    return _n_condition(sentence, config) + len(path) + 3 > config.buckets[-1]


def generation_tokens(
    sentence: EncodedSentence, padding: Vectors, config: ModelConfig, name: str = "", n_fixations: int = 0
) -> Tokens:
    """Return the input a scanpath is generated for: the sentence, and PAD where it will stand.

    There is room for ``n_fixations`` at least.
    """
    length = bucket_for(sentence, config, n_fixations)
    _check_vocabulary(sentence.n_words + 1, config, name)
    words = list(sentence.word_ids) if config.sentence_condition else []
    longest = _most_given(length)
    if len(words) > longest:
        raise ScandlError(
            f"{_label(name)} has {len(words)} word pieces with CLS and SEP; this model takes at most"
            f" {longest} (the longest bucket is {length})"
        )
    return _tokens(sentence, words, [], padding, length, config)


def scanpath_ids(ids: Sequence[int], tokens: Tokens) -> list[int]:
    """Return the part of generated ids that stands for the scanpath, specials and PAD included."""
    return [int(symbol) for symbol in ids[tokens.n_sentence :]]


def _n_condition(sentence: EncodedSentence, config: ModelConfig) -> int:
    return len(sentence.word_ids) if config.sentence_condition else 0


def _check_vocabulary(sep: int, config: ModelConfig, name: str) -> None:
    if sep >= pad_id(config):
        raise ScandlError(
            f"{_label(name)} has {sep - 1} words; seq_len {config.seq_len} has ids for at most"
            f" {pad_id(config) - 2}"
        )


def _label(name: str) -> str:
    return f"sentence {name!r}" if name else "the sentence"


def _tokens(
    sentence: EncodedSentence,
    words: list[int],
    scanpath: list[int],
    padding: Vectors,
    length: int,
    config: ModelConfig,
) -> Tokens:
    n_sentence, n_known = len(words), len(words) + len(scanpath)
    ids = np.full(length, pad_id(config), dtype=np.int64)
    ids[:n_known] = [*words, *scanpath]
    places = np.arange(length)
    text = np.tile(padding, (length, 1))
    if n_sentence:
        # A truncated sentence ends in SEP all the same, so its last vector is that of SEP.
        text[: n_sentence - 1] = sentence.vectors[: n_sentence - 1]
        text[n_sentence - 1] = sentence.vectors[-1]
    return Tokens(
        ids=ids,
        positions=np.where(places < n_sentence, places, places - n_sentence),
        noised=places >= n_sentence,
        padding=places >= n_known,
        text=text,
        n_sentence=n_sentence,
        n_words=sentence.n_words,
    )
