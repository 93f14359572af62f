"""How long texts are read again: by people, in readings made longer, and by the shipped model.

``python benchmarks/readers/bench_rereading.py provo-passages mertzen onestop-sample reading-brain-l1`` prints
for each corpus, of texts of at least 18 words, the share of paths that go on for six fixations or more after
their furthest word, and of these: the first saccade back and the largest one ahead (words), when the first
word of what is read again is reached (share of the rereading), regressions among saccades, and where the path
ends (share of the text). Readings made longer are those that the shipped model learns from.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

import numpy as np

from scandl.corpora.corpus_folder import open_corpus
from scandl.corpora.longer_texts import with_longer_texts
from scandl.models.model import Request
from scandl.models.pointer.condition import SENTENCE
from scandl.models.pointer.people import TASKS
from scandl.models.pointer.people_generator import ScandlPeople
from scandl.records import Scanpath, Sentence

LONG = 18  # words
REREAD = 6  # fixations after the furthest word


def main(argv: Sequence[str] | None = None) -> None:
    """Print one line per source and corpus."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    print("paths; share reread; first back, largest ahead, deepest at, regressions, ends at")
    for name in args.corpora:
        corpus = open_corpus(name)
        if TASKS.get(name) == SENTENCE:
            longer = with_longer_texts(corpus)
            show(f"{name}, made longer", longer.scanpaths[len(corpus.scanpaths) :], longer.sentences)
        else:
            show(f"{name}, people", corpus.scanpaths, corpus.sentences)
            requests = [
                Request(corpus.sentences[path.sentence_id], path.reader_id, task=TASKS.get(name, ""))
                for path in corpus.scanpaths
            ]
            drawn = ScandlPeople().generate(requests, seed=args.seed)
            show(f"{name}, scandl-people", drawn, corpus.sentences)


def show(label: str, paths: Sequence[Scanpath], sentences: Mapping[str, Sentence]) -> None:
    """Print how paths of long texts are read again."""
    long = [(p, n) for p in paths if p.words and (n := sentences[p.sentence_id].n_words) >= LONG]
    rows = [rereading(p.words, n) for p, n in long if p.n_fixations - p.words.index(max(p.words)) > REREAD]
    back, ahead, deepest, regressions, end = np.mean(rows, axis=0)
    print(
        f"{label}: {len(long)}; {len(rows) / len(long):.2f}; {back:.1f}, {ahead:.1f}, {deepest:.2f},"
        f" {regressions:.2f}, {end:.2f}",
        flush=True,
    )


def rereading(words: Sequence[int], n_words: int) -> tuple[float, ...]:
    """Return what is printed of one path that is read again."""
    again = np.array(words[words.index(max(words)) :])
    saccades = np.diff(again)
    deepest = (int(np.argmin(again[1:])) + 1) / len(saccades)
    return -saccades[0], saccades.max(), deepest, float(np.mean(saccades < 0)), again[-1] / (n_words - 1)


if __name__ == "__main__":
    main()
