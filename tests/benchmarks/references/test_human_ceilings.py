from __future__ import annotations

import sys
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scandl.corpora import read_corpus
from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS
from scandl.measures.pair.nld import nld, pairwise
from scandl.pairing import UNNAMED, Instance
from scandl.records import Prediction, Scanpath
from scandl.statistics import distances
from scandl.statistics.clustered import CROSSED, ONE_WAY, means_uncertainty
from scandl_eval.references import human_ceilings
from scandl_eval.references.human_ceilings import (
    CEILINGS,
    ReaderPairs,
    all_pairs,
    best_other,
    human_ceiling,
    medoid,
    one_other,
    pairs_of_one_partner,
    pairs_uncertainty,
    same_n,
    split_half,
)
from scandl_eval.references.reference_rows import one_other as drawn_partners
from scandl_eval.score_table import ScoreColumn, columns, score

PATHS = st.lists(st.lists(st.integers(0, 4), max_size=6).map(tuple), min_size=3, max_size=7)


@pytest.fixture(scope="module")
def corpora():
    found = {}

    def get(folder):
        if folder not in found:
            found[folder] = read_corpus(folder)
        return found[folder]

    return get


def slow(name, paths, i):
    """Each ceiling written as it is defined, for reader ``i``."""
    others = [j for j in range(len(paths)) if j != i]
    distance = {j: nld(paths[i], paths[j]) for j in others}
    if name == "all-pairs":
        return sum(distance.values()) / len(others)
    if name == "best-other":
        return min(distance.values())
    total = {j: sum(nld(paths[j], paths[k]) for k in others if k != j) for j in others}
    return distance[next(j for j in others if total[j] <= min(total.values()) + 1e-9)]


@given(PATHS)
@pytest.mark.parametrize("name", ["all-pairs", "best-other", "medoid"])
def test_ceilings_agree_with_their_definitions(name, paths):
    humans = {"s": [Scanpath(f"r{i}", "s", path) for i, path in enumerate(paths)]}
    found = human_ceiling(humans, name)
    assert found.column.values.tolist() == pytest.approx([slow(name, paths, i) for i in range(len(paths))])


@given(PATHS, st.integers(0, 99))
def test_nobody_is_compared_with_oneself(paths, seed):
    rng = np.random.default_rng(seed)
    n = len(paths)
    for rule in (
        all_pairs,
        one_other(n, rng),
        split_half(n, rng),
        same_n(n, 2, rng),
        medoid(paths),
        best_other,
    ):
        partners = rule(slice(0, n), pairwise(paths, paths))
        assert not partners.diagonal().any()
        assert partners.sum(axis=1).min() >= 1


def pairs_of(names, distances, partners=all_pairs):
    """Set readers against partners whose distances are known at once."""
    return ReaderPairs.of(names, partners, lambda: [(slice(0, len(names)), distances)])


@pytest.mark.parametrize("kernel", ["nld", "levenshtein"])
@pytest.mark.parametrize("name", CEILINGS)
def test_many_readers_are_compared_a_few_at_a_time(monkeypatch, name, kernel):
    rng = np.random.default_rng(4)
    humans = {
        s: [Scanpath(f"r{r:02}", s, tuple(rng.integers(0, 4, 3).tolist())) for r in range(n)]
        for s, n in (("s", 13), ("t", 7))
    }
    whole = human_ceiling(humans, name, kernel=kernel, n_paths={"s": 3})
    monkeypatch.setattr(distances, "STRIP", 30)  # two readers with 13, four with 7
    monkeypatch.setattr(human_ceilings, "STRIP", 30)
    parts = human_ceiling(humans, name, kernel=kernel, n_paths={"s": 3})
    assert parts.column.values.tolist() == whole.column.values.tolist()
    some = whole.column.items[1::2]
    for one, other in ((whole, parts), (whole.at(some), parts.at(some))):
        np.testing.assert_allclose(other.uncertainty().readings, one.uncertainty().readings, rtol=1e-5)


