"""Energy distance against its slow definition, published simulations, jackknives and simulation."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, product
from statistics import fmean

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.files.prediction_files import read_predictions
from scandl.records import Scanpath
from scandl.statistics.clustered import CROSSED, ONE_WAY
from scandl.statistics.distances import nld, pairwise, yujian_bo
from scandl.statistics.energy import (
    energy_distance,
    energy_terms,
    half_against_half,
    permutation_p,
)


def slow_energy(human, model, distance=nld):
    """The definition: means over all pairs of two different readers, one sentence."""
    between = fmean(
        distance(x.positions, y.positions) for x, y in product(human, model) if x.reader_id != y.reader_id
    )
    within = [
        fmean(
            distance(x.positions, y.positions) for x, y in combinations(side, 2) if x.reader_id != y.reader_id
        )
        for side in (human, model)
    ]
    return 2 * between - sum(within)


def words(paths):
    return [path.positions for path in paths]


def by_sentence(paths):
    found = {}
    for path in paths:
        found.setdefault(path.sentence_id, []).append(path)
    return found


def without(readings, reader):
    return {s: [p for p in paths if p.reader_id != reader] for s, paths in readings.items()}


@pytest.mark.parametrize(("kernel", "distance"), [("nld", nld), ("yujian-bo", yujian_bo)])
@pytest.mark.parametrize("model_readers", [8, 5])  # every reader on both sides, and some on one only
def test_agrees_with_the_definition_sentence_by_sentence(kernel, distance, model_readers, readings):
    human, model = readings(1), readings(2, readers=model_readers, pace=4)
    terms = energy_terms(human, {"m": model}, kernel)
    expected = [slow_energy(human[s], model[s], distance) for s in terms.sentence_ids]
    assert terms.by_sentence[:, 0] == pytest.approx(expected)
    assert terms.distances[0] == pytest.approx(fmean(expected))


def test_several_draws_for_a_reader_never_meet_that_reader(readings):
    """Neither the reader's own path nor each other: both would be closer than two people are."""
    human = readings(1, sentences=3, readers=4)
    model = {
        s: [*readings(2, sentences=3, readers=4)[s], *readings(3, sentences=3, readers=4)[s]] for s in human
    }
    terms = energy_terms(human, {"m": model})
    assert terms.by_sentence[:, 0] == pytest.approx([slow_energy(human[s], model[s]) for s in human])


def mixed(readings, seed):
    """The same readings in another order of sentences and readers."""
    rng = np.random.default_rng(seed)
    sentences = list(readings)
    return {
        sentences[i]: [readings[sentences[i]][j] for j in rng.permutation(len(readings[sentences[i]]))]
        for i in rng.permutation(len(sentences))
    }


def everything(terms):
    """Every number that follows from terms, by model, with all differences between models."""
    found = {}
    for i, j in product(range(len(terms.models)), repeat=2):
        contrast = [float(k == i) - 0.5 * float(k == j) for k in range(len(terms.models))]
        uncertainties = terms.distance_uncertainty, terms.diversity_uncertainty
        values = terms.distances[i], terms.diversity[i], *(each.variance(contrast) for each in uncertainties)
        found[terms.models[i], terms.models[j]] = values
    return found


@pytest.mark.parametrize("ragged", [False, True])
def test_the_order_of_rows_readers_and_models_changes_no_digit(ragged, readings):
    """Shuffled rows once had no second-order correction: intervals were up to half as wide again."""
    human = readings(1, sentences=40)
    models = {"a": readings(2, sentences=40, pace=4), "b": readings(3, sentences=40)}
    if ragged:
        models["a"] = {s: [*paths, *paths[i % 7 :]] for i, (s, paths) in enumerate(models["a"].items())}
        models["b"] = {s: paths[i % 4 :] for i, (s, paths) in enumerate(models["b"].items())}
    expected = everything(energy_terms(human, models))
    for seed in range(3):
        other = {m: mixed(models[m], seed + i) for i, m in enumerate(("b", "a"))}
        assert everything(energy_terms(mixed(human, seed), other)) == expected
    nobody = {s: [replace(p, reader_id="") for p in paths] for s, paths in readings(4, sentences=40).items()}
    more = everything(energy_terms(human, {"z": readings(5, sentences=40), **models, "nobody": nobody}))
    assert {pair: more[pair] for pair in expected} == expected


