from __future__ import annotations

import itertools
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
    "schilling": ("30", "48", "1,421", "14,078", "11.2 ± 1.4 (8–14)", "9.9", "233 (median 218)"),
    "mertzen": ("56", "160", "1,987", "58,795", "22.6 ± 0.7 (21–24)", "29.6", "228 (median 211)"),
    "onestop-sample": ("7", "159", "379", "8,086", "18.5 ± 9.4 (1–51)", "21.3", "196 (median 184)"),
}
# Means over words, made with other code: tfc, sr, fpr of both variants.
OVER_WORDS = {"schilling": (0.8872, 0.4102, 0.1001, 0.1513), "mertzen": (1.3073, 0.4254, 0.1597, 0.2203)}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_table_to_its_last_digit(name: str, shared: Callable[[str], Path]) -> None:
    lines = [line[28:].strip() for line in statistics_lines(read_corpus(shared(name)))]
    assert (*lines[:6], lines[-1]) == PUBLISHED[name]


@pytest.mark.parametrize("name", OVER_WORDS)
def test_rates_are_over_words(name: str, shared: Callable[[str], Path]) -> None:
    found = corpus_statistics(read_corpus(shared(name)))
    rates = (found.fixations_per_word, found.skipping_rate, found.regression_rate, found.regressions_out)
    assert tuple(round(rate, 4) for rate in rates) == OVER_WORDS[name]


def slow(path: list[int], n: int) -> dict[str, tuple[int, int]]:
    """Say in the words of each definition what is counted, and of how many."""
    first = {word: path.index(word) for word in path}
    passed = {word for word in first if max(path[: first[word]], default=-1) < word}
    left_back = []
    for word in first:
        after = list(itertools.dropwhile(lambda at, word=word: at == word, path[first[word] :]))  # type: ignore[misc]
        if after and after[0] < word:
            left_back.append(word)
    steps = list(itertools.pairwise(path))
    return {
        "never_fixated": (n - len(first), n),
        "skipping_rate": (n - len(passed), n),
        "regression_rate": (len(left_back), n),
        "regressions_out": (len(passed & set(left_back)), len(passed)),
        "regressive_saccades": (sum(b < a for a, b in steps), len(steps)),
        "refixations": (sum(a == b for a, b in steps), len(steps)),
    }


@given(st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=9), min_size=1, max_size=5))
def test_the_rates_agree_with_their_definitions(paths: list[list[int]]) -> None:
    sentence = Sentence("s", "a b c d e")
    scanpaths = tuple(Scanpath(str(n), "s", tuple(path)) for n, path in enumerate(paths))
    found = corpus_statistics(Corpus(Card(name="c"), {"s": sentence}, scanpaths))
    for name in slow([0], 5):
        top, bottom = (sum(slow(path, 5)[name][k] for path in paths) for k in (0, 1))
        assert getattr(found, name) == pytest.approx(top / bottom if bottom else 0.0)
    assert found.duration_mean is None


def test_simulated_readers_are_called_so() -> None:
    corpus = Corpus(
        Card(name="c", kind="simulated"), {"s": Sentence("s", "a")}, (Scanpath("r", "s", (0,), (5.0,)),)
    )
    lines = statistics_lines(corpus)
    assert lines[0].split() == ["simulated", "readers", "1"]
    assert lines[-1].split() == ["fixation", "duration,", "ms", "5", "(median", "5)"]
