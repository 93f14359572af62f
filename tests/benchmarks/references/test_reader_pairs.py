from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.records import Scanpath
from scandl.statistics.bootstrap import bootstrap_means, interval
from scandl_eval.metrics.score_table import Column
from scandl_eval.references.human_ceilings import human_ceiling
from scandl_eval.references.reader_pairs import Met, met_once, resampled_meetings


def slow_mean(met, column, others, readers, sentences):
    """One resample written out: everybody drawn meets everybody drawn who is somebody else."""
    tops, n = [0.0] * (1 + len(others)), 0
    for sentence in sentences:
        found = met[sentence]
        for drawn in readers:
            for i, item in enumerate(column.items):
                if item[1:] != (drawn, sentence):
                    continue
                a = found.readers.index(drawn)
                with_me = [
                    found.distances[a, found.readers.index(other)]
                    for other in readers
                    if other in found.readers and found.partners[a, found.readers.index(other)]
                ]
                if with_me:
                    tops[0] += sum(with_me) / len(with_me)
                    for k, other in enumerate(others):
                        tops[1 + k] += other[i]
                    n += 1
    return [top / n if n else math.nan for top in tops]


@pytest.mark.parametrize("reader_draws", [None, 10])
def test_a_resample_is_what_its_definition_says(monkeypatch, reader_draws):
    rng = np.random.default_rng(3)
    met, items = {}, []
    for sentence, names in (("s", "abcd"), ("t", "bcd"), ("u", "ac")):
        distances = rng.random((len(names), len(names)))
        met[sentence] = Met(tuple(names), 1.0 - np.eye(len(names)), distances + distances.T)
        items += [("0", name, sentence) for name in names if (name, sentence) != ("d", "s")]  # d is only met
    items.append(("1", "a", "u"))  # scored in two folds
    column = Column(*zip(*items, strict=True), np.zeros(len(items)))
    other = rng.random(len(items))
    drawn = []

    def remembered(rng, n, resamples):
        drawn.append(rng.multinomial(n, np.full(n, 1 / n), size=resamples).astype(float))
        return drawn[-1]

    monkeypatch.setattr("scandl_eval.references.reader_pairs.multiplicities", remembered)
    found = resampled_meetings(met, column, [other], seed=1, resamples=40, reader_draws=reader_draws)
    assert len(drawn[0]) == (reader_draws or 40)
    for k in range(40):
        of_readers = drawn[0][k % len(drawn[0])]
        readers = [name for name, times in zip("abcd", of_readers, strict=True) for _ in range(int(times))]
        sentences = [name for name, times in zip("stu", drawn[1][k], strict=True) for _ in range(int(times))]
        expected = slow_mean(met, column, [other], readers, sentences)
        np.testing.assert_allclose(found[k], expected)


def test_the_interval_holds_for_other_readers():
    """Readers differ in how they read; pairs of them are a U-statistic, and both of a pair are a sample."""
    rng = np.random.default_rng(11)

    def corpus(n_readers, n_sentences):
        """Each reader fixates the words of a sentence with an inclination of his or her own."""
        eager = rng.beta(2, 2, n_readers)
        return {
            f"s{s}": [
                Scanpath(f"r{r}", f"s{s}", tuple(np.flatnonzero(rng.random(8) < eager[r]).tolist()))
                for r in range(n_readers)
            ]
            for s in range(n_sentences)
        }

    truth = human_ceiling(corpus(150, 40)).column.mean
    held = {"pairs": 0, "readers": 0}
    for seed in range(60):
        found = human_ceiling(corpus(14, 12))
        column = found.column
        means = bootstrap_means(column.values, column.clusters, column.sentences, seed=seed, resamples=300)
        for name, draws in (("pairs", found.draws(seed=seed, resamples=300)[:, 0]), ("readers", means)):
            low, high = interval(draws)
            held[name] += low <= truth <= high
    assert held["pairs"] >= 52  # .95 of 60, less three standard errors
    assert held["readers"] < held["pairs"] - 6  # what holding partners fixed would promise


def test_one_partner_each(tmp_path):
    column = Column(("0", "0", "1"), ("a", "b", "a"), ("s", "s", "t"), np.array([0.25, 0.5, 0.75]))
    partners = {("0", "a", "s"): "c", ("0", "b", "s"): "a", ("1", "a", "t"): "b"}
    met = met_once(column, partners)
    assert met["s"].readers == ("a", "b", "c")
    assert met["s"].partners.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 0]]
    assert (met["s"].distances[0, 2], met["s"].distances[1, 0], met["t"].distances[0, 1]) == (0.25, 0.5, 0.75)
    draws = resampled_meetings(met, column, [], seed=1, resamples=200)
    assert np.nanmin(draws) >= 0.25
    assert np.nanmax(draws) <= 0.75


def test_readers_without_names_are_not_resampled():
    from scandl_eval.metrics.score_table import UNNAMED

    names = tuple(f"{UNNAMED}{k}" for k in range(3))
    distances = np.array([[0.0, 0.2, 0.4], [0.2, 0.0, 0.6], [0.4, 0.6, 0.0]])
    met = {s: Met(names, 1.0 - np.eye(3), distances) for s in "st"}
    column = Column(("0",) * 6, names * 2, ("s",) * 3 + ("t",) * 3, np.tile([0.3, 0.4, 0.5], 2))
    draws = resampled_meetings(met, column, [], seed=1, resamples=50)
    assert draws == pytest.approx(0.4)