def test_samples_written_twice_change_no_digit(readings):
    """Two copies of a reader's path are that reader's: they make nothing more or less sure."""
    human, model = readings(1), readings(2, pace=4)
    twice = {s: [*paths, *paths] for s, paths in model.items()}
    assert everything(energy_terms(human, {"m": twice})) == everything(energy_terms(human, {"m": model}))


def test_a_reader_counts_once_however_many_samples_there_are(styled):
    """With paths for readers, a model that knows them would be at a distance: some would count more."""
    rng = np.random.default_rng(5)
    by_reader, by_path = [], []
    for _ in range(150):
        traits = np.linspace(0.1, 0.9, 8)
        human, *samples = (styled(rng, traits, sentences=3) for _ in range(6))
        model = {s: [*samples[0][s], *(p for more in samples[1:] for p in more[s][:2])] for s in human}
        by_reader.append(float(energy_terms(human, {"m": model}).distances[0]))
        by_path.append(fmean(slow_energy(human[s], model[s]) for s in human))
    for values, biased in ((by_reader, False), (by_path, True)):
        standard_error = np.std(values, ddof=1) / math.sqrt(len(values))
        assert (abs(np.mean(values)) > 4 * standard_error) == biased


def test_paths_that_stand_for_nobody_meet_everybody(readings):
    human, model = readings(1), readings(2, readers=5)
    nobody = {s: [replace(path, reader_id="") for path in paths] for s, paths in model.items()}
    terms = energy_terms(human, {"m": nobody})
    expected = [energy_distance(words(human[s]), words(nobody[s])) for s in terms.sentence_ids]
    assert terms.by_sentence[:, 0] == pytest.approx(expected)
    others = {
        s: [replace(path, reader_id=f"x{i}") for i, path in enumerate(paths)] for s, paths in model.items()
    }
    assert expected == pytest.approx([slow_energy(human[s], others[s]) for s in terms.sentence_ids])


def test_models_do_not_change_each_other(readings):
    human, a, b = readings(1), readings(2), readings(3, pace=5)
    both = energy_terms(human, {"a": a, "b": b})
    for k, model in enumerate((a, b)):
        alone = energy_terms(human, {"m": model})
        assert both.distances[k] == alone.distances[0]
        assert both.diversity[k] == alone.diversity[0]
        contrast = [float(k == 0), float(k == 1)]
        assert both.distance_uncertainty.variance(contrast) == alone.distance_uncertainty.variance([1.0])


def test_diversity_is_a_ratio_of_means_over_sentences(readings):
    human, model = readings(1), readings(2, pace=5)
    spread = [
        fmean(nld(x.positions, y.positions) for paths in side.values() for x, y in combinations(paths, 2))
        for side in (human, model)
    ]
    assert energy_terms(human, {"m": model}).diversity[0] == pytest.approx(spread[1] / spread[0])


def test_a_constant_model_has_no_diversity_and_is_found_out(readings):
    human = readings(6)
    model = {s: [replace(path, positions=(0, 1, 2, 4, 6)) for path in paths] for s, paths in human.items()}
    terms = energy_terms(human, {"m": model})
    assert terms.diversity.tolist() == [0.0]
    assert terms.diversity_uncertainty.interval(0.0, [1.0]) == (0.0, 0.0)
    low, high = terms.distance_uncertainty.interval(float(terms.distances[0]), [1.0])
    assert 0 < low < terms.distances[0] < high


def test_readers_who_are_all_alike_have_no_diversity_to_compare_with():
    human = {f"s{s}": [Scanpath(f"r{r}", f"s{s}", (0, 1, 2)) for r in range(4)] for s in range(3)}
    model = {f"s{s}": [Scanpath(f"r{r}", f"s{s}", (0, 1, r % 3)) for r in range(4)] for s in range(3)}
    terms = energy_terms(human, {"m": model})
    assert math.isnan(terms.diversity[0])
    assert terms.distance_uncertainty.interval(float(terms.distances[0]), [1.0]) is not None


def test_sentences_with_too_few_readers_are_left_out(readings):
    human, model = readings(1, sentences=3), readings(2, sentences=4)
    model["s1"] = model["s1"][:1]
    assert energy_terms(human, {"m": model}).sentence_ids == ("s0", "s2")
    assert energy_terms(human, {"m": {}}) is None
    twice = {s: [paths[0], paths[0]] for s, paths in readings(2, sentences=3).items()}
    assert energy_terms(human, {"m": twice}) is None  # two draws for one reader are one reader