def test_memory_grows_with_readers_and_not_with_their_pairs(monkeypatch):
    monkeypatch.setattr(distances, "STRIP", 1_600)
    monkeypatch.setattr(human_ceilings, "STRIP", 1_600)
    peak = {}
    for n in (100, 400):
        humans = {"s": [Scanpath(f"r{r}", "s", (r % 5, r % 3)) for r in range(n)]}
        tracemalloc.start()
        human_ceiling(humans, "medoid").uncertainty()
        peak[n] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak[400] < 6 * peak[100]  # squares would be 16 times
    assert peak[400] < 400**2 * 8 / 2


def test_random_partners_have_the_expectation_of_all_pairs():
    rng = np.random.default_rng(2)
    paths = [tuple(rng.integers(0, 5, 6).tolist()) for _ in range(6)]
    distances = pairwise(paths, paths)
    every = distances.sum(axis=1) / 5
    for drawn in (lambda: one_other(6, rng), lambda: same_n(6, 3, rng), lambda: split_half(6, rng)):
        means = [pairs_of("abcdef", distances, drawn()).means for _ in range(4000)]
        np.testing.assert_allclose(np.mean(means, axis=0), every, atol=0.02)
    whole = slice(0, 6), distances
    np.testing.assert_array_equal(same_n(6, 99, rng)(*whole), all_pairs(*whole))
    assert [same_n(6, k, rng)(*whole).sum(axis=1).tolist() for k in (1, 3)] == [[1.0] * 6, [3.0] * 6]


def test_two_readers_who_agree_are_as_near_as_can_be():
    """In a group of copies even an honest ceiling is 0: that is why copies of draws must not count as readers."""
    humans = {"s": [Scanpath(r, "s", (0, 1)) for r in "ab"], "t": [Scanpath("a", "t", (0,))]}
    found = human_ceiling(humans)
    assert found.column.values.tolist() == [0.0, 0.0]
    assert found.excluded == ("t",)
    assert found.readers_per_sentence == 2


def test_only_the_items_of_the_model_are_scored():
    humans = {"s": [Scanpath(r, "s", (i,)) for i, r in enumerate("abc")]}
    found = human_ceiling(humans, items=[("3", "b", "s"), ("3", "x", "s"), ("3", "a", "unread")])
    assert found.column.items == [("3", "b", "s")]
    assert found.excluded == ("unread",)


def test_an_unknown_ceiling_is_named():
    with pytest.raises(ScandlError, match="no ceiling 'all-pair'; did you mean 'all-pairs'"):
        human_ceiling({}, "all-pair")


REFERENCE = {
    ("schilling", "all-pairs"): (0.5287, 0.4475),
    ("schilling", "medoid"): (0.4310, 0.3606),
    ("schilling", "best-other"): (0.3010, 0.2515),
    ("mertzen", "all-pairs"): (0.7078, 0.6670),
    ("mertzen", "medoid"): (0.6635, 0.6208),
    ("mertzen", "best-other"): (0.5692, 0.5318),
    ("onestop-sample", "all-pairs"): (0.7129, 0.6439),
    ("onestop-sample", "best-other"): (0.6903, 0.6224),
}


@pytest.mark.parametrize(("corpus", "name"), REFERENCE)
def test_real_corpora_have_the_known_ceilings(shared, corpora, corpus, name):
    humans = corpora(shared(corpus)).by_sentence
    found = [
        human_ceiling(humans, name, kernel=kernel).column.mean_over_sentences
        for kernel in ("nld", "nld-scandl")
    ]
    assert found == pytest.approx(REFERENCE[corpus, name], abs=5e-5)


def test_medoid_of_three_readers_takes_the_first_of_two(shared, corpora):
    """With three readers both others are equally central; the known values take the first."""
    humans = corpora(shared("onestop-sample")).by_sentence
    words, scandl = (
        human_ceiling(humans, "medoid", kernel=kernel).column for kernel in ("nld", "nld-scandl")
    )
    assert len(set(words.sentences)) == 68
    assert words.mean_over_sentences == pytest.approx(0.686, abs=5e-4)
    assert scandl.mean_over_sentences == pytest.approx(0.626, abs=5e-4)


