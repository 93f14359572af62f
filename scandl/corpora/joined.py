"""Several corpora as one: for models that learn from more readers than one laboratory has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scandl.corpora.corpus import Card, Corpus
from scandl.errors import ScandlError


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
    return Corpus(card, sentences, paths, readers=readers)


def _all(values: Sequence[str]) -> str:
    """Return the different values, in order."""
    return "; ".join(dict.fromkeys(value for value in values if value))