def test_one_path_is_not_enough():
    assert math.isnan(energy_distance([(0, 1), (1, 0)], [(0, 1, 2)]))
    assert math.isnan(energy_distance([(0, 1)], [(0, 1), (1, 2)]))


def test_deleting_one_reader_at_a_time_gives_the_variance_by_reader(readings):
    """Exactly, where everybody reads everything: before the second-order terms are taken off."""
    human = readings(1, readers=7)
    models = {"a": readings(2, readers=7, pace=4), "b": readings(3, readers=7)}
    terms = energy_terms(human, models)
    for name, uncertainty, second in (
        ("distances", terms.distance_uncertainty, 7 / 5 * terms.second_order.sum(axis=0) / 12**2),
        ("diversity", terms.diversity_uncertainty, 0.0),
    ):
        left = np.array(
            [
                getattr(
                    energy_terms(
                        without(human, f"r{r}"), {m: without(v, f"r{r}") for m, v in models.items()}
                    ),
                    name,
                )
                for r in range(7)
            ]
        )
        centred = left - getattr(terms, name)
        jackknife = 6 / 7 * centred.T @ centred
        # A ratio is linear only near enough, an energy distance is so exactly.
        exact = {"rtol": 0, "atol": 1e-14} if name == "distances" else {"rtol": 0.1, "atol": 1e-5}
        np.testing.assert_allclose(uncertainty.readers + second, jackknife, **exact)


def test_deleting_one_sentence_at_a_time_gives_the_variance_by_sentence(readings):
    human, model = readings(1, readers=5), readings(2, readers=5, pace=4)
    terms = energy_terms(human, {"m": model})
    left = np.array(
        [terms.of_sentences([i for i in range(12) if i != out]).distances[0] for out in range(12)]
    )
    jackknife = 11 / 12 * ((left - left.mean()) ** 2).sum()
    assert terms.distance_uncertainty.sentences[0, 0] == pytest.approx(jackknife)


def test_the_second_order_terms_are_those_of_the_centred_kernel(readings):
    """Var of the degenerate part of a U-statistic: 2 / (n (n − 1)) E ū², ū the doubly centred kernel."""
    n = 6
    human, model = readings(1, sentences=1, readers=n), readings(2, sentences=1, readers=n)
    x, y = words(human["s0"]), words(model["s0"])
    between = pairwise(x, y)
    kernel = between + between.T - pairwise(x, x) - pairwise(y, y)
    off = ~np.eye(n, dtype=bool)
    row = np.array([kernel[i, off[i]].sum() for i in range(n)]) / (n - 2)
    centred = kernel - row[:, None] - row[None, :] + kernel[off].sum() / ((n - 1) * (n - 2))
    # Centring leaves zero rows; it takes n of the n (n − 1) / 2 freedoms of a symmetric kernel.
    np.testing.assert_allclose(np.where(off, centred, 0).sum(axis=1), 0, atol=1e-12)
    expected = 2 / (n * (n - 1)) * (centred[off] ** 2).sum() / (n * (n - 3))
    assert energy_terms(human, {"m": model}).second_order[0, 0, 0] == pytest.approx(expected)