def test_who_is_central_does_not_depend_on_how_distances_are_scored():
    """By edits without norm the short path would be central; NLD of words decides in every convention."""
    paths = {"a": (0, 1, 2, 3, 4, 5, 6, 7), "b": (0, 1, 2, 3, 4, 5, 8, 9), "c": (0,), "d": (1,)}
    humans = {"s": [Scanpath(reader, "s", path) for reader, path in paths.items()]}
    words = [*paths.values()]
    chosen, by_edits = (
        medoid(words, kernel)(slice(0, 4), pairwise(words, words)) for kernel in ("nld", "levenshtein")
    )
    assert (chosen != by_edits).any()
    for kernel in ("nld", "levenshtein"):
        found = human_ceiling(humans, "medoid", kernel=kernel).column.values
        expected = (chosen * pairwise(words, words, kernel)).sum(axis=1)
        np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("corpus", ["schilling", "mertzen"])
def test_halves_have_the_mean_of_all_pairs(shared, corpora, corpus):
    humans = corpora(shared(corpus)).by_sentence
    half = human_ceiling(humans, "split-half").column.mean_over_sentences
    assert half == pytest.approx(REFERENCE[corpus, "all-pairs"][0], abs=0.003)


def test_some_of_the_items_keep_their_partners():
    humans = {s: [Scanpath(r, s, (i, k)) for i, r in enumerate("abc")] for k, s in enumerate("st")}
    whole = human_ceiling(humans)
    part = whole.at([("0", "b", "t"), ("0", "a", "s")])
    assert part.column.items == [("0", "b", "t"), ("0", "a", "s")]
    assert part.column.values.tolist() == [whole.column.values[4], whole.column.values[0]]
    assert part.pairs is whole.pairs


def test_every_ceiling_says_what_it_is():
    assert all(rule.about and rule.least_readers >= 2 for rule in CEILINGS.values())


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
    """Variances by cluster from derivatives of the slow definition with respect to weights; none is stretched."""
    met, items, other = uneven
    pairs = {s: replace(pairs_of(names, d), all_others=False) for s, (names, d) in met.items()}
    values = [pairs[s].means[pairs[s].readers.index(r)] for _, r, s in items]
    column = ScoreColumn(*zip(*items, strict=True), np.array(values))
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


@pytest.mark.parametrize("n", [3, 4, 9])
def test_effects_of_readers_are_found_whole_however_few_there_are(n):
    """Where a distance is the sum of the effects of two, the mean over others hides a part of each."""
    effect = np.random.default_rng(n).random(n)
    found = pairs_of("abcdefghi"[:n], np.add.outer(effect, effect) * (1 - np.eye(n)))
    stretched, moved = found.effects(np.arange(n))
    np.testing.assert_allclose(stretched - stretched.mean(), effect - effect.mean())
    np.testing.assert_allclose(moved, effect - effect.mean(), atol=1e-6)


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
    held, tries = {"pairs": 0, "readers": 0, "drawn": 0}, 150
    for _ in range(tries):
        humans = corpus(14, 12)
        found = human_ceiling(humans)
        column = found.column
        reader, sentence = (
            np.unique(of, return_inverse=True)[1] for of in (column.readers, column.sentences)
        )
        fixed = means_uncertainty(column.values[:, None], reader, sentence)
        drawn = human_ceiling(humans, "one-other")
        for name, mean, uncertainty in (
            ("pairs", column.mean, found.uncertainty()),
            ("readers", column.mean, fixed),
            ("drawn", drawn.column.mean, drawn.uncertainty()),
        ):
            low, high = uncertainty.interval(mean, [1.0])
            held[name] += low <= truth <= high
    assert 0.89 <= held["drawn"] / tries <= 0.995
    assert 0.89 <= held["pairs"] / tries <= 0.995  # .95, three standard errors and what few readers cost
    assert held["readers"] < held["pairs"] - 15  # what holding partners fixed would promise


