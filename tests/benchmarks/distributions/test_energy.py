from __future__ import annotations

import math
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest
from scandl_eval.distributions.energy import diversity_ratio, energy, energy_distance

from scandl.corpora import read_corpus
from scandl.errors import ScandlError
from scandl.records import Scanpath
from scandl_eval.metrics.nld import nld, yujian_bo


def slow_energy(human, model, distance):
    between = fmean(distance(x, y) for x, y in product(human, model))
    within = [fmean(distance(x, y) for x, y in combinations(side, 2)) for side in (human, model)]
    return 2 * between - sum(within)


def words(paths):
    return [path.words for path in paths]


@pytest.mark.parametrize(("kernel", "distance"), [("nld", nld), ("yujian-bo", yujian_bo)])
def test_agrees_with_the_definition_sentence_by_sentence(kernel, distance, readings):
    human, model = readings(1), readings(2, readers=5, pace=4)
    found = energy(human, model, kernel, permutations=0, resamples=0)
    for sentence_id, value in zip(found.sentence_ids, found.distances, strict=True):
        sides = [words(p for p in side if p.sentence_id == sentence_id) for side in (human, model)]
        assert value == pytest.approx(slow_energy(*sides, distance))
        assert value == pytest.approx(energy_distance(*sides, kernel))
    assert found.distance == pytest.approx(found.distances.mean())


def test_relabelled_readings_of_one_population_are_at_zero_on_average(readings):
    """The unbiased form: over many random divisions of the same paths the mean is 0."""
    paths = words(readings(3, sentences=1, readers=20))
    rng = np.random.default_rng(4)
    values = []
    for _ in range(2000):
        order = rng.permutation(20)
        values.append(energy_distance([paths[i] for i in order[:8]], [paths[i] for i in order[8:]]))
    standard_error = np.std(values) / math.sqrt(len(values))
    assert abs(np.mean(values)) < 4 * standard_error


def test_one_path_is_enough_only_for_a_declared_constant(readings):
    human = readings(5, sentences=1)
    assert math.isnan(energy_distance(words(human), [(0, 1, 2)]))
    assert math.isnan(energy_distance([(0, 1)], [(0, 1), (1, 2)]))
    constant = energy_distance(words(human), [(0, 1, 2)], constant=True)
    assert constant == pytest.approx(energy_distance(words(human), [(0, 1, 2)] * 5))


def test_a_constant_model_has_no_diversity_and_is_found_out(readings):
    human = readings(6)
    model = [Scanpath("", f"s{s}", (0, 1, 2, 4, 6)) for s in range(12)]
    found = energy(human, model, constant=True, permutations=199, resamples=200)
    assert found.diversity_ratio == 0
    assert found.diversity_ci95 == (0, 0)
    assert found.p_value == 1 / 200
    assert found.ci95 is not None
    assert found.ci95[0] < found.distance < found.ci95[1]


def test_a_model_declared_constant_must_be(readings):
    with pytest.raises(ScandlError, match="a constant model reads sentence 's0' in two ways"):
        energy(readings(1), readings(2), constant=True)


def test_sentences_with_too_few_paths_are_named(readings):
    human, model = readings(1, sentences=3), readings(2, sentences=4)
    one = [path for path in model if path.sentence_id != "s1" or path.reader_id == "r0"]
    assert energy(human, one, permutations=0, resamples=0).left_out == ("s1", "s3")
    with pytest.raises(ScandlError, match="no sentence has two human and two generated scanpaths"):
        energy(human, [])


def test_the_permutation_test_keeps_its_level_and_finds_a_difference(readings):
    same = [
        energy(
            readings(seed), readings(seed + 1000, who="m"), permutations=99, resamples=0, seed=seed
        ).p_value
        for seed in range(60)
    ]
    assert np.mean(np.array(same) <= 0.1) == pytest.approx(0.1, abs=0.1)
    assert np.mean(same) == pytest.approx(0.5, abs=0.12)
    assert energy(readings(1), readings(2, pace=5), permutations=199, resamples=0).p_value == 1 / 200


def test_the_permutation_test_agrees_with_relabelling_by_hand(readings):
    human, model = readings(1, sentences=3, readers=4), readings(2, sentences=3, readers=3, pace=4)
    found = energy(human, model, permutations=2000, resamples=0)
    rng = np.random.default_rng(0)
    null = []
    for _ in range(500):
        total = 0.0
        for s in range(3):
            paths = words(p for p in [*human, *model] if p.sentence_id == f"s{s}")
            mixed = [paths[i] for i in rng.permutation(7)]
            total += energy_distance(mixed[:4], mixed[4:])
        null.append(total / 3)
    by_hand = np.mean(np.array(null) >= found.distance - 1e-9)
    assert found.p_value == pytest.approx(by_hand, abs=4 * math.sqrt(0.25 / 500))


