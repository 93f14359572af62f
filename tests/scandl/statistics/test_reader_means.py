"""Means between readers against their slow definition, deletion of readers, and least squares by numpy."""

from __future__ import annotations

from itertools import product
from statistics import fmean

import numpy as np
import pytest

from scandl.statistics import reader_means
from scandl.statistics.distances import nld
from scandl.statistics.reader_means import (
    FEWEST_CENTRED,
    Pairs,
    mean_distances,
    sentence_means,
    side_of,
)

EVERYONE = "abcdefgwxyz"
DESIGNS = [
    "abcdefg",
    "aabbccddeeffgg",
    "bcdddefggg",  # some readers are lacking, others were drawn several times
    "wxyzz",  # nobody has a path on both sides
    "abcwwxyz",
]


def drawn(seed, readers):
    rng = np.random.default_rng(seed)
    paths = [tuple(rng.integers(0, 5, rng.integers(3, 8)).tolist()) for _ in readers]
    return list(zip([EVERYONE.index(reader) for reader in readers], paths, strict=True))


def side(rows):
    return side_of([reader for reader, _ in rows], [path for _, path in rows])


def slow_distance(one, other, r, q):
    """The mean distance of the paths of one reader to those of another."""
    return fmean(nld(x, y) for (a, x), (b, y) in product(one, other) if (a, b) == (r, q))


def slow_mean(one, other, left_out=None):
    """The mean over pairs of different readers, each of whom counts once, without those of one of them."""
    return fmean(
        slow_distance(one, other, r, q)
        for r, q in product({r for r, _ in one}, {q for q, _ in other})
        if r != q and left_out not in (r, q)
    )


def slow_residuals(one, other):
    """What effects of readers of both sides leave of the distances, by numpy's least squares."""
    a, b = (sorted({reader for reader, _ in rows}) for rows in (one, other))
    pairs = [(r, q) for r, q in product(a, b) if r != q]
    values = np.array([slow_distance(one, other, r, q) for r, q in pairs])
    design = np.zeros((len(pairs), len(a) + len(b)))
    for i, (r, q) in enumerate(pairs):
        design[i, a.index(r)] = design[i, len(a) + b.index(q)] = 1.0
    left = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    whole = np.zeros((len(EVERYONE), len(EVERYONE)))
    for (r, q), value in zip(pairs, left, strict=True):
        whole[r, q] = value / len(pairs) * np.sqrt(len(pairs) / (len(pairs) - len(a) - len(b)))
    return whole


@pytest.mark.parametrize("design", DESIGNS)
def test_means_are_over_pairs_of_different_readers_who_count_once(design):
    human, model = drawn(1, "abcdefg"), drawn(2, design)
    found = sentence_means(side(human), [side(model)], len(EVERYONE), "nld")
    assert found.between == pytest.approx([slow_mean(human, model)])
    assert found.within_human == pytest.approx(slow_mean(human, human))
    assert found.within_model == pytest.approx([slow_mean(model, model)])


@pytest.mark.parametrize("design", DESIGNS)
def test_what_a_reader_changes_is_what_leaving_the_reader_out_changes(design):
    human, model = drawn(1, "abcdefg"), drawn(2, design)
    found = sentence_means(side(human), [side(model)], len(EVERYONE), "nld")
    for of, sides in (
        (found.of_between[:, 0], (human, model)),
        (found.of_human, (human, human)),
        (found.of_model[:, 0], (model, model)),
    ):
        mean = slow_mean(*sides)
        assert of == pytest.approx([mean - slow_mean(*sides, left_out=r) for r in range(len(EVERYONE))])


@pytest.mark.parametrize("design", DESIGNS)
def test_second_order_terms_are_those_of_what_the_effects_of_readers_leave(design):
    human, models = drawn(1, "abcdefg"), [drawn(2, design), drawn(3, "abcdefgg")]
    found = sentence_means(side(human), [side(model) for model in models], len(EVERYONE), "nld")
    shares = []
    for model in models:
        between = slow_residuals(human, model)
        shares.append(between + between.T - slow_residuals(human, human) - slow_residuals(model, model))
    expected = [[2 * (a * b).sum() for b in shares] for a in shares]
    np.testing.assert_allclose(found.second_order, expected, rtol=1e-9)


@pytest.mark.parametrize("design", DESIGNS)
def test_effects_leave_nothing_of_any_reader(design):
    whole = (0, len(EVERYONE))
    pairs = Pairs([(side(drawn(1, "abcdefg")), side(drawn(2, design)))], [whole], "nld")
    left = pairs.curvature(whole, whole).values
    np.testing.assert_allclose(left.sum(axis=1), 0.0, atol=1e-14)
    np.testing.assert_allclose(left.sum(axis=2), 0.0, atol=1e-14)


@pytest.mark.parametrize("n", [2, 3, FEWEST_CENTRED])
def test_few_readers_have_no_second_order_terms(n):
    sides = [side(drawn(seed, "abcdefg"[:n])) for seed in (1, 2)]
    found = sentence_means(sides[0], sides[1:], n, "nld")
    assert (found.second_order[0, 0] > 0) == (n == FEWEST_CENTRED)
    assert (found.of_between != 0).any() == (n > 2)  # of two readers none can be left out


@pytest.mark.parametrize("design", DESIGNS)
def test_blocks_have_the_numbers_of_the_whole(design, monkeypatch):
    sides = [side(drawn(1, "abcdefg")), side(drawn(2, design)), side(drawn(3, "abcdefgg"))]
    whole = sentence_means(sides[0], sides[1:], len(EVERYONE), "nld")
    monkeypatch.setattr(reader_means, "BLOCK", 2)
    assert len(reader_means._blocks(sides, len(EVERYONE))) > 3
    found = sentence_means(sides[0], sides[1:], len(EVERYONE), "nld")
    for part in whole.__slots__:
        np.testing.assert_allclose(getattr(found, part), getattr(whole, part), rtol=1e-10, atol=1e-16)


def test_the_order_of_paths_and_copies_of_them_change_no_digit():
    human, model = drawn(1, "abcdefg"), drawn(2, "abccefgg")
    whole = sentence_means(side(human), [side(model)], len(EVERYONE), "nld")
    mixed = [rows[3:] + rows[:3] for rows in (human, model)]
    found = sentence_means(side(mixed[0]), [side(mixed[1] * 2)], len(EVERYONE), "nld")
    for part in whole.__slots__:
        np.testing.assert_array_equal(getattr(found, part), getattr(whole, part))


def test_the_paths_of_a_reader_are_averaged(monkeypatch):
    rows, other = drawn(4, "aabbb"), drawn(5, "acc")
    expected = [[slow_distance(rows, other, r, q) for q in (0, 2)] for r in (0, 1)]
    assert mean_distances(side(rows), side(other), "nld").tolist() == pytest.approx(np.array(expected))
    monkeypatch.setattr(reader_means, "BLOCK", 1)  # row by row
    assert mean_distances(side(rows), side(other), "nld").tolist() == pytest.approx(np.array(expected))
