"""The last step of every importer: filter, keep what was read, and write down what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from scandl.corpora.corpus import Card, Corpus
from scandl.corpora.importers.filters import Filters, apply_filters
from scandl.corpora.importers.fixations import Gathered
from scandl.errors import ScandlError
from scandl.records import Sentence

NOBODY = "sentences that nobody read"


def assemble(
    card: Card,
    sentences: Mapping[str, Sentence],
    gathered: Gathered,
    filters: Filters | None = None,
    *,
    readers: Mapping[str, Mapping[str, str]] | None = None,
) -> Corpus:
    """Return the corpus of what passes ``filters``; its card counts what did not."""
    paths, filtered = apply_filters(filters or Filters(), gathered.scanpaths, sentences)
    dropped = gathered.dropped + filtered
    if not paths:
        reasons = ", ".join(f"{count} {reason}" for reason, count in dropped.items()) or "no rows"
        raise ScandlError(f"corpus {card.name!r}: nothing is left to import ({reasons})")
    read = {path.sentence_id for path in paths}
    who = {path.reader_id for path in paths}
    dropped += Counter({NOBODY: len(sentences.keys() - read)})
    notes = "; ".join(note for note in (card.notes, gathered.note) if note)
    return Corpus(
        replace(card, notes=notes, dropped=dict(+dropped)),
        {key: sentence for key, sentence in sentences.items() if key in read},
        tuple(paths),
        readers={key: values for key, values in (readers or {}).items() if key in who},
    )