@pytest.mark.parametrize("n", [4, 6, 15])
def test_at_equality_readers_sentences_and_readings_vary_as_much(n, styled):
    """Where the curvature is all there is, each of the three variances is that of the mean; once readers'
    were twice as large with six of them."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(400):
        human, model = (styled(rng, np.full(n, 0.5), sentences=2) for _ in range(2))
        terms = energy_terms(human, {"m": model})
        parts = terms.distance_uncertainty
        found.append(
            [terms.distances[0] ** 2, parts.readers[0, 0], parts.sentences[0, 0], parts.readings[0, 0]]
        )
    truth, *parts = np.mean(found, axis=0)
    errors = np.std(found, axis=0) / 20
    for part, error in zip(parts, errors[1:], strict=True):
        assert abs(part - truth) < 4 * math.hypot(error, errors[0])


def test_unnamed_readers_vary_by_sentence_only(readings):
    human, model = readings(1), readings(2)
    named, unnamed = (energy_terms(human, {"m": model}, named=known) for known in (True, False))
    assert named.distance_uncertainty.resampled == CROSSED
    found = unnamed.distance_uncertainty
    assert (found.resampled, found.n_readers) == (ONE_WAY, 0)
    expected = [energy_distance(words(human[s]), words(model[s])) for s in unnamed.sentence_ids]
    assert unnamed.by_sentence[:, 0] == pytest.approx(expected)
    assert found.variance([1.0])[0] == pytest.approx(np.var(expected, ddof=1) / 12)


def test_zero_in_expectation_when_a_model_knows_how_each_reader_reads(styled):
    """Two draws of the same readers: with own pairs the distance would be below zero on average."""
    rng = np.random.default_rng(5)
    excluded, included = [], []
    for _ in range(150):
        traits = rng.beta(1.0, 1.0, 8)
        human, model = (styled(rng, traits, sentences=3) for _ in range(2))
        excluded.append(float(energy_terms(human, {"m": model}).distances[0]))
        included.append(fmean(energy_distance(words(human[s]), words(model[s])) for s in human))
    for values, biased in ((excluded, False), (included, True)):
        standard_error = np.std(values, ddof=1) / math.sqrt(len(values))
        assert (abs(np.mean(values)) > 4 * standard_error) == biased
    assert np.mean(included) < 0


def test_relabelled_readings_of_one_population_are_at_zero_on_average(readings):
    """The unbiased form: over many random divisions of the same paths the mean is 0."""
    paths = words(readings(3, sentences=1, readers=20)["s0"])
    rng = np.random.default_rng(4)
    values = []
    for _ in range(2000):
        order = rng.permutation(20)
        values.append(energy_distance([paths[i] for i in order[:8]], [paths[i] for i in order[8:]]))
    standard_error = np.std(values) / math.sqrt(len(values))
    assert abs(np.mean(values)) < 4 * standard_error


def test_intervals_cover_zero_when_both_sides_are_the_same_readers_style(styled):
    """Where intervals are hardest: at equality the linear terms vanish and the curved ones are left."""
    rng = np.random.default_rng(6)
    held, tries = 0, 200
    for _ in range(tries):
        traits = rng.beta(4.0, 4.0, 8)
        human, model = (styled(rng, traits, sentences=8) for _ in range(2))
        terms = energy_terms(human, {"m": model})
        low, high = terms.distance_uncertainty.interval(float(terms.distances[0]), [1.0])
        held += low <= 0 <= high
    assert 0.90 <= held / tries <= 0.995


def test_left_to_right_is_far_from_readers(shared):
    for corpus, by_nld, by_yujian_bo in (("schilling", 0.3885, None), ("mertzen", 0.5926, 0.4942)):
        found = read_corpus(shared(corpus))
        model = {
            s: [
                replace(path, positions=tuple(range(found.sentences[s].n_words)), durations=None)
                for path in paths
            ]
            for s, paths in found.by_sentence.items()
        }
        for kernel, expected in (("nld", by_nld), ("yujian-bo", by_yujian_bo)):
            if expected is not None:
                far = energy_terms(found.by_sentence, {"m": model}, kernel)
                assert far.distances[0] == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("model", "by_nld", "by_yujian_bo", "diversity"),
    [("swift", 0.1734, 0.1677, 0.715), ("seam", 0.1049, 0.0669, 0.952)],
)
def test_published_simulations(model, by_nld, by_yujian_bo, diversity, shared):
    folder = shared("mertzen")
    corpus = read_corpus(folder)
    predictions = read_predictions(folder / f"simulated_{model}.csv", corpus=corpus)
    paths = by_sentence(Scanpath(p.reader_id or "", p.sentence_id, p.predicted) for p in predictions)
    known = energy_terms(corpus.by_sentence, {"m": paths}, named=False)
    assert len(known.sentence_ids) == 156
    assert known.distances[0] == pytest.approx(by_nld, abs=5e-4)
    assert known.diversity[0] == pytest.approx(diversity, abs=1e-3)
    other = energy_terms(corpus.by_sentence, {"m": paths}, "yujian-bo", named=False)
    assert other.distances[0] == pytest.approx(by_yujian_bo, abs=5e-4)
    # The known values pair everybody with everybody; without own pairs little changes, with 60 readers.
    terms = energy_terms(corpus.by_sentence, {"m": paths})
    assert terms.distances[0] == pytest.approx(by_nld, abs=2e-3)
    low, high = terms.distance_uncertainty.interval(float(terms.distances[0]), [1.0])
    assert 0 < low < terms.distances[0] < high


@pytest.mark.parametrize("n", [5, 6])  # with five readers the halves are of two and three
def test_halves_have_the_mean_and_the_range_of_all_splits(n, readings):
    human = readings(4, sentences=1, readers=n)
    paths = words(human["s0"])
    exact = [
        energy_distance([paths[i] for i in half], [paths[i] for i in range(n) if i not in half])
        for half in combinations(range(n), n // 2)
    ]
    found = half_against_half(human, splits=20_000)
    assert found.mean == pytest.approx(np.mean(exact), abs=0.01)
    # The quantiles of 10 or 20 equally likely values are among them; sampling may take a neighbour.
    near = np.sort(exact)
    assert near[0] - 1e-9 <= found.ci95[0] <= near[1] + 1e-9
    assert near[-2] - 1e-9 <= found.ci95[1] <= near[-1] + 1e-9
    assert np.std(exact) > 0.05


def test_a_reader_is_on_one_side_in_every_sentence(readings):
    """A second sentence that is a copy of the first changes nothing; splits of paths would narrow the range."""
    one = readings(4, sentences=1, readers=8)
    copies = {name: [replace(path, sentence_id=name) for path in one["s0"]] for name in ("a", "b", "c")}
    alone, thrice = half_against_half(one), half_against_half(copies)
    assert (thrice.mean, thrice.ci95) == (pytest.approx(alone.mean), pytest.approx(alone.ci95))
    assert (alone.n_sentences, thrice.n_sentences) == (1, 3)


def test_too_few_readers_have_no_halves(readings):
    assert half_against_half(readings(1, readers=3)) is None
    mixed = readings(1, sentences=2, readers=6)
    mixed["s1"] = mixed["s1"][:3]
    assert half_against_half(mixed).n_sentences == 1


def test_same_seed_same_halves(readings):
    human = readings(1)
    assert half_against_half(human, seed=3) == half_against_half(human, seed=3)
    assert half_against_half(human, seed=3) != half_against_half(human, seed=4)


@pytest.mark.parametrize("corpus", ["schilling", "mertzen"])
def test_halves_of_real_readers_are_at_zero(shared, corpus):
    human = read_corpus(shared(corpus)).by_sentence
    found = half_against_half(human)
    assert found.mean == pytest.approx(0.0, abs=0.002)
    assert found.ci95[0] < 0 < found.ci95[1]
    # One half is farther from the other than a mean over splits is from zero.
    assert found.ci95[1] - found.ci95[0] > 10 * abs(found.mean)


def test_a_real_half_is_within_the_range_of_halves(shared):
    corpus = read_corpus(shared("schilling"))
    readers = sorted({path.reader_id for path in corpus.scanpaths})
    found = half_against_half(corpus.by_sentence)
    inside = 0
    for seed in range(40):
        order = np.random.default_rng(seed).permutation(len(readers))
        first = {readers[i] for i in order[: len(readers) // 2]}
        sides = [
            {
                s: [p for p in paths if (p.reader_id in first) == side]
                for s, paths in corpus.by_sentence.items()
            }
            for side in (True, False)
        ]
        value = float(energy_terms(sides[0], {"m": sides[1]}).distances[0])
        inside += found.ci95[0] <= value <= found.ci95[1]
    assert 33 <= inside <= 40


def test_the_permutation_test_keeps_its_level_and_finds_a_difference(readings):
    same = [
        permutation_p(readings(seed), readings(seed + 1000), permutations=99, seed=seed) for seed in range(60)
    ]
    assert np.mean(np.array(same) <= 0.1) == pytest.approx(0.1, abs=0.1)
    assert np.mean(same) == pytest.approx(0.5, abs=0.12)
    assert permutation_p(readings(1), readings(2, pace=5), permutations=199) == 1 / 200


def test_the_permutation_test_agrees_with_relabelling_by_hand(readings):
    human, model = readings(1, sentences=3, readers=4), readings(2, sentences=3, readers=3, pace=4)
    observed = np.mean([energy_distance(words(human[s]), words(model[s])) for s in human])
    rng = np.random.default_rng(0)
    null = []
    for _ in range(500):
        total = 0.0
        for s in human:
            paths = words([*human[s], *model[s]])
            mixed = [paths[i] for i in rng.permutation(7)]
            total += energy_distance(mixed[:4], mixed[4:])
        null.append(total / 3)
    by_hand = np.mean(np.array(null) >= observed - 1e-9)
    found = permutation_p(human, model, permutations=2000)
    assert found == pytest.approx(by_hand, abs=4 * math.sqrt(0.25 / 500))


def test_without_two_paths_on_each_side_there_is_no_test(readings):
    human = readings(1, sentences=2)
    assert permutation_p(human, {s: paths[:1] for s, paths in human.items()}) is None
    assert permutation_p(human, {}) is None
