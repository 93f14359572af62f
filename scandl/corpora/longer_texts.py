"""Readings of longer texts, made of the readings of the sentences that follow each other in a text.

Where people read short sentences only, nothing says how they would read a long one. What is known is that
fixations per word hardly fall with length: 1.28 in sentences of 11 words (CELER), 1.17 in those of 20
(ZuCo; both computed from Bolliger et al. 2023). So whoever goes back after the end of a sentence of ten words
is taken to go back twice as much after one of twenty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from scandl.corpora.corpus import Corpus
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream

SIZES = (2, 3)
"""Sentences of a longer text, by turns from one item to the next."""
_LATE = 0.5  # of the sentences but the last: reread when all is read, the others at their own end
_END_MARKS = ".!?…\"'”’"


def with_longer_texts(corpus: Corpus, *, sizes: Sequence[int] = SIZES, seed: int = 1) -> Corpus:
    """Return the corpus with, in addition, each run of 2 or 3 sentences of an item as one long sentence.

    A reader's path through it is their paths through its parts, but for the first fixation of the later
    ones, which was where the display put it. What they read again after the end of a part is read there, or
    after the end of the whole, at random.
    """
    by_item: dict[str, list[str]] = {}
    for key, sentence in corpus.sentences.items():
        by_item.setdefault(sentence.item, []).append(key)
    paths = {(path.reader_id, path.sentence_id): path for path in corpus.scanpaths if path.words}
    sentences, scanpaths = dict(corpus.sentences), list(corpus.scanpaths)
    for turn, keys in enumerate(by_item.values()):
        size = sizes[turn % len(sizes)]
        for first in range(0, len(keys) - size + 1, size):
            parts = keys[first : first + size]
            longer = one_sentence([corpus.sentences[key] for key in parts])
            sentences[longer.sentence_id] = longer
            for reader in corpus.reader_ids:
                read = [paths[reader, key] for key in parts if (reader, key) in paths]
                if len(read) == size:
                    late = stream(seed, "longer text", reader, longer.sentence_id).random(size) < _LATE
                    starts = [0, *accumulate(corpus.sentences[key].n_words for key in parts[:-1])]
                    scanpaths.append(one_path(read, starts, late.tolist(), longer.sentence_id))
    return replace(corpus, sentences=sentences, scanpaths=tuple(scanpaths))


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
    paths: Sequence[Scanpath], starts: Sequence[int], late: Sequence[bool], sentence_id: str
) -> Scanpath:
    """Return the paths of one reader as one; ``late``: whether a part is read again when all is read.

    >>> first, second = Scanpath("r", "a", (0, 1, 0)), Scanpath("r", "b", (0, 1, 1))
    >>> one_path([first, second], [0, 2], [True, True], "a+b").words
    (0, 1, 3, 3, 0)
    """
    now: list[tuple[int, float | None]] = []
    later: list[tuple[int, float | None]] = []
    for n, (path, start) in enumerate(zip(paths, starts, strict=True)):
        times = path.durations or (None,) * len(path.words)
        skip = int(n > 0 and len(path.words) > 1)
        fixations = [(start + word, ms) for word, ms in zip(path.words, times, strict=True)][skip:]
        end = path.words.index(max(path.words[skip:]), skip) + 1 - skip
        now += fixations[:end]
        (later if late[n] and n < len(paths) - 1 else now).extend(fixations[end:])
    words, durations = zip(*now, *later, strict=True)
    timed = None if any(path.durations is None for path in paths) else durations
    return replace(paths[0], sentence_id=sentence_id, words=words, durations=timed)
