"""Readings of longer texts, made of readings of short sentences.

Where people read short sentences only, nothing says how they would read a long one. What is known is that
fixations per word hardly fall with length: 1.28 in sentences of 11 words (CELER), 1.17 in those of 20
(ZuCo; both computed from Bolliger et al. 2023). So whoever reads half of a sentence of ten words again is
taken to read half of one of twenty again, and as people do: after its end, from the front to the back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np

from scandl.corpora.corpus import Corpus
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream

SIZES = (2, 3)
"""Sentences of a longer text, by turns."""
LEAST_READ_AGAIN = 0.25
"""Share of a reader's sentences, those least read again, that no longer ones are made of.

Long sentences are read again more often than short ones. With this share simulated readers of the shipped
model make as many fixations per word in sentences of twenty words as in those of ten; it was chosen among
0, a quarter and two fifths on corpora that the model is not trained on, but is reported on.
"""
_END_MARKS = ".!?…\"'”’"


def with_longer_texts(
    corpus: Corpus, *, sizes: Sequence[int] = SIZES, without: float = LEAST_READ_AGAIN, seed: int = 1
) -> Corpus:
    """Return the corpus with, in addition, readings of long sentences, each made of two or three short ones.

    A long sentence is made for one reader, of sentences that this reader read again about as much: a sentence
    is read again as a whole or not at all, and half of each part would be something else. Each path of a
    reader is part of one of their longer ones at most, and a share ``without``, of those that were least read
    again, is part of none.
    """
    sentences, scanpaths = dict(corpus.sentences), list(corpus.scanpaths)
    for paths in _joined_readings(corpus, sizes, without, seed):
        parts = [corpus.sentences[path.sentence_id] for path in paths]
        longer = one_sentence(parts)
        starts = [0, *accumulate(part.n_words for part in parts[:-1])]
        sentences[longer.sentence_id] = longer
        scanpaths.append(one_path(paths, starts, longer.sentence_id))
    return replace(corpus, sentences=sentences, scanpaths=tuple(scanpaths))


def _joined_readings(
    corpus: Corpus, sizes: Sequence[int], without: float, seed: int
) -> Iterator[list[Scanpath]]:
    """Yield the readings that are joined, in random order: of one reader, and reread about as much."""
    of_reader: dict[str, list[Scanpath]] = {}
    for path in corpus.scanpaths:
        if path.words:
            of_reader.setdefault(path.reader_id, []).append(path)
    for reader, own in of_reader.items():
        rng = stream(seed, "longer text", reader)
        reread = [
            (path.n_fixations - path.words.index(max(path.words)) - 1)
            / corpus.sentences[path.sentence_id].n_words
            for path in own
        ]
        # Chance decides between equals.
        order = np.lexsort(np.stack([rng.random(len(own)), np.array(reread)]))
        first, turn = round(without * len(own)), 0
        while first + (size := sizes[turn % len(sizes)]) <= len(own):
            yield [own[k] for k in rng.permutation(order[first : first + size])]
            first, turn = first + size, turn + 1


def one_sentence(parts: Sequence[Sentence]) -> Sentence:
    """Return several sentences as one: without the marks at the ends and the capitals at the starts within.

    >>> one_sentence([Sentence("a", "It is red."), Sentence("b", "Mars is The planet.")]).text
    'It is red mars is The planet.'
    """
    words: list[str] = []
    for n, part in enumerate(parts):
        own = list(part.words)
        if n and own[0] != "I" and own[0][1:] == own[0][1:].lower():
            own[0] = own[0].lower()
        if n < len(parts) - 1:
            own[-1] = own[-1].rstrip(_END_MARKS) or own[-1]
        words += own
    return replace(
        parts[0], sentence_id="+".join(part.sentence_id for part in parts), text=" ".join(words), extra={}
    )


def one_path(paths: Sequence[Scanpath], starts: Sequence[int], sentence_id: str) -> Scanpath:
    """Return the paths of one reader as one: all parts are read, then what was read again of them, in order.

    The first fixation of a later part, which was where the display put it, is left out.

    >>> first, second = Scanpath("r", "a", (0, 1, 0)), Scanpath("r", "b", (0, 1, 1))
    >>> one_path([first, second], [0, 2], "a+b").words
    (0, 1, 3, 0, 3)
    """
    read: list[tuple[int, float | None]] = []
    again: list[tuple[int, float | None]] = []
    for n, (path, start) in enumerate(zip(paths, starts, strict=True)):
        times = path.durations or (None,) * len(path.words)
        skip = int(n > 0 and len(path.words) > 1)
        fixations = [(start + word, ms) for word, ms in zip(path.words, times, strict=True)][skip:]
        end = path.words.index(max(path.words[skip:]), skip) + 1 - skip
        read += fixations[:end]
        again += fixations[end:]
    words, durations = zip(*read, *again, strict=True)
    timed = None if any(path.durations is None for path in paths) else durations
    return replace(paths[0], sentence_id=sentence_id, words=words, durations=timed)
