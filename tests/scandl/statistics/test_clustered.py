"""Two-way clustered uncertainty against its definition, against jackknives and by simulation."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scandl.statistics.clustered import (
    CROSSED,
    ONE_WAY,
    Contributions,
    Uncertainty,
    by_reading,
    clustered,
    codes,
    column_sums,
    means_uncertainty,
    ratio_uncertainty,
    t_quantile,
    two_sided_t,
)


def crossed(n_readers, n_sentences):
    """Return the codes of a design in which everybody reads everything."""
    reader, sentence = np.meshgrid(np.arange(n_readers), np.arange(n_sentences), indexing="ij")
    return reader.ravel(), sentence.ravel()


def slow_parts(rows, reader, sentence):
    """Cameron, Gelbach & Miller (2011) written out: products of all pairs of readings that share a cluster.

    What both hold is the noise of readings by least squares, and as much of the readings' squares as readings
    are lacking of the crossed design.
    """
    k = rows.shape[1]
    parts = {"reader": np.zeros((k, k)), "sentence": np.zeros((k, k)), "both": np.zeros((k, k))}
    for i in range(len(rows)):
        for j in range(len(rows)):
            product = np.outer(rows[i], rows[j])
            if reader[i] == reader[j]:
                parts["reader"] += product
            if sentence[i] == sentence[j]:
                parts["sentence"] += product
            if i == j:
                parts["both"] += product
    few = {
        name: len(set(code)) / (len(set(code)) - 1)
        for name, code in (("reader", reader.tolist()), ("sentence", sentence.tolist()))
    }
    n, n_readers, n_sentences = len(rows), len(set(reader.tolist())), len(set(sentence.tolist()))
    design = np.column_stack([np.eye(n_readers)[reader], np.eye(n_sentences)[sentence]])
    left = rows - design @ np.linalg.lstsq(design, rows, rcond=None)[0]
    share = n / (n_readers * n_sentences)
    noise = n * left.T @ left / (n - n_readers - n_sentences + 1)
    both = share * noise + (1 - share) * parts["both"]
    return parts["reader"] * few["reader"], parts["sentence"] * few["sentence"], both


@pytest.fixture
def uneven():
    """Return three columns of values on a design with gaps, and its clusters."""
    rng = np.random.default_rng(3)
    reader, sentence = crossed(5, 7)
    kept = rng.random(35) < 0.8
    values = rng.random((35, 3)) + 3.0 * rng.random((5, 3))[reader] + 3.0 * rng.random((7, 3))[sentence]
    return values[kept], codes([f"r{r}" for r in reader[kept]]), codes([f"s{s}" for s in sentence[kept]])


def test_the_three_parts_agree_with_their_definition(uneven):
    values, reader, sentence = uneven
    found = means_uncertainty(values, reader, sentence)
    parts = slow_parts((values - values.mean(axis=0)) / len(values), reader, sentence)
    for part, expected in zip((found.readers, found.sentences, found.readings), parts, strict=True):
        np.testing.assert_allclose(part, expected, rtol=1e-5)
    assert (found.n_readers, found.n_sentences, found.n_readings) == (5, 7, len(values))
    assert found.resampled == CROSSED


def test_variance_and_degrees_of_freedom_of_a_contrast_are_those_of_its_parts(uneven):
    """Satterthwaite: each part has the freedom of its clusters, and is counted as it enters the sum."""
    values, reader, sentence = uneven
    contrast = np.array([1.0, -0.5, 0.25])
    one = means_uncertainty(values @ contrast[:, None], reader, sentence)
    r, s, i = (float(part[0, 0]) for part in (one.readers, one.sentences, one.readings))
    assert min(r, s) > i  # this design has readers and sentences that differ
    variance, df = means_uncertainty(values, reader, sentence).variance(contrast)
    assert variance == pytest.approx(r + s - i)
    assert df == pytest.approx((r + s - i) ** 2 / (r**2 / 4 + s**2 / 6 + i**2 / (len(values) - 11)))


@pytest.mark.parametrize(
    ("readers", "sentences", "readings", "variance", "df"),
    [
        (3.0, 2.0, 1.0, 4.0, 16 / (9 / 5 + 4 / 9 + 1 / 45)),
        (3.0, 0.5, 1.0, 2.5, 6.25 / (9 / 5 + 0.25 / 9 + 1 / 45)),  # sentences do not differ beyond chance
        (0.5, 0.5, 1.0, 1.0, 45.0),  # nor do readers: single readings are all there is
        (-0.1, 0.4, -0.2, 0.5, 0.25 / (0.01 / 5 + 0.16 / 9 + 0.04 / 45)),  # second-order terms taken off
        (-0.1, 0.0, 0.0, 0.0, 1.0),
    ],
)
def test_a_variance_is_never_below_that_of_single_readings(readers, sentences, readings, variance, df):
    parts = (np.array([[part]]) for part in (readers, sentences, readings))
    assert Uncertainty(*parts, 6, 10, 60).variance([1.0]) == pytest.approx((variance, df))


def test_interval_and_p_value_say_the_same_thing(uneven):
    values, reader, sentence = uneven
    found = means_uncertainty(values, reader, sentence)
    contrast = [1.0, -1.0, 0.0]
    variance, df = found.variance(contrast)
    low, high = found.interval(0.3, contrast)
    reach = stats.t.ppf(0.975, df) * math.sqrt(variance)
    assert (low, high) == pytest.approx((0.3 - reach, 0.3 + reach))
    assert found.p_value(reach, contrast) == pytest.approx(0.05)
    assert found.p_value(0.0, contrast) == 1.0


@pytest.mark.parametrize("which", ["readers", "sentences"])
def test_deleting_one_cluster_at_a_time_gives_the_same_variance(which):
    rng = np.random.default_rng(8)
    reader, sentence = crossed(6, 9)
    values = rng.random((54, 2))
    code = reader if which == "readers" else sentence
    n = len(set(code.tolist()))
    left = np.array([values[code != c].mean(axis=0) for c in range(n)])
    jackknife = (n - 1) / n * (left - left.mean(axis=0)).T @ (left - left.mean(axis=0))
    found = means_uncertainty(values, reader, sentence)
    np.testing.assert_allclose(getattr(found, which), jackknife, atol=1e-14)


def test_a_ratio_varies_as_its_jackknife_does():
    """The linear term of a ratio of sums; deleting clusters has the curved ones too, small with 60 of them."""
    rng = np.random.default_rng(4)
    reader, sentence = crossed(60, 5)
    bottom = rng.integers(5, 15, (300, 1)).astype(float)
    top = bottom * (2.0 + 0.2 * rng.normal(size=60)[reader, None] + 0.1 * rng.normal(size=(300, 1)))
    left = np.array([top[reader != r].sum() / bottom[reader != r].sum() for r in range(60)])
    jackknife = 59 / 60 * ((left - left.mean()) ** 2).sum()
    found = ratio_uncertainty(top, bottom, reader, sentence)
    assert found.readers[0, 0] == pytest.approx(jackknife, rel=0.02)
    equal = np.full((300, 1), 4.0)
    mean = means_uncertainty(top / 4.0, reader, sentence)
    np.testing.assert_allclose(ratio_uncertainty(top, equal, reader, sentence).readers, mean.readers)


def test_unnamed_readers_leave_the_sentences():
    values = np.array([[0.1], [0.2], [0.6], [0.9]])
    found = means_uncertainty(values, None, np.array([0, 0, 1, 1]))
    variance, df = found.variance([1.0])
    means = [0.15, 0.75]
    assert variance == pytest.approx(np.var(means, ddof=1) / 2)
    assert (df, found.resampled, found.n_readers) == (1.0, ONE_WAY, 0)


def test_one_of_everything_has_no_interval_and_one_of_one_kind_has():
    alone = means_uncertainty(np.array([[0.3]]), np.array([0]), np.array([0]))
    assert alone.interval(0.3, [1.0]) is None
    assert alone.p_value(0.3, [1.0]) is None
    assert alone.resampled is None
    values = np.array([[0.1], [0.2], [0.6]])
    one = np.zeros(3, dtype=np.intp)
    for reader, sentence in ((np.arange(3), one), (one, np.arange(3))):
        variance, df = means_uncertainty(values, reader, sentence).variance([1.0])
        assert (variance, df) == (pytest.approx(np.var(values, ddof=1) / 3), 2.0)


def test_what_does_not_vary_has_a_point_for_an_interval():
    reader, sentence = crossed(3, 4)
    found = means_uncertainty(np.full((12, 2), 0.25), reader, sentence)
    assert found.interval(0.25, [1.0, 0.0]) == (0.25, 0.25)
    assert found.p_value(0.0, [1.0, -1.0]) == 1.0
    assert found.p_value(0.1, [1.0, -1.0]) == 0.0


def test_noise_alone_is_counted_once():
    """The crossed bootstrap triples the variance of pure noise (Owen 2007); here it stays what it is."""
    rng = np.random.default_rng(1)
    reader, sentence = crossed(40, 40)
    variances = [
        means_uncertainty(rng.normal(size=(1600, 1)), reader, sentence).variance([1.0])[0] for _ in range(30)
    ]
    assert 1.0 <= np.mean(variances) * 1600 < 1.3


def test_own_contributions_of_sentences_are_used_and_what_few_readers_lose_is_made_up_once():
    rows = np.array([[-1.0], [1.0], [-1.0], [1.0]]) / 4
    reader, sentence = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1])
    of_sentences = np.array([[-0.5], [0.5]])
    for few, expected in ((True, 1.0), (False, 0.5)):
        found = clustered(Contributions(rows, reader, sentence, of_sentences, few))
        assert (found.readers[0, 0], found.sentences[0, 0], found.readings[0, 0]) == (expected, 1.0, 0.25)


def test_the_upper_end_of_a_squared_distance_is_that_of_its_root():
    """d = 2 ± t 0.1, squared: the unbiased estimate is d² − τ², its standard error 2 d τ."""
    d, tau = 2.0, 0.1
    parts = (np.array([[part]]) for part in (4 * d**2 * tau**2, 1e-12, 1e-12))
    found = replace(Uncertainty(*parts, 8, 10**9, 10**9), curvature=np.zeros((1, 1)))
    value, t = d**2 - tau**2, t_quantile(0.975, 7)
    low, high = found.interval(value, [1.0])
    assert high == pytest.approx((d + t * tau) ** 2, rel=1e-4)
    assert low == pytest.approx(value - 2 * t * d * tau)
    both = Uncertainty(*(np.diag([1.0, 1.0]) for _ in range(3)), 8, 10, 80, np.zeros((2, 2)))
    low, high = both.interval(0.5, [1.0, -1.0])
    assert high - 0.5 == pytest.approx(0.5 - low)  # a difference has no such end
    low, high = found.interval(-value, [1.0])
    assert high + value == pytest.approx(-value - low)  # nor has what is below 0


def test_draws_have_the_covariance_of_the_estimates(uneven):
    values, reader, sentence = uneven
    found = means_uncertainty(values, reader, sentence)
    means = values.mean(axis=0)
    draws = found.draws(means, "abc", seed=2, n=40_000)
    np.testing.assert_allclose(draws.mean(axis=0), means, atol=0.01)
    expected = found.readers + found.sentences - found.readings
    np.testing.assert_allclose(np.cov(draws.T), expected, atol=0.05 * expected.max())
    np.testing.assert_array_equal(draws, found.draws(means, "abc", seed=2, n=40_000))
    assert (draws != found.draws(means, "abc", seed=3, n=40_000)).any()


def test_draws_are_those_of_names_in_any_order(uneven):
    values, reader, sentence = uneven
    found = means_uncertainty(values, reader, sentence)
    means = values.mean(axis=0)
    draws = found.draws(means, ["x", "b", "a"], seed=2)
    order = [2, 0, 1]
    turned = found.at(order).draws(means[order], ["a", "x", "b"], seed=2)
    np.testing.assert_array_equal(turned, draws[:, order])
    assert (found.draws(means, ["x", "b", "c"], seed=2) != draws).any()


def test_other_columns_and_the_order_of_rows_change_no_digit(uneven):
    """Sums that numpy takes in another order with more columns would differ in the last digit."""
    rng = np.random.default_rng(1)
    reader, sentence = (np.tile(code, 40) for code in uneven[1:])
    values = rng.random((len(reader), 3)) / 3
    whole = means_uncertainty(values, reader, sentence)
    for i in range(3):
        alone = means_uncertainty(values[:, [i]], reader, sentence)
        assert alone.variance([1.0]) == whole.variance([float(k == i) for k in range(3)])
    assert column_sums(values)[1] == column_sums(rng.permutation(values[:, [1]]))[0]
    assert whole.variance([1.0, -1.0, 0.0]) == whole.at([1, 0]).variance([1.0, -1.0])


def test_paths_of_nobody_are_clusters_of_their_own():
    """Three readers and two paths that stand for nobody: these are nobody's other paths'."""
    rows = np.array([[1.0], [-2.0], [3.0], [0.5], [0.25], [4.0]])
    found = by_reading(rows, ["a", "b", "a", "", "", "c"], ["s", "s", "t", "s", "s", "t"])
    assert found.reader.tolist() == [0, 1, -1, -1, 0, 2]
    parts = clustered(found)
    assert parts.readers[0, 0] == 1.5 * (4.0**2 + 2.0**2 + 4.0**2 + 0.5**2 + 0.25**2)
    assert (parts.n_readers, parts.n_readings) == (3, 4)


def test_some_of_the_estimates_keep_their_covariance(uneven):
    values, reader, sentence = uneven
    whole = means_uncertainty(values, reader, sentence)
    part = means_uncertainty(values[:, [2, 0]], reader, sentence)
    np.testing.assert_allclose(whole.at([2, 0]).readers, part.readers)
    np.testing.assert_allclose(whole.at([2, 0]).sentences, part.sentences)
    assert whole.at([2, 0]).variance([1.0, -1.0]) == pytest.approx(part.variance([1.0, -1.0]))


@pytest.mark.parametrize(
    ("n_readers", "n_sentences", "share"),
    [(8, 12, 0.04), (12, 30, 0.04), (12, 30, 0.0)],  # variance of readers and of sentences; 1 is the rest
)
def test_intervals_cover_the_truth_in_19_of_20_data_sets(n_readers, n_sentences, share):
    """Two models on a Gaussian crossed design: the mean of one, and their paired difference.

    Models share readers' and sentences' difficulty; each adds its own effects a third as large. Bounds
    are three standard errors of a share of 300 about .95, and leave few clusters a little more.
    """
    rng = np.random.default_rng(12)
    reader, sentence = crossed(n_readers, n_sentences)
    held, tries = np.zeros(2), 300
    for _ in range(tries):
        values = 0.3 * rng.normal(size=(len(reader), 2))
        for code, n in ((reader, n_readers), (sentence, n_sentences)):
            common, own = rng.normal(size=(n, 1)), rng.normal(size=(n, 2)) / 3
            values += math.sqrt(share) * (common + own)[code]
        found = means_uncertainty(values, reader, sentence)
        a, b = values.mean(axis=0)
        for k, (value, contrast) in enumerate(((a, [1.0, 0.0]), (a - b, [1.0, -1.0]))):
            low, high = found.interval(value, contrast)
            held[k] += low <= 0.0 <= high
    assert (held / tries >= 0.91).all()
    assert (held / tries <= 0.99).all()


def test_a_difference_without_effects_is_covered_in_19_of_20_small_data_sets():
    """Six readers and ten sentences that do not differ: floors of each part would cover 99 of 100."""
    rng = np.random.default_rng(5)
    reader, sentence = crossed(6, 10)
    values = rng.normal(size=(60, 1500))
    found = [means_uncertainty(column[:, None], reader, sentence) for column in values.T]
    ends = [each.interval(column.mean(), [1.0]) for each, column in zip(found, values.T, strict=True)]
    assert 0.935 <= np.mean([low <= 0.0 <= high for low, high in ends]) <= 0.98


DEGREES = st.floats(1.0, 1e6)


@given(st.floats(-60.0, 60.0), DEGREES)
def test_the_tails_agree_with_scipy(t, df):
    assert two_sided_t(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-7, abs=1e-250)


@given(st.floats(0.0005, 0.9995), DEGREES)
def test_quantiles_agree_with_scipy(probability, df):
    assert t_quantile(probability, df) == pytest.approx(stats.t.ppf(probability, df), rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 4, 11, 204])
def test_very_small_p_values_keep_their_size(df):
    """Holm multiplies by the number of tests: a tail cut off at 0 or at rounding would be no p-value."""
    for t in (8.0, 20.0, 30.0):
        assert math.log(two_sided_t(t, df)) == pytest.approx(stats.t.logsf(t, df) + math.log(2), rel=1e-6)


def test_the_middle_and_the_ends():
    assert two_sided_t(0.0, 5) == 1.0
    assert two_sided_t(1e-6, 1e6) == pytest.approx(2 * stats.t.sf(1e-6, 1e6), rel=1e-12)
    assert two_sided_t(math.inf, 5) == 0.0
    assert t_quantile(0.5, 3) == pytest.approx(0.0, abs=1e-12)
    assert t_quantile(0.025, 3) == -t_quantile(0.975, 3)