@pytest.mark.parametrize("corpus", ["schilling", "mertzen"])
def test_drawn_partners_are_no_surer_than_all_of_them(shared, corpora, corpus):
    humans = corpora(shared(corpus)).by_sentence
    widths = {}
    for rule in ("all-pairs", "one-other", "split-half", "same-n"):
        found = human_ceiling(humans, rule)
        widths[rule] = np.ptp(found.uncertainty().interval(found.column.mean, [1.0]))
    assert min(widths.values()) == widths["all-pairs"]
    units = [
        Instance(Prediction(sentence, (), reader_id=p.reader_id), p.positions, p.reader_id)
        for sentence, paths in humans.items()
        for p in paths
    ]
    instances, partners = zip(*drawn_partners(units, humans, seed=1), strict=True)
    (column,) = columns(score(instances, [METRICS["nld"]]), "nld").values()
    of_item = {
        ("0", unit.reader_id, unit.prediction.sentence_id): partner
        for unit, partner in zip(instances, partners, strict=True)
    }
    met = pairs_uncertainty(pairs_of_one_partner(column, of_item), column)
    width = np.ptp(met.interval(column.mean, [1.0]))  # nothing is known of pairs that did not meet
    assert width == pytest.approx(widths["one-other"], rel=0.15)


def test_models_beside_readers_have_their_own_uncertainty():
    rng = np.random.default_rng(2)
    humans = {
        f"s{s}": [Scanpath(f"r{r}", f"s{s}", tuple(rng.integers(0, 6, 5).tolist())) for r in range(6)]
        for s in range(5)
    }
    ceiling = human_ceiling(humans)
    items = ceiling.column.items
    model = ScoreColumn(*zip(*items, strict=True), rng.random(len(items)))
    found = ceiling.uncertainty(model)
    reader, sentence = (np.unique(of, return_inverse=True)[1] for of in (model.readers, model.sentences))
    alone = means_uncertainty(model.values[:, None], reader, sentence)
    assert found.variance([0.0, 1.0]) == pytest.approx(alone.variance([1.0]))
    assert found.variance([1.0, 0.0]) == pytest.approx(ceiling.uncertainty().variance([1.0]))


def test_one_partner_each():
    column = ScoreColumn(("0", "0", "1"), ("a", "b", "a"), ("s", "s", "t"), np.array([0.25, 0.5, 0.75]))
    partners = {("0", "a", "s"): "c", ("0", "b", "s"): "a", ("1", "a", "t"): "b"}
    met = pairs_of_one_partner(column, partners)
    assert met["s"].readers == ("a", "b", "c")
    assert met["s"].means.tolist() == [0.25, 0.5, 0.0]
    # a is met .125 farther than usual in s, and c as much nearer; in t nothing is known but one pair
    assert met["s"].moved(np.arange(3)).tolist() == [0.125, 0.0, -0.125]
    assert not met["t"].moved(np.arange(2)).any()
    assert met["t"].means.tolist() == [0.75, 0.0]
    found = pairs_uncertainty(met, column)
    assert found.variance([1.0])[0] > 0
    assert found.n_sentences == 2


def test_readers_without_names_are_not_told_apart():
    names = tuple(f"{UNNAMED}{k}" for k in range(3))
    distances = np.array([[0.0, 0.2, 0.4], [0.2, 0.0, 0.6], [0.4, 0.6, 0.0]])
    met = {s: pairs_of(names, distances) for s in "st"}
    column = ScoreColumn(("0",) * 6, names * 2, ("s",) * 3 + ("t",) * 3, np.tile([0.3, 0.4, 0.5], 2))
    found = pairs_uncertainty(met, column)
    assert (found.resampled, found.n_readers) == (ONE_WAY, 0)
    assert found.interval(0.4, [1.0]) == pytest.approx((0.4, 0.4))  # both sentences are the same


def operations(work):
    """Count the operations of Python itself in the project's functions: the same on every machine."""
    counted = 0

    def watch(frame, event, _):
        nonlocal counted
        if not frame.f_globals.get("__name__", "").startswith("scandl"):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        counted += event == "opcode"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize("name", CEILINGS)
def test_work_grows_with_the_sentences_and_no_faster(name):
    """Whatever is made anew from all sentences for each of them makes four times the work of twice as many."""

    def of(n):
        humans = {
            f"s{k}": [Scanpath(f"r{i}", f"s{k}", (0, i % 3, k % 5)) for i in range(4)] for k in range(n)
        }
        items = [("0", path.reader_id, s) for s, paths in humans.items() for path in paths]
        paths = dict.fromkeys(humans, 2)
        return operations(lambda: human_ceiling(humans, name, items=items, n_paths=paths))

    of(2)  # what is compiled or cached at first use
    small, large = of(40), of(80)
    assert small > 1000
    assert large / small < 2.2
