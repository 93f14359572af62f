from __future__ import annotations

from pathlib import Path

from scandl.corpora.corpus_folder import open_corpus
from scandl.corpora.corpus_list import list_corpora


def test_sizes_are_those_of_the_whole_corpus(installed: Path) -> None:
    entries = {entry.name: entry for entry in list_corpora()}
    assert list(entries) == ["demo", "mine", "toy"]
    for name, entry in entries.items():
        corpus = open_corpus(name)
        assert (entry.readers, entry.sentences, entry.scanpaths, entry.kind) == (
            len(corpus.reader_ids),
            len(corpus.sentences),
            len(corpus.scanpaths),
            corpus.card.kind,
        )


def test_a_broken_corpus_is_listed_with_its_fault(installed: Path) -> None:
    (installed / "b" / "toy" / "fixations.csv").unlink()
    (installed / "a" / "toy" / "corpus.toml").unlink()
    broken = next(entry for entry in list_corpora() if entry.name == "toy")
    assert "fixations.csv: found no file" in broken.problem
