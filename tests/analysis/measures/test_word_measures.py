"""The four measures against hand-checked paths, a slow definition, and the corpus means in print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import read_corpus
from scandl.errors import ScandlError
from scandl.seeds import stream
from scandl_analysis.measures.word_measures import MEASURES, NAMES, VARIANTS, word_measures
from scandl_analysis.words.analysed_run import human_readings
from scandl_analysis.words.word_table import word_table


def slow(path: list[int], n_words: int, variant: str) -> dict[str, list[int | None]]:
    """Write the definitions down again: for each word look at the whole path."""
    found: dict[str, list[int | None]] = {name: [] for name in NAMES}
    for word in range(n_words):
        at = [i for i, fixated in enumerate(path) if fixated == word]
        right = [i for i, fixated in enumerate(path) if fixated > word]
        skipped = not at or bool(right and right[0] < at[0])
        run = 0
        while at and at[0] + run < len(path) and path[at[0] + run] == word:
            run += 1
        following = path[at[0] + run :][:1] if at else []
        left = int(bool(following) and following[0] < word)
        found["sr"].append(int(skipped))
        found["tfc"].append(len(at))
        if variant == "paper":
            found["fpr"].append(left)
            found["ffc"].append(run)
        else:
            found["fpr"].append(None if skipped else left)
            found["ffc"].append(0 if skipped else run)
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_agrees_with_the_slow_definition_on_a_thousand_random_paths(variant: str) -> None:
    for i in range(1000):
        rng = stream(1, "measures", i)
        n_words = int(rng.integers(1, 12))
        path = rng.integers(0, n_words, int(rng.integers(0, 20))).tolist()
        assert word_measures(path, n_words, variant) == slow(path, n_words, variant)


@pytest.mark.parametrize(
    ("path", "variant", "expected"),
    [
        # Skipped, come back to, left for the left: a first visit but no first pass.
        ([0, 3, 2, 1, 4], "paper", {"sr": [0, 1, 1, 0, 0], "fpr": [0, 0, 1, 1, 0], "ffc": [1, 1, 1, 1, 1]}),
        ([0, 3, 2, 1, 4], "firstpass",
         {"sr": [0, 1, 1, 0, 0], "fpr": [0, None, None, 1, 0], "ffc": [1, 0, 0, 1, 1]}),
        # A second visit counts for tfc alone; the last fixation is no regression.
        ([1, 1, 0, 1], "paper", {"sr": [1, 0], "fpr": [0, 1], "ffc": [1, 2], "tfc": [1, 3]}),
        ([], "paper", {"sr": [1, 1], "fpr": [0, 0], "ffc": [0, 0], "tfc": [0, 0]}),
        ([], "firstpass", {"sr": [1, 1], "fpr": [None, None], "ffc": [0, 0], "tfc": [0, 0]}),
    ],
)  # fmt: skip
def test_hand_checked(path: list[int], variant: str, expected: dict[str, list[int | None]]) -> None:
    n_words = len(expected["sr"])
    measured = word_measures(path, n_words, variant)
    assert {name: measured[name] for name in expected} == expected


paths = st.integers(1, 8).flatmap(
    lambda n: st.tuples(st.lists(st.integers(0, n - 1), max_size=15), st.just(n))
)


@given(paths)
def test_laws(case: tuple[list[int], int]) -> None:
    path, n_words = case
    paper, first = (word_measures(path, n_words, variant) for variant in VARIANTS)
    assert sum(v or 0 for v in paper["tfc"]) == len(path)
    assert paper["sr"] == first["sr"]
    for word in range(n_words):
        # Without a skip the two conventions are the same; with one, first pass has nothing.
        if first["sr"][word]:
            assert (first["fpr"][word], first["ffc"][word]) == (None, 0)
        else:
            assert (first["fpr"][word], first["ffc"][word]) == (paper["fpr"][word], paper["ffc"][word])
        assert (paper["ffc"][word] or 0) <= (paper["tfc"][word] or 0)


@pytest.mark.parametrize(
    ("name", "paper", "firstpass"),
    [
        ("schilling", (0.4102, 0.1001, 0.7910, 0.8872), (0.4102, 0.1513, 0.6903, 0.8872)),
        ("mertzen", (0.4254, 0.1597, 0.7879, 1.3073), (0.4254, 0.2203, 0.6423, 1.3073)),
    ],
)
def test_corpus_means(
    shared: Callable[[str], Path], name: str, paper: tuple[float, ...], firstpass: tuple[float, ...]
) -> None:
    readings = human_readings(read_corpus(shared(name)))
    for variant, expected in (("paper", paper), ("firstpass", firstpass)):
        means = word_table(readings, variant=variant)[list(NAMES)].mean()
        np.testing.assert_allclose(means, expected, atol=5e-5)


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(ScandlError, match="no variant of the reading measures 'papr'; did you mean 'paper'"):
        word_measures([0], 1, "papr")
    with pytest.raises(ScandlError, match=r"no reading measure \(paper\) 'src'; did you mean 'sr'"):
        MEASURES["paper"]["src"]
