from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import textdistance
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import read_corpus
from scandl.errors import ScandlError
from scandl.files.symbol_repair import frame
from scandl.measures.catalogue import METRICS
from scandl.measures.pair.nld import (
    KERNELS,
    levenshtein,
    nld,
    nld_scandl,
    paired,
    pairwise,
    score_scandl,
    yujian_bo,
)

PURE = {"levenshtein": levenshtein, "nld": nld, "nld-scandl": nld_scandl, "yujian-bo": yujian_bo}
PATHS = st.lists(st.integers(0, 5), max_size=8).map(tuple)

# S, Ŝ, LD, NLD `words`, NLD `scandl`, Yujian–Bo
VECTORS = [
    ("1 2 3 4 5", "1 3 4 4 5", 2, 0.4, 0.285714, 0.333333),
    ("1 2", "2 1", 2, 1.0, 0.5, 0.666667),
    ("1 2", "1 2 1", 1, 0.333333, 0.2, 0.333333),
    ("1 1 2 3 5 4 5", "1 2 3 4 5", 2, 0.285714, 0.222222, 0.285714),
    ("1 2 4 3 5 6 6", "2 3 5 7", 4, 0.571429, 0.444444, 0.533333),
    ("", "1 2", 2, 1.0, 0.5, 1.0),
]


