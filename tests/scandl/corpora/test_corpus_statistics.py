from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus, read_corpus
from scandl.corpora.corpus_statistics import corpus_statistics, statistics_lines
from scandl.records import Scanpath, Sentence

# The table that came with the corpora: printed digits, made with other code.
PUBLISHED = {
    "schilling": ("30", "48", "1,421", "14,078", "11.2 ± 1.4 (8–14)", "9.9", "0.896", "0.316", "0.406", "0.100",
                  "0.170", "0.123", "0.142", "233 (median 218)"),
    "mertzen": ("56", "160", "1,987", "58,795", "22.6 ± 0.7 (21–24)", "29.6", "1.308", "0.285", "0.425", "0.160",
                "0.224", "0.197", "0.086", "228 (median 211)"),
    "onestop-sample": ("7", "159", "379", "8,086", "18.5 ± 9.4 (1–51)", "21.3", "1.168", "0.329", "0.476", "0.166",
                       "0.279", "0.226", "0.129", "196 (median 184)"),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_table_to_its_last_digit(name: str, shared: Callable[[str], Path]) -> None:
    lines = statistics_lines(read_corpus(shared(name)))
    assert tuple(line[28:].strip() for line in lines) == PUBLISHED[name]


def slow(path: list[int], n: int) -> dict[str, float | None]:
    """Say each rate in the words of its definition."""
    first = {word: path.index(word) for word in path}
    passed = {word for word in first if max(path[: first[word]], default=-1) < word}
    left_back = []
    for word in first:
        after = list(itertools.dropwhile(lambda at, word=word: at == word, path[first[word] :]))  # type: ignore[misc]
        if after and after[0] < word:
            left_back.append(word)
    steps = list(itertools.pairwise(path))
    return {
        "never_fixated": 1 - len(first) / n,
        "skipping_rate": 1 - len(passed) / n,
        "regression_rate": len(left_back) / n,
        "regressions_out": len(passed & set(left_back)) / len(passed) if passed else None,
        "regressive_saccades": sum(b < a for a, b in steps) / len(steps) if steps else None,
        "refixations": sum(a == b for a, b in steps) / len(steps) if steps else None,
    }


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=5))
def test_the_rates_agree_with_their_definitions(paths: list[list[int]]) -> None:
    sentence = Sentence("s", "a b c d e")
    scanpaths = tuple(Scanpath(str(n), "s", tuple(path)) for n, path in enumerate(paths))
    found = corpus_statistics(Corpus(Card(name="c"), {"s": sentence}, scanpaths))
    for name in slow([0], 5):
        values = [value for path in paths if (value := slow(path, 5)[name]) is not None]
        assert getattr(found, name) == pytest.approx(statistics.fmean(values) if values else 0.0)
    assert found.duration_mean is None


def test_simulated_readers_are_called_so() -> None:
    corpus = Corpus(
        Card(name="c", kind="simulated"), {"s": Sentence("s", "a")}, (Scanpath("r", "s", (0,), (5.0,)),)
    )
    lines = statistics_lines(corpus)
    assert lines[0].split() == ["simulated", "readers", "1"]
    assert lines[-1].split() == ["fixation", "duration,", "ms", "5", "(median", "5)"]
