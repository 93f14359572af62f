"""Readings of longer texts, made of readings of short sentences.

Where people read short sentences only, nothing says how they would read a long one. What is known is that
fixations per word hardly fall with length: 1.28 in sentences of 11 words (CELER), 1.17 in those of 20
(ZuCo; both computed from Bolliger et al. 2023). So whoever reads half of a sentence of ten words again is
taken to read half of one of twenty again, and as people do: they go back through it, and then read on from
there without leaping over what lies between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from scandl.corpora.corpus import Corpus
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream

SIZES = (2, 3, 4)
"""Sentences of a longer text, by turns."""
LOOK_BACK = 1 / 3
"""Share of a part: whoever goes back over less of it does so at its end, and not from the end of all."""
GAP = 3
"""Words ahead that a saccade may reach while a text is read again; on the way to farther ones all is read."""
AT_ONCE = 0.5
"""Share of longer texts whose readers go back from the end over the whole last part at once."""
LEAST_READ_AGAIN = 0.2
"""Share of a reader's sentences, those least read again, that no longer ones are made of.

Long sentences are read again more often than short ones. With this share simulated readers of the shipped
model make as many fixations per word in sentences of twenty words as in those of ten; it was chosen among
0 and a fifth on corpora that the model is not trained on, but is reported on.
"""
_END_MARKS = ".!?…\"'”’"

Fixations = list[tuple[int, float | None]]
"""Words and durations, in order of time."""


@dataclass(frozen=True, slots=True)
class PartReading:
    """How a part was read: up to its furthest word, back to the first word read again, and on from there."""

    read: Fixations
    back: Fixations
    again: Fixations

    @classmethod
    def of(cls, path: Scanpath, start: int) -> PartReading:
        """Take a path apart, in a text in which its part begins at a word.

        The first fixation of a later part, which was where the display put it, is left out.
        """
        times = path.durations or (None,) * len(path.positions)
        fixations = [(start + word, ms) for word, ms in zip(path.positions, times, strict=True)]
        if start and len(fixations) > 1:
            del fixations[0]
        words = [word for word, _ in fixations]
        end = words.index(max(words)) + 1
        turn = words.index(min(words[end:]), end) + 1 if words[end:] else end
        return cls(fixations[:end], fixations[end:turn], fixations[turn:])

    @property
    def depth(self) -> int:
        """How many words the eyes went back from the furthest one."""
        return self.read[-1][0] - self.back[-1][0] if self.back else 0


def with_longer_texts(
    corpus: Corpus, *, sizes: Sequence[int] = SIZES, without: float = LEAST_READ_AGAIN, seed: int = 1
) -> Corpus:
    """Return the corpus with, in addition, readings of long sentences, each made of two to four short ones.

    A long sentence is made for one reader, of sentences that this reader read again about as much: a sentence
    is read again as a whole or not at all, and half of each part would be something else. Each path of a
    reader is part of one of their longer ones at most, and a share ``without``, of those that were least read
    again, is part of none.
    """
    sentences, scanpaths = dict(corpus.sentences), list(corpus.scanpaths)
    for paths, at_once in _joined_readings(corpus, sizes, without, seed):
        parts = [corpus.sentences[path.sentence_id] for path in paths]
        longer = one_sentence(parts)
        starts = [0, *accumulate(part.n_words for part in parts[:-1])]
        sentences[longer.sentence_id] = longer
        scanpaths.append(one_path(paths, starts, longer.sentence_id, at_once=at_once))
    return replace(corpus, sentences=sentences, scanpaths=tuple(scanpaths))


def _joined_readings(
    corpus: Corpus, sizes: Sequence[int], without: float, seed: int
) -> Iterator[tuple[list[Scanpath], bool]]:
    """Yield readings to join, of one reader and reread about as much, and whether they go back at once."""
    of_reader: dict[str, list[Scanpath]] = {}
    for path in corpus.scanpaths:
        if path.positions:
            of_reader.setdefault(path.reader_id, []).append(path)
    for reader, own in of_reader.items():
        rng = stream(seed, "longer text", reader)
        reread = [
            (path.n_fixations - path.positions.index(max(path.positions)) - 1)
            / corpus.sentences[path.sentence_id].n_words
            for path in own
        ]
        # Chance decides between equals.
        order = np.lexsort(np.stack([rng.random(len(own)), np.array(reread)]))
        first, turn = round(without * len(own)), 0
        while first + (size := sizes[turn % len(sizes)]) <= len(own):
            yield [own[k] for k in rng.permutation(order[first : first + size])], rng.random() < AT_ONCE
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


def one_path(
    paths: Sequence[Scanpath], starts: Sequence[int], sentence_id: str, *, at_once: bool = False
) -> Scanpath:
    """Return the paths of one reader as one: all parts are read, then what was read again of them.

    From the end the eyes go back as they did in each part, the last one first, and then again as in each
    part, the first one first. With ``at_once`` they leap over the last part, and what was read again
    of it follows when they come to its end once more. Words between two parts that are read again are
    read as they were the first time.

    >>> first, second = Scanpath("r", "a", (0, 1, 2, 1, 0, 1)), Scanpath("r", "b", (0, 1, 2, 0, 1, 2))
    >>> one_path([first, second], [0, 3], "a+b").positions
    (0, 1, 2, 4, 5, 3, 1, 0, 1, 4, 5)
    >>> one_path([first, second], [0, 3], "a+b", at_once=True).positions
    (0, 1, 2, 4, 5, 1, 0, 1, 3, 4, 5)
    """
    readings = [PartReading.of(path, start) for path, start in zip(paths, starts, strict=True)]
    fixations: Fixations = []
    reread = []
    for reading, start, end in zip(readings, starts, [*starts[1:], None], strict=True):
        fixations += reading.read
        if end is not None and reading.depth < LOOK_BACK * (end - start):
            fixations += reading.back + reading.again
        elif reading.back:
            reread.append(reading)
    again = [reading.again for reading in reread]
    if at_once and len(reread) > 1 and reread[-1] is readings[-1]:
        last = reread.pop()
        again[-1] = last.back + last.again
    for reading in reversed(reread):
        fixations += reading.back
    read = [fixation for reading in readings for fixation in reading.read]
    for part in again:
        if part:
            fixations += _between(read, fixations[-1][0], part[0][0]) + part
    words, durations = zip(*fixations, strict=True)
    timed = None if any(path.durations is None for path in paths) else durations
    return replace(paths[0], sentence_id=sentence_id, positions=words, durations=timed)


def _between(read: Fixations, here: int, there: int) -> Fixations:
    """Return how the words between two were read the first time, regressions left out, if they are many."""
    found: Fixations = []
    if there - here > GAP:
        for word, ms in read:
            if here < word < there and (not found or word >= found[-1][0]):
                found.append((word, ms))
    return found