def slow_levenshtein(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """The recursive definition."""

    @cache
    def distance(i: int, j: int) -> int:
        if i == 0 or j == 0:
            return i + j
        return min(
            distance(i - 1, j) + 1, distance(i, j - 1) + 1, distance(i - 1, j - 1) + (a[i - 1] != b[j - 1])
        )

    return distance(len(a), len(b))


@pytest.mark.parametrize(("human", "predicted", "ld", "words", "scandl", "metric"), VECTORS)
def test_known_values(human, predicted, ld, words, scandl, metric, instance):
    a, b = (tuple(map(int, path.split())) for path in (human, predicted))
    expected = dict(zip(PURE, (ld, words, scandl, metric), strict=True))
    for name, value in expected.items():
        assert PURE[name](a, b) == pytest.approx(value, abs=1e-6)
        assert METRICS[name].score([instance(a, b)]) == pytest.approx(value, abs=1e-6)


def test_agrees_with_the_recursive_definition(random_pairs):
    for a, b in random_pairs(500):
        distance = slow_levenshtein(a, b)
        assert levenshtein(a, b) == distance
        assert nld(a, b) == pytest.approx(distance / max(len(a), len(b), 1))


def test_agrees_with_textdistance(random_pairs):
    pairs = random_pairs(500)
    ours = paired([a for a, _ in pairs], [b for _, b in pairs])
    theirs = [textdistance.levenshtein.normalized_distance(a, b) for a, b in pairs]
    assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("kernel", KERNELS)
def test_batched_forms_equal_the_pure_function(kernel, random_pairs):
    left, right = (list(side) for side in zip(*random_pairs(40), strict=True))
    every = np.array([[PURE[kernel](a, b) for b in right] for a in left])
    assert pairwise(left, right, kernel) == pytest.approx(every)
    assert paired(left, right, kernel) == pytest.approx(np.diag(every))


@pytest.mark.parametrize("largest", [300, 70_000, 2_000_000])
def test_long_texts_and_surrogate_code_points_are_positions_like_others(largest):
    a, b = (0, 255, 0xD800, 0xDFFF, largest), (0, 256, 0xD800, 0xDC00, largest)
    assert paired([a, (5,)], [b, (5, 261)]).tolist() == [0.4, 0.5]  # 261 = 5 modulo 256


def test_arrays_are_compared_by_position_not_by_memory():
    a, b = np.array([0, 1, 2, 3]), np.array([0, 1, 1, 3])
    assert paired([a], [b]).tolist() == [0.25]
    assert pairwise([a], [(0, 1, 1, 3)]).tolist() == [[0.25]]


@given(PATHS, PATHS, PATHS)
def test_yujian_bo_is_a_metric(a, b, c):
    assert yujian_bo(a, b) <= yujian_bo(a, c) + yujian_bo(c, b) + 1e-12
    assert (yujian_bo(a, b) == 0) == (a == b)


@given(PATHS, PATHS)
def test_every_normalised_distance_is_symmetric_and_at_most_one(a, b):
    for distance in (nld, nld_scandl, yujian_bo):
        assert distance(a, b) == distance(b, a)
        assert 0 <= distance(a, b) <= 1


@given(PATHS, PATHS)
def test_the_scandl_convention_is_nld_of_framed_paths(a, b):
    assert nld_scandl(a, b) == pytest.approx(nld(frame(a, 6), frame(b, 6)))


def test_raw_symbols_are_scored_as_published(instance):
    text = "one two three"
    forgot_sep = instance((0, 1, 2), (0, 1), text=text, raw=(0, 1, 2, 127, 127))
    inner_pad = instance((0, 1, 2), (0,), text=text, raw=(0, 1, 127, 3, 4, 127))
    framed = instance((0, 1, 2), (0, 1, 2), text=text, raw=(0, 1, 2, 3, 4, 127))
    without_text = instance((0, 1, 2), (0, 1), raw=(0, 1, 2, 127, 127))
    # human 0 1 2 3 4 against 0 1 2 | 0 1 127 3 4 | 0 1 2 3 4; without text both are framed
    assert score_scandl([forgot_sep, inner_pad, framed, without_text]).tolist() == [0.4, 0.2, 0.0, 0.2]


def test_nothing_gives_nothing():
    assert paired([], []).shape == (0,)
    assert pairwise([], [(0,)]).shape == (0, 1)
    assert METRICS["nld-scandl"].score([]).shape == (0,)


def test_error_texts():
    with pytest.raises(ScandlError, match="as many paths on both sides, not 1 and 0"):
        paired([(0,)], [])
    with pytest.raises(ScandlError, match="no distance 'ndl'; did you mean 'nld'. known: levenshtein, nld"):
        pairwise([], [], "ndl")


def test_nothing_heavy_is_imported():
    code = "import sys, scandl.measures.pair.nld; print(*{'pandas', 'scipy', 'numba'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""


@pytest.mark.parametrize(
    ("corpus", "words", "scandl"), [("schilling", 0.4586, 0.3918), ("mertzen", 0.6502, 0.6087)]
)
def test_left_to_right_reading_of_real_sentences(corpus, words, scandl, shared):
    found = read_corpus(shared(corpus))
    for kernel, expected in (("nld", words), ("nld-scandl", scandl)):
        means = [
            pairwise(
                [tuple(range(found.sentences[key].n_words))], [p.positions for p in paths], kernel
            ).mean()
            for key, paths in found.by_sentence.items()
        ]
        assert np.mean(means) == pytest.approx(expected, abs=1e-4)


def timed_instance(instance, words, ms):
    """Human and predicted words with their durations."""
    made = instance(*words)
    return replace(made, human_durations=ms[0], prediction=replace(made.prediction, durations=ms[1]))


def test_nld_in_time_is_nld_of_repeated_words(random_pairs, instance):
    rng = np.random.default_rng(5)
    for a, b in random_pairs(200):
        ms = [tuple(rng.integers(1, 600, len(path)).tolist()) for path in (a, b)]
        written = [
            [w for w, d in zip(path, own, strict=True) for _ in range(max(1, int((d + 25) // 50)))]
            for path, own in zip((a, b), ms, strict=True)
        ]
        longest = max(map(len, written), default=0)
        expected = textdistance.levenshtein(*written) / max(longest, 1)
        found = METRICS["nld-time"].score([timed_instance(instance, (a, b), ms)])
        assert found == pytest.approx([expected])


def test_nld_in_time_is_nld_where_every_fixation_is_one_bin(random_pairs, instance):
    pairs = random_pairs(200)
    timed = [timed_instance(instance, (a, b), ((50.0,) * len(a), (30.0,) * len(b))) for a, b in pairs]
    assert METRICS["nld-time"].score(timed).tolist() == METRICS["nld"].score(timed).tolist()


@pytest.mark.parametrize("ms", [(None, (90.0, 90.0)), ((90.0, 90.0), None), (None, None)])
def test_nld_in_time_is_not_defined_without_durations_of_both(instance, ms):
    known = timed_instance(instance, ((0, 1), (0, 2)), ((90.0, 90.0), (90.0, 90.0)))
    found = METRICS["nld-time"].score([timed_instance(instance, ((0, 1), (0, 2)), ms), known])
    assert np.isnan(found[0])
    assert found[1] == 0.5
