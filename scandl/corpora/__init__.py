"""Corpora of scanpaths: the folder layout, importers for other layouts, and the demo."""

from scandl.corpora.corpus import Card, Corpus, Pair
from scandl.corpora.corpus_folder import read_corpus, write_corpus

__all__ = ["Card", "Corpus", "Pair", "read_corpus", "write_corpus"]
