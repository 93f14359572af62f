"""Corpora of scanpaths: the folder layout, importers for other layouts, and the demo."""

from scandl.corpora.base import Card, Corpus, Pair
from scandl.corpora.folder import read_corpus, write_corpus

__all__ = ["Card", "Corpus", "Pair", "read_corpus", "write_corpus"]
