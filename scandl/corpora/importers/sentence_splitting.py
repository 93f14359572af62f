"""Paragraphs cut into sentences: by a simple rule that is written here in full."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from scandl.corpora.corpus import Corpus
from scandl.records import Scanpath, Sentence

_END = re.compile(r".*[.!?…][\"'”’»)\]]*")
_INITIAL = re.compile(r"[\"'“‘(\[]*(?:[A-Za-z]\.)+")  # J., U.S., e.g.
_ABBREVIATED = """
mr. mrs. ms. dr. prof. st. sr. jr. vs. no. gen. sen. rep. etc. rev. capt. col. lt. sgt. mt. inc. ltd. co.
corp. fig. approx.
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())


def sentence_spans(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return (start, stop) of each sentence of a paragraph.

    A sentence ends with a word that ends in . ! ? or …, closing quotes and brackets after it
    allowed, unless the word is an abbreviation or initials, or the next word starts in lower case.

    >>> sentence_spans("Mr. Smith left. “Why?” he asked. Nobody knew".split())
    [(0, 3), (3, 6), (6, 8)]
    """
    stops = [
        n + 1
        for n, word in enumerate(words)
        if n + 1 == len(words) or (_ends(word) and not words[n + 1][0].islower())
    ]
    return list(zip([0, *stops], stops, strict=False))


def _ends(word: str) -> bool:
    bare = word.strip("\"'“”‘’()[]«»").lower()
    return bool(_END.fullmatch(word)) and bare not in _ABBREVIATIONS and not _INITIAL.fullmatch(bare)


def cut_into_sentences(
    corpus: Corpus, called: str = "{text}_s{k}", late: Mapping[str, Collection[str]] | None = None
) -> Corpus:
    """Return the corpus with each paragraph's sentences as its sentences.

    A scanpath on a sentence has all fixations on it in order of time, later returns included;
    first-pass measures are therefore larger than in the reading of single sentences.

    Parameters
    ----------
    corpus
        Paragraphs.
    called
        What the sentences are called: ``{text}`` is the paragraph, ``{k}`` counts from 0, ``{n}`` from 1.
    late
        By paragraph, sentences (``k``) that a source lets end a word later than the rule does.
    """
    spans = {
        key: _moved(sentence_spans(text.words), (late or {}).get(key, ()))
        for key, text in corpus.sentences.items()
    }
    names = {
        (key, k): called.format(text=key, k=k, n=k + 1)
        for key, found in spans.items()
        for k in range(len(found))
    }
    sentences = {
        names[key, k]: _sentence(corpus.sentences[key], names[key, k], start, stop)
        for key, found in spans.items()
        for k, (start, stop) in enumerate(found)
    }
    paths = [
        part
        for path in corpus.scanpaths
        for k, (start, stop) in enumerate(spans[path.sentence_id])
        if (part := _part(path, names[path.sentence_id, k], start, stop)).positions
    ]
    read = {path.sentence_id for path in paths}
    trials = sum(len(spans[path.sentence_id]) for path in corpus.scanpaths)
    dropped = Counter(corpus.card.dropped) + Counter(
        {
            "sentences of a paragraph that its reader never fixated": trials - len(paths),
            "sentences that nobody fixated": len(sentences) - len(read),
        }
    )
    notes = "; ".join(filter(None, [corpus.card.notes, "paragraphs cut into sentences"]))
    return replace(
        corpus,
        card=replace(corpus.card, dropped=dict(dropped), notes=notes),
        sentences={key: sentence for key, sentence in sentences.items() if key in read},
        scanpaths=tuple(paths),
    )


def _moved(spans: list[tuple[int, int]], late: Collection[str]) -> list[tuple[int, int]]:
    """Return the spans with some ends, and the starts after them, a word later.

    >>> _moved([(0, 3), (3, 6), (6, 8)], ["1"])
    [(0, 3), (3, 7), (7, 8)]
    """
    ends = [stop + (str(k) in late) for k, (_, stop) in enumerate(spans)]
    return list(zip([0, *ends], ends, strict=False))


def _sentence(paragraph: Sentence, name: str, start: int, stop: int) -> Sentence:
    key = paragraph.sentence_id
    text = " ".join(paragraph.words[start:stop])
    return Sentence(name, text, paragraph.item, {**paragraph.extra, "paragraph": key})


def _part(path: Scanpath, name: str, start: int, stop: int) -> Scanpath:
    """Return the fixations on one sentence of the paragraph."""
    rows = [n for n, word in enumerate(path.positions) if start <= word < stop]
    return Scanpath(
        path.reader_id,
        name,
        tuple(path.positions[n] - start for n in rows),
        None if path.durations is None else tuple(path.durations[n] for n in rows),
    )
