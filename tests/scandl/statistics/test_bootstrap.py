from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.seeds import stream
from scandl.statistics import bootstrap
from scandl.statistics.bootstrap import bootstrap_interval, bootstrap_means, interval, two_sided_p


def slow_bootstrap(values, readers, sentences, seed, resamples, block):
    """The definition, instance by instance: weight = multiplicity of reader × multiplicity of sentence."""
    rng = stream(seed, "bootstrap")
    names = [list(dict.fromkeys(readers)), list(dict.fromkeys(sentences))]
    means = []
    for first in range(0, resamples, block):
        size = min(block, resamples - first)
        drawn = [rng.integers(0, len(group), size=(size, len(group))) for group in names]
        for b in range(size):
            times = [
                {name: list(d[b]).count(k) for k, name in enumerate(group)}
                for group, d in zip(names, drawn, strict=True)
            ]
            weights = [times[0][r] * times[1][s] for r, s in zip(readers, sentences, strict=True)]
            total = sum(weights)
            means.append(
                sum(w * v for w, v in zip(weights, values, strict=True)) / total if total else math.nan
            )
    return np.array(means)


@pytest.mark.parametrize("n", [12, 40])
@pytest.mark.parametrize("cells_per_instance", [0, 8])  # weights per instance, and the dense matrix
def test_bootstrap_agrees_with_the_definition(n, cells_per_instance, monkeypatch):
    monkeypatch.setattr(bootstrap, "_DENSE", cells_per_instance)
    monkeypatch.setattr(bootstrap, "_BLOCK_CELLS", 7 * n)
    rng = np.random.default_rng(n)
    readers = [f"r{i}" for i in rng.integers(0, 4, n)]
    sentences = [f"s{i}" for i in rng.integers(0, 5, n)]
    values = rng.random(n)
    fast = bootstrap_means(values, readers, sentences, seed=3, resamples=50)
    slow = slow_bootstrap(values, readers, sentences, 3, 50, 7)
    np.testing.assert_allclose(fast, slow, rtol=1e-12)


def test_unknown_readers_are_not_resampled():
    values = np.array([0.0, 0.0, 1.0, 1.0])
    draws = bootstrap_means(values, None, ["s1", "s1", "s2", "s2"], seed=1, resamples=400)
    assert set(draws.tolist()) == {0.0, 0.5, 1.0}
    assert np.mean(draws == 0.5) == pytest.approx(0.5, abs=0.08)


def test_columns_share_their_resamples():
    rng = np.random.default_rng(0)
    readers, sentences = [f"r{i % 5}" for i in range(60)], [f"s{i // 5}" for i in range(60)]
    a = rng.random(60)
    draws = bootstrap_means(np.column_stack([a, a + 0.25]), readers, sentences, seed=1, resamples=200)
    np.testing.assert_allclose(draws[:, 1] - draws[:, 0], 0.25)
    np.testing.assert_array_equal(draws[:, 0], bootstrap_means(a, readers, sentences, seed=1, resamples=200))


def test_a_resample_without_any_instance_is_left_out():
    draws = bootstrap_means(np.array([0.2, 0.8]), ["r1", "r2"], ["s1", "s2"], seed=1, resamples=300)
    assert np.isnan(draws).any()
    assert interval(draws) == pytest.approx((0.2, 0.8))


def test_one_reader_and_one_sentence_have_no_interval():
    assert bootstrap_interval(np.array([0.3]), ["r"], ["s"], seed=1) is None
    assert bootstrap_interval(np.array([0.3, 0.5]), ["r", "r"], ["s", "t"], seed=1) == (0.3, 0.5)


def crossed(rng, n_readers=30, n_sentences=48, sd_reader=0.05, sd_sentence=0.05, sd_rest=0.15):
    """Realistic crossed scores with the true mean 0.6."""
    return (
        0.6
        + rng.normal(0, sd_reader, n_readers)[:, None]
        + rng.normal(0, sd_sentence, n_sentences)[None, :]
        + rng.normal(0, sd_rest, (n_readers, n_sentences))
    ).ravel()


def coverage(data_sets, resamples):
    readers = [f"r{i}" for i in range(30) for _ in range(48)]
    sentences = [f"s{j}" for _ in range(30) for j in range(48)]
    covered = 0
    for seed in range(data_sets):
        found = bootstrap_interval(
            crossed(np.random.default_rng(seed)), readers, sentences, seed=seed, resamples=resamples
        )
        covered += found[0] <= 0.6 <= found[1]
    return covered / data_sets


def test_intervals_cover_the_truth_in_a_few_data_sets():
    assert coverage(60, 300) >= 0.85


@pytest.mark.slow
def test_intervals_cover_the_truth_in_93_to_97_percent_of_500_data_sets():
    assert 0.93 <= coverage(500, 2000) <= 0.97


def test_pure_noise_makes_the_interval_conservative():
    """Without reader and sentence variance the product weights triple the variance (Owen 2007)."""
    rng = np.random.default_rng(1)
    readers = [f"r{i}" for i in range(40) for _ in range(40)]
    sentences = [f"s{j}" for _ in range(40) for j in range(40)]
    values = rng.normal(0, 1, 1600)
    draws = bootstrap_means(values, readers, sentences, seed=1)
    assert draws.std() * 40 == pytest.approx(math.sqrt(3), rel=0.1)


def test_two_sided_p_counts_the_smaller_tail():
    draws = np.array([-1.0] * 3 + [1.0] * 96)
    assert two_sided_p(draws) == pytest.approx(2 * 4 / 100)
