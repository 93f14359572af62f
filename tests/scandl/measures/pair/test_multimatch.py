from __future__ import annotations

import math
import statistics
from itertools import pairwise

import multimatch_gaze
import numpy as np
import pytest

from scandl.measures.catalogue import METRICS
from scandl.measures.pair.multimatch import PlacedPath, chance, cheapest_path, multimatch

SCREEN = (1000.0, 700.0)
DIAGONAL = math.hypot(*SCREEN)


def random_path(rng, longest=15):
    n = rng.integers(3, longest)
    return np.stack(
        [rng.uniform(0, SCREEN[0], n), rng.uniform(0, SCREEN[1], n), rng.uniform(50, 500, n)], axis=1
    )


def all_ways(m, n):
    """Yield every monotone way from the first to the last cell."""

    def walk(way):
        i, j = way[-1]
        if (i, j) == (m - 1, n - 1):
            yield way
        for di, dj in ((0, 1), (1, 0), (1, 1)):
            if i + di < m and j + dj < n:
                yield from walk([*way, (i + di, j + dj)])

    return walk([(0, 0)])


def slow_multimatch(a, b, diagonal):
    """The definition in words: every alignment tried, complex numbers for vectors."""
    p, q = ([complex(x, y) for x, y, _ in path] for path in (a, b))
    u, v = ([z - w for w, z in pairwise(points)] for points in (p, q))
    way = min(all_ways(len(u), len(v)), key=lambda way: sum(abs(u[i] - v[j]) for i, j in way))

    def angle(z, w):
        turn = abs(math.atan2(z.imag, z.real) - math.atan2(w.imag, w.real))
        return min(turn, 2 * math.pi - turn)

    median = statistics.median
    return (
        1 - median(abs(u[i] - v[j]) for i, j in way) / (2 * diagonal),
        1 - median(angle(u[i], v[j]) for i, j in way) / math.pi,
        1 - median(abs(abs(u[i]) - abs(v[j])) for i, j in way) / diagonal,
        1 - median(abs(p[i] - q[j]) for i, j in way) / diagonal,
        1 - median(abs(a[i][2] - b[j][2]) / max(a[i][2], b[j][2]) for i, j in way),
    )


def test_agrees_with_every_alignment_tried():
    rng = np.random.default_rng(4)
    for _ in range(500):
        a, b = random_path(rng, 6), random_path(rng, 6)
        assert multimatch(a, b, DIAGONAL) == pytest.approx(slow_multimatch(a.tolist(), b.tolist(), DIAGONAL))
        assert multimatch(a, b, DIAGONAL) == pytest.approx(multimatch(b, a, DIAGONAL))


def test_agrees_with_multimatch_gaze_where_no_alignments_tie():
    """On whole word positions equally cheap alignments are common, and programs choose differently."""
    rng = np.random.default_rng(5)
    columns = [("start_x", float), ("start_y", float), ("duration", float)]
    for _ in range(60):
        a, b = random_path(rng), random_path(rng)
        theirs = multimatch_gaze.docomparison(
            *(np.array([tuple(row) for row in path], dtype=columns) for path in (a, b)), screensize=SCREEN
        )
        assert multimatch(a, b, DIAGONAL) == pytest.approx(theirs)


@pytest.mark.parametrize("seed", range(30))
def test_the_alignment_is_monotone_and_no_way_is_cheaper(seed):
    cost = np.random.default_rng(seed).integers(0, 3, (4, 5)).astype(float)  # ties on purpose
    way = cheapest_path(cost).tolist()
    assert way[0] == [0, 0]
    assert way[-1] == [3, 4]
    assert all((i - h, j - k) in {(0, 1), (1, 0), (1, 1)} for (h, k), (i, j) in pairwise(way))
    cheapest = min(sum(cost[i, j] for i, j in other) for other in all_ways(4, 5))
    assert sum(cost[i, j] for i, j in way) == cheapest


def test_by_hand_on_a_line():
    a = PlacedPath((0, 1, 2), (100, 100, 100), 10).on_a_line()
    b = PlacedPath((0, 3, 6), (200, 200, 200), 10).on_a_line()
    # saccades 1 1 against 3 3: each pair differs by 2, all go right; starts 0 1 against 0 3
    assert multimatch(a, b, 10) == pytest.approx((0.9, 1.0, 0.8, 0.9, 0.5))


def test_fewer_than_three_fixations_have_no_shape(instance):
    short = instance((0, 1), (0, 1, 2), text="a b c")
    assert np.isnan(METRICS["multimatch-shape"].score([short])).all()


def test_chance_depends_on_the_human_readings_only(instance):
    rng = np.random.default_rng(6)
    texts = [("s1", "a b c d e f"), ("s2", "a b c d e f g h"), ("s3", "a b c d")]
    human = {
        (key, k): tuple(rng.integers(0, len(text.split()), 6).tolist())
        for key, text in texts
        for k in range(5)
    }

    def batch(predicted):
        return [
            instance(path, predicted, sentence_id=key, text=dict(texts)[key])
            for (key, _), path in human.items()
        ]

    first, second = batch((0, 1, 2, 3)), batch((3, 2, 1, 0))
    assert chance(first).shape == chance(second[::-1]).shape == chance(first + second).shape
    assert 0 < chance(first).shape < 1
    expected = (METRICS["multimatch-shape"].score(first) - chance(first).shape) / (1 - chance(first).shape)
    assert METRICS["multimatch-shape-above-chance"].score(first) == pytest.approx(expected)


def test_unrelated_human_readings_stand_at_chance(instance):
    """Predictions that are readings of other sentences score about 0 above chance, identical ones 1."""
    rng = np.random.default_rng(7)
    text = " ".join("abcdefghij")
    paths = [tuple(np.clip(np.cumsum(rng.integers(-1, 4, 9)), 0, 9).tolist()) for _ in range(300)]
    name = "multimatch-position-above-chance"
    other = [instance(path, paths[k - 1], sentence_id=str(k), text=text) for k, path in enumerate(paths)]
    same = [instance(path, path, sentence_id=str(k), text=text) for k, path in enumerate(paths)]
    assert METRICS[name].score(other).mean() == pytest.approx(0.0, abs=0.05)
    assert METRICS[name].score(same) == pytest.approx(1.0)


def test_one_sentence_has_no_chance(instance):
    only = [instance((0, 1, 2), (0, 1, 2), text="a b c")]
    assert math.isnan(chance(only).shape)


def test_nothing_stands_above_a_chance_of_one(instance):
    alike = [instance((0, 1, 2), (0, 1, 2), text="a b c", sentence_id=key) for key in ("s1", "s2")]
    assert chance(alike).shape == 1.0
    assert np.isnan(METRICS["multimatch-shape-above-chance"].score(alike)).all()
