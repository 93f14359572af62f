from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl.measures.scanpath_measures import NAMES
from scandl.statistics import bootstrap
from scandl_analysis.behaviour.strengths import correlation_influences, strengths


def made(seed: int, n_readers: int = 12, n_sentences: int = 10, models: int = 2) -> pd.DataFrame:
    """Readers and sentences differ in a trait that both measures and NLD follow, more or less."""
    rng = np.random.default_rng(seed)
    readers, sentences = rng.normal(size=n_readers), rng.normal(size=n_sentences)
    rows = []
    for r in range(n_readers):
        for s in range(n_sentences):
            trait = readers[r] + sentences[s] + rng.normal()
            noise = rng.normal(size=6)
            first = trait + 0.5 * noise[0]
            values = [first, trait + 0.6 * noise[1], 0.3 * trait + noise[2], *noise[3:], -trait][:6]
            for m in range(models):
                rows.append((f"m{m}", f"r{r}", f"s{s}", trait + rng.normal(), *values))
    return pd.DataFrame(rows, columns=["model", "reader_id", "sentence_id", "nld", *NAMES])


def mean_strength(pairs: pd.DataFrame, measure: str) -> float:
    """The definition: the mean over models of |r|."""
    return float(np.mean([abs(part["nld"].corr(part[measure])) for _, part in pairs.groupby("model")]))


def test_strengths_are_mean_correlations_over_models_in_order() -> None:
    pairs = made(1)
    found = strengths(pairs)
    assert {each.measure for each in found} == set(NAMES)
    for each in found:
        assert each.mean == pytest.approx(mean_strength(pairs, each.measure))
        assert each.ci95 is not None
        assert 0.0 <= each.ci95[0] <= each.mean <= each.ci95[1] <= 1.0
    assert [each.mean for each in found] == sorted((each.mean for each in found), reverse=True)
    assert found[0].p is None
    assert all(each.p is not None for each in found[1:])


def test_influences_are_derivatives_by_the_weights_of_points() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(30, 2))
    y = 0.5 * x[:, :1] + rng.normal(size=(30, 3))
    r, influence = correlation_influences(x, y)
    step = 1e-6
    for i in range(30):
        weight = np.ones((1, 30))
        weight[0, i] += step
        for a in range(2):
            moved = bootstrap.correlation(weight, x[:, [a]], y)[0]
            np.testing.assert_allclose((moved - r[a]) / step, influence[i, a] / 30, atol=1e-5)


def test_differences_are_told_as_a_paired_bootstrap_tells_them() -> None:
    """Intervals of the two strongest meet, although one is farther from NLD in nearly every resample."""
    pairs = made(3, n_readers=20, n_sentences=15)
    first, *others = strengths(pairs)
    keys = ["reader_id", "sentence_id"]
    wide = pairs.pivot(index=keys, columns="model", values="nld")
    humans = pairs.drop_duplicates(keys).set_index(keys).loc[wide.index, list(NAMES)].to_numpy()
    clusters = [wide.index.get_level_values(key).tolist() for key in keys]
    draws = bootstrap.drawn(
        bootstrap.weights(*clusters, rng=np.random.default_rng(0), resamples=1000),
        lambda weight: np.mean(
            [np.abs(bootstrap.correlation(weight, wide[[m]].to_numpy(), humans)) for m in wide], axis=0
        ),
    )
    at = {name: k for k, name in enumerate(NAMES)}
    assert first.ci95 is not None
    width = np.ptp(np.quantile(draws[:, at[first.measure]], [0.025, 0.975]))
    assert np.ptp(first.ci95) == pytest.approx(width, rel=0.35)  # the bootstrap counts noise three times
    for other in others:
        p = bootstrap.two_sided_p(draws[:, at[first.measure]] - draws[:, at[other.measure]])
        assert other.p is not None
        if p > 0.2 or p <= 0.002:
            assert (other.p > 0.05) == (p > 0.05), other


def test_the_interval_of_a_difference_holds_what_it_says() -> None:
    """Two measures that are equally strong by construction are told apart in about 5 % of data sets."""
    told = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        pairs = made(seed, n_readers=15, n_sentences=12, models=1)
        trait = pairs["nld"] + rng.normal(size=len(pairs))
        for name in NAMES[:2]:
            pairs[name] = trait + rng.normal(size=len(pairs))
        pairs[list(NAMES[2:])] = 1.0
        _, second = strengths(pairs)
        told += second.p is not None and second.p < 0.05
    assert told <= 12  # three standard errors above 5


def test_what_is_constant_or_too_little_has_no_strength() -> None:
    pairs = made(4)
    pairs[NAMES[2]] = 1.0
    assert NAMES[2] not in [each.measure for each in strengths(pairs)]
    assert strengths(pairs[pairs["sentence_id"] == "s0"].head(2)) == []
    assert strengths(pairs.assign(nld=0.5)) == []


def test_only_scanpaths_of_all_models_count() -> None:
    pairs = made(5)
    lacking = pairs[(pairs["model"] == "m0") | (pairs["reader_id"] != "r0")]
    both = pairs[pairs["reader_id"] != "r0"]
    assert strengths(lacking) == strengths(both)


def test_readers_without_names_vary_by_sentence_only() -> None:
    named = made(6)
    found = strengths(named.assign(reader_id=""))
    assert [each.mean for each in found] == pytest.approx([each.mean for each in strengths(named)])
    assert found[0].n == 120
