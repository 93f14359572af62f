from __future__ import annotations

import numpy as np
import pytest

from scandl.pairing import UNNAMED
from scandl.records import Scanpath
from scandl.statistics.clustered import CROSSED, ONE_WAY, means_uncertainty
from scandl_eval.metrics.score_table import Column
from scandl_eval.references.human_ceilings import human_ceiling
from scandl_eval.references.reader_pairs import ReaderPairs, pairs_of_one_partner, pairs_uncertainty


@pytest.fixture
def uneven():
    """Return distances of the readers of three sentences, the items scored, and another value of each."""
    rng = np.random.default_rng(3)
    met, items = {}, []
    for sentence, names in (("s", "abcd"), ("t", "bcd"), ("u", "ac")):
        distances = rng.random((len(names), len(names)))
        met[sentence] = (tuple(names), distances + distances.T)
        items += [("0", name, sentence) for name in names if (name, sentence) != ("d", "s")]  # d is only met
    items.append(("1", "a", "u"))  # scored in two folds
    return met, items, rng.random(len(items))


def slow_means(met, items, other, readers, sentences):
    """The two means when readers and sentences weigh so much: everybody meets everybody else."""
    top, beside, whole = 0.0, 0.0, 0.0
    for (_, reader, sentence), value in zip(items, other, strict=True):
        names, distances = met[sentence]
        own = names.index(reader)
        partners = [k for k in range(len(names)) if k != own]
        weights = np.array([readers[names[k]] for k in partners])
        mean = (weights * distances[own, partners]).sum() / weights.sum()
        weight = readers[reader] * sentences[sentence]
        top, beside, whole = top + weight * mean, beside + weight * value, whole + weight
    return np.array([top / whole, beside / whole])


def test_contributions_are_what_a_little_more_of_a_reader_or_a_sentence_would_change(uneven):
    """Variances by cluster from derivatives of the slow definition with respect to weights."""
    met, items, other = uneven
    pairs = {s: ReaderPairs.of(names, 1.0 - np.eye(len(names)), d) for s, (names, d) in met.items()}
    values = [pairs[s].means[pairs[s].readers.index(r)] for _, r, s in items]
    column = Column(*zip(*items, strict=True), np.array(values))
    found = pairs_uncertainty(pairs, column, [other])
    step = 1e-20
    for part, names, which in ((found.readers, "abcd", 0), (found.sentences, "stu", 1)):
        moved = []
        for name in names:
            weights = [dict.fromkeys("abcd", 1.0 + 0j), dict.fromkeys("stu", 1.0 + 0j)]
            weights[which][name] += 1j * step
            moved.append(slow_means(met, items, other, *weights).imag / step)
        n = len(names)
        np.testing.assert_allclose(part, n / (n - 1) * np.transpose(moved) @ np.array(moved), atol=1e-7)
    assert (found.n_readers, found.n_sentences, found.resampled) == (4, 3, CROSSED)


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
    held, tries = {"pairs": 0, "readers": 0}, 150
    for _ in range(tries):
        found = human_ceiling(corpus(14, 12))
        column = found.column
        reader, sentence = (
            np.unique(of, return_inverse=True)[1] for of in (column.readers, column.sentences)
        )
        fixed = means_uncertainty(column.values[:, None], reader, sentence)
        for name, uncertainty in (("pairs", found.uncertainty()), ("readers", fixed)):
            low, high = uncertainty.interval(column.mean, [1.0])
            held[name] += low <= truth <= high
    assert 0.89 <= held["pairs"] / tries <= 0.995  # .95, three standard errors and what few readers cost
    assert held["readers"] < held["pairs"] - 15  # what holding partners fixed would promise


def test_models_beside_readers_have_their_own_uncertainty():
    rng = np.random.default_rng(2)
    humans = {f"s{s}": [Scanpath(f"r{r}", f"s{s}", tuple(rng.integers(0, 6, 5).tolist())) for r in range(6)]
              for s in range(5)}  # fmt: skip
    ceiling = human_ceiling(humans)
    items = ceiling.column.items
    model = Column(*zip(*items, strict=True), rng.random(len(items)))
    found = ceiling.uncertainty(model)
    reader, sentence = (np.unique(of, return_inverse=True)[1] for of in (model.readers, model.sentences))
    alone = means_uncertainty(model.values[:, None], reader, sentence)
    assert found.variance([0.0, 1.0]) == pytest.approx(alone.variance([1.0]))
    assert found.variance([1.0, 0.0]) == pytest.approx(ceiling.uncertainty().variance([1.0]))


def test_one_partner_each():
    column = Column(("0", "0", "1"), ("a", "b", "a"), ("s", "s", "t"), np.array([0.25, 0.5, 0.75]))
    partners = {("0", "a", "s"): "c", ("0", "b", "s"): "a", ("1", "a", "t"): "b"}
    met = pairs_of_one_partner(column, partners)
    assert met["s"].readers == ("a", "b", "c")
    assert met["s"].means.tolist() == [0.25, 0.5, 0.0]
    assert not met["s"].moves.any()  # an only partner does not move a mean that is the distance to it
    assert met["t"].means.tolist() == [0.75, 0.0]
    found = pairs_uncertainty(met, column)
    assert found.variance([1.0])[0] > 0
    assert found.n_sentences == 2


def test_readers_without_names_are_not_told_apart():
    names = tuple(f"{UNNAMED}{k}" for k in range(3))
    distances = np.array([[0.0, 0.2, 0.4], [0.2, 0.0, 0.6], [0.4, 0.6, 0.0]])
    met = {s: ReaderPairs.of(names, 1.0 - np.eye(3), distances) for s in "st"}
    column = Column(("0",) * 6, names * 2, ("s",) * 3 + ("t",) * 3, np.tile([0.3, 0.4, 0.5], 2))
    found = pairs_uncertainty(met, column)
    assert (found.resampled, found.n_readers) == (ONE_WAY, 0)
    assert found.interval(0.4, [1.0]) == pytest.approx((0.4, 0.4))  # both sentences are the same