def test_the_interval_agrees_with_drawing_readers_and_sentences_by_hand(readings):
    """The slow way: copy what was drawn, pair everything except copies of one path."""
    human, model = readings(1, sentences=5, readers=5), readings(2, sentences=5, readers=5, pace=4)
    found = energy(human, model, permutations=0, resamples=4000)
    rng = np.random.default_rng(1)
    by_pair = [{(p.reader_id, p.sentence_id): p for p in side} for side in (human, model)]
    draws = []
    for _ in range(1000):
        values, readers = [], rng.integers(0, 5, 5)
        for s in rng.integers(0, 5, 5):
            x, y = ([side[f"r{r}", f"s{s}"] for r in readers] for side in by_pair)
            if len(set(readers.tolist())) == 1:
                continue
            within = [
                fmean(nld(a.words, b.words) for a, b in combinations(side, 2) if a is not b)
                for side in (x, y)
            ]
            values.append(2 * fmean(nld(a.words, b.words) for a, b in product(x, y)) - sum(within))
        if values:
            draws.append(fmean(values))
    assert found.ci95 == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.02)


def test_same_seed_same_result(readings):
    human, model = readings(1), readings(2)
    first, again, other = (energy(human, model, permutations=99, resamples=99, seed=s) for s in (1, 1, 2))
    assert (first.ci95, first.p_value) == (again.ci95, again.p_value)
    assert first.ci95 != other.ci95


def test_left_to_right_is_far_from_readers(shared):
    for corpus, by_nld, by_yujian_bo in (("schilling", 0.3885, None), ("mertzen", 0.5926, 0.4942)):
        found = read_corpus(shared(corpus))
        model = [Scanpath("", key, tuple(range(s.n_words))) for key, s in found.sentences.items()]
        for kernel, expected in (("nld", by_nld), ("yujian-bo", by_yujian_bo)):
            if expected is not None:
                far = energy(found.scanpaths, model, kernel, constant=True, permutations=0, resamples=0)
                assert far.distance == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("model", "by_nld", "by_yujian_bo", "diversity"),
    [("swift", 0.1734, 0.1677, 0.715), ("seam", 0.1049, 0.0669, 0.952)],
)
def test_published_simulations(model, by_nld, by_yujian_bo, diversity, simulation):
    corpus, paths = simulation(model)
    found = energy(corpus.scanpaths, paths, resamples=500)
    assert len(found.sentence_ids) == 156
    assert found.distance == pytest.approx(by_nld, abs=5e-4)
    assert found.diversity_ratio == pytest.approx(diversity, abs=1e-3)
    assert found.ci95 is not None
    assert found.ci95[0] < found.distance < found.ci95[1]
    assert found.p_value == 0.001
    other = energy(corpus.scanpaths, paths, "yujian-bo", permutations=0, resamples=0)
    assert other.distance == pytest.approx(by_yujian_bo, abs=5e-4)
    assert diversity_ratio(corpus.scanpaths, paths) == found.diversity_ratio


def test_halves_of_real_readers_are_at_zero(shared):
    corpus = read_corpus(shared("schilling"))
    values = []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        half = rng.random(len(corpus.scanpaths)) < 0.5
        sides = [
            [p for p, h in zip(corpus.scanpaths, half, strict=True) if h == side] for side in (True, False)
        ]
        values.append(energy(*sides, permutations=0, resamples=0).distance)
    assert np.mean(values) == pytest.approx(0.0, abs=0.002)


def test_readers_who_are_all_alike_have_no_diversity_to_compare_with():
    human = [Scanpath(f"r{r}", f"s{s}", (0, 1, 2)) for r in range(4) for s in range(3)]
    model = [Scanpath(f"r{r}", f"s{s}", (0, 1, r % 3)) for r in range(4) for s in range(3)]
    found = energy(human, model, permutations=19, resamples=100)
    assert math.isnan(found.diversity_ratio)
    assert found.diversity_ci95 is None
    assert found.ci95 is not None


def test_a_draw_of_readers_may_meet_several_of_sentences():
    """The same resamples of readers, so the spread over them is the same; only sentences are drawn more often."""
    rng = np.random.default_rng(6)
    human, model = (
        [
            Scanpath(f"r{r}", f"s{s}", tuple(rng.integers(0, 6, 5).tolist()))
            for r in range(8)
            for s in range(9)
        ]
        for _ in range(2)
    )
    few = energy(human, model, permutations=0, resamples=400, reader_draws=100, seed=3)
    many = energy(human, model, permutations=0, resamples=2000, seed=3)
    assert few.draws.shape == (3, 400)
    assert np.nanstd(few.distance_draws) == pytest.approx(np.nanstd(many.distance_draws), rel=0.25)
    # With a single sentence nothing but readers is drawn: each draw of them gives the same value again.
    alone = (
        [path for path in human if path.sentence_id == "s0"],
        [path for path in model if path.sentence_id == "s0"],
    )
    draws = energy(*alone, permutations=0, resamples=60, reader_draws=20, seed=3).distance_draws.reshape(
        3, 20
    )
    np.testing.assert_array_equal(draws[0], draws[1])
    np.testing.assert_array_equal(draws[0], draws[2])
