"""Reading times: hand-checked, against a slow definition, and against pymovements on real corpora."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scandl.corpora import Corpus, read_corpus
from scandl.seeds import stream
from scandl_analysis.measures.reading_times import TIME_MEASURES, timed_measures
from scandl_analysis.words.analysed_run import human_readings
from scandl_analysis.words.word_files import measure_words

INDICATORS = ("Fix", "FPF", "FPFC", "FPReg", "RR", "TRC_in", "TRC_out")


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


def test_columns_of_times_are_left_out_when_nobody_has_them(small_corpus: Corpus) -> None:
    timed, untimed = human_readings(small_corpus)
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
