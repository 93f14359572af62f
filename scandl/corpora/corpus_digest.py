"""Keys made of content: the same corpus has the same key, wherever it was read from."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from scandl.corpora.corpus import Corpus


def digest(*parts: Any) -> str:
    """Return a key for values that JSON can hold.

    >>> digest("markov", 1) == digest("markov", 1) != digest("markov", 2)
    True
    """
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def corpus_digest(corpus: Corpus) -> str:
    """Return a key for what a corpus holds, wherever it was read from."""
    found = hashlib.sha256(json.dumps([corpus.words, corpus.readers], sort_keys=True).encode())
    for sentence in corpus.sentences.values():
        found.update(repr((sentence.sentence_id, sentence.text, sentence.item_id)).encode())
    for path in corpus.scanpaths:
        found.update(repr((path.reader_id, path.sentence_id, path.words, path.durations)).encode())
    return found.hexdigest()
