"""Measures against hand-checked paths, slow definitions, means in print, and pymovements on real corpora."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import Card, Corpus, read_corpus
from scandl.errors import ScandlError
from scandl.measures.word_measures import (
    MEASURES,
    NAMES,
    TIME_MEASURES,
    VARIANTS,
    timed_measures,
    word_measures,
)
from scandl.records import Scanpath, Sentence
from scandl.seeds import stream
from scandl_analysis.words.analysed_run import human_readings
from scandl_analysis.words.word_files import measure_words
from scandl_analysis.words.word_table import word_table

INDICATORS = ("Fix", "FPF", "FPFC", "FPReg", "RR", "TRC_in", "TRC_out")


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
        (
            [0, 3, 2, 1, 4],
            "firstpass",
            {"sr": [0, 1, 1, 0, 0], "fpr": [0, None, None, 1, 0], "ffc": [1, 0, 0, 1, 1]},
        ),
        # A second visit counts for tfc alone; the last fixation is no regression.
        ([1, 1, 0, 1], "paper", {"sr": [1, 0], "fpr": [0, 1], "ffc": [1, 2], "tfc": [1, 3]}),
        ([], "paper", {"sr": [1, 1], "fpr": [0, 0], "ffc": [0, 0], "tfc": [0, 0]}),
        ([], "firstpass", {"sr": [1, 1], "fpr": [None, None], "ffc": [0, 0], "tfc": [0, 0]}),
    ],
)
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


def test_hand_checked_go_past() -> None:
    # word:       0    2    2   1   2   3   1
    path, ms = [0, 2, 2, 1, 2, 3, 1], [200, 100, 50, 80, 70, 90, 60]
    measured = timed_measures(path, ms, n_words=5)
    assert measured["FFD"] == [200, None, 100, 90, None]
    assert measured["SFD"] == [200, None, None, 90, None]
    assert measured["FD"] == [200, 80, 100, 90, None]
    assert measured["FPRT"] == [200, None, 150, 90, None]
    assert measured["FRT"] == [200, 80, 150, 90, None]
    assert measured["RPD_inc"] == [200, None, 300, 150, None]
    assert measured["RPD_exc"] == [0, None, 80, 60, None]
    assert measured["RBRT"] == [200, None, 220, 90, None]
    assert measured["TFT"] == [200, 140, 220, 90, None]
    assert measured["RRT"] == [0, 140, 70, 0, None]
    assert measured["FPReg"] == [0, None, 1, 1, None]
    assert measured["FPFC"] == [1, 0, 2, 1, 0]
    assert measured["TRC_in"] == [0, 2, 0, 0, 0]
    assert measured["TRC_out"] == [0, 0, 1, 1, 0]
    assert measured["RR"] == [0, 1, 1, 0, 0]


def test_a_word_read_again_twice_in_a_row_adds_nothing_to_its_first_run() -> None:
    measured = timed_measures([0, 1, 0, 0], [200, 100, 50, 25], n_words=2)
    assert measured["FPRT"] == [200, 100]
    assert measured["FRT"] == [200, 100]
    assert measured["TFT"] == [275, 100]


def slow_go_past(path: list[int], ms: list[int], word: int) -> tuple[float, float] | None:
    """Walk from the first fixation until the eyes are to the right; (all, elsewhere)."""
    if word not in path or any(w > word for w in path[: path.index(word)]):
        return None
    time, elsewhere = 0.0, 0.0
    for fixated, duration in list(zip(path, ms, strict=True))[path.index(word) :]:
        if fixated > word:
            break
        time += duration
        elsewhere += duration * (fixated != word)
    return time, elsewhere


def test_go_past_and_totals_agree_with_a_walk_over_random_paths() -> None:
    for i in range(300):
        rng = stream(1, "durations", i)
        n_words = int(rng.integers(1, 9))
        path = rng.integers(0, n_words, int(rng.integers(0, 16))).tolist()
        ms = rng.integers(50, 500, len(path)).tolist()
        measured = timed_measures(path, ms, n_words)
        for word in range(n_words):
            expected = slow_go_past(path, ms, word)
            found = (measured["RPD_inc"][word], measured["RPD_exc"][word])
            assert found == (expected if expected is not None else (None, None))
        assert sum(v or 0 for v in measured["TFT"]) == sum(ms)
        assert sum(v or 0 for v in measured["TRC_in"]) == sum(b < a for a, b in pairwise(path))


def test_without_durations_events_remain_and_times_are_missing() -> None:
    measured = timed_measures([0, 2, 1], None, n_words=3)
    for name in TIME_MEASURES:
        values = measured[name]
        assert (name in INDICATORS) == any(value is not None for value in values), name


def test_columns_of_times_are_left_out_when_nobody_has_them() -> None:
    words, times = (0, 2, 1, 1, 3), (200.0, 100.0, 80.0, 60.0, 90.0)
    paths = Scanpath("r1", "s1", words, times), Scanpath("r2", "s1", (0, 1, 3))
    corpus = Corpus(Card(name="small"), {"s1": Sentence("s1", "The old dog slept.")}, paths)
    timed, untimed = human_readings(corpus)
    assert "TFT" in measure_words([timed, untimed])
    frame = measure_words([untimed])
    assert set(INDICATORS) <= set(frame)
    assert "TFT" not in frame


@pytest.mark.parametrize("name", ["schilling", "mertzen"])
def test_agrees_with_pymovements(shared: Callable[[str], Path], name: str) -> None:
    """Every measure both have; pymovements writes 0 where a measure is missing here."""
    pl = pytest.importorskip("polars", reason="pymovements is not installed")
    reading = pytest.importorskip("pymovements.measure.reading", reason="pymovements is not installed")
    corpus = read_corpus(shared(name))
    readings = human_readings(corpus)[::5][:200]
    assert all(r.durations is not None for r in readings)
    keys = [f"{r.reader_id}/{r.sentence_id}" for r in readings]
    fixations = pl.DataFrame(
        {
            "trial": [key for key, r in zip(keys, readings, strict=True) for _ in r.path],
            "word_idx": [word for r in readings for word in r.path],
            "duration": [ms for r in readings for ms in r.durations or ()],
        }
    )
    aois = {
        key: pl.DataFrame({"word_idx": list(range(len(r.words))), "word": r.words})
        for key, r in zip(keys, readings, strict=True)
    }
    theirs = reading.compute_reading_measures(fixations, aois, group_columns=["trial"])
    theirs = theirs.sort("trial", "word_index")
    ours = measure_words(readings, variant="firstpass")
    ours["trial"] = [key for key, r in zip(keys, readings, strict=True) for _ in r.words]
    ours = ours.sort_values(["trial", "word_index"], kind="stable")
    for measure in TIME_MEASURES:
        np.testing.assert_array_equal(
            ours[measure].fillna(0).to_numpy(), theirs[measure].to_numpy().astype(float), err_msg=measure
        )
    for mine, other in (("ffc", "FPFC"), ("tfc", "TFC")):
        np.testing.assert_array_equal(ours[mine].to_numpy(), theirs[other].to_numpy())
    np.testing.assert_array_equal(1 - ours["sr"].to_numpy(), theirs["FPF"].to_numpy())
    np.testing.assert_array_equal(ours["fpr"].fillna(0).to_numpy(), theirs["FPReg"].to_numpy())
    # What they call skipped is never fixated: fewer words than our sr.
    assert (theirs["skipped"].to_numpy() <= ours["sr"].to_numpy()).all()
    assert math.isclose(ours["TFT"].sum(), theirs["TFT"].sum())


def test_a_truncated_first_fixation_is_no_time_of_its_word() -> None:
    """Its word keeps what does not rest on that fixation alone; names may be chosen."""
    whole = timed_measures([1, 1, 0, 2], [50, 200, 150, 180], 3)
    cut = timed_measures([1, 1, 0, 2], [50, 200, 150, 180], 3, truncated=True)
    for name in ("FFD", "SFD", "FPRT"):
        assert cut[name][1] is None
        assert cut[name][::2] == whole[name][::2]
    assert {name for name in whole if whole[name] != cut[name]} == {"FFD", "FPRT"}  # it has no SFD anyway
    assert timed_measures([], [], 2, names=["FFD"], truncated=True) == {"FFD": [None, None]}
