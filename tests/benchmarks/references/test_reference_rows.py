from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.measures.catalogue import METRICS
from scandl.models.baselines.trivial import TrainLabelDist
from scandl.models.model import Request
from scandl.pairing import pair
from scandl.records import Prediction, Scanpath, Sentence
from scandl.seeds import uniforms
from scandl.splits import make_folds
from scandl_eval.references.reference_rows import (
    beside,
    left_to_right,
    one_other,
    published_rows,
    train_label_dist,
)

SENTENCES = {f"s{i}": Sentence(f"s{i}", "one two three four", f"item{i // 2}") for i in range(8)}


@pytest.fixture
def corpus():
    """Readers who refixate in the items 0 and 1, and jump by two in the items 2 and 3."""
    paths = [
        Scanpath(f"r{r}", key, (0, 0, 0, 0) if sentence.item in ("item0", "item1") else (1, 3))
        for key, sentence in SENTENCES.items()
        for r in range(3)
    ]
    return Corpus(Card(name="toy"), SENTENCES, tuple(paths))


def items(corpus):
    return {key: sentence.item for key, sentence in corpus.sentences.items()}


def instances(corpus, **given):
    predictions = [
        Prediction(p.sentence_id, (0, 1), reader_id=p.reader_id, **given) for p in corpus.scanpaths
    ]
    return pair(predictions, corpus).instances


def test_left_to_right_reads_each_word_once(corpus):
    found = left_to_right(instances(corpus))
    assert set(found.words) == {(0, 1, 2, 3)}
    assert {unit.prediction.model for unit in found.instances} == {"left-to-right"}


def test_train_label_dist_never_saw_the_sentence_or_its_item(corpus):
    """With two kinds of items, what is drawn for one kind shows which sentences were learned from."""
    only = {key: sentence for key, sentence in SENTENCES.items() if sentence.item in ("item0", "item3")}
    two = Corpus(Card(name="toy"), only, tuple(p for p in corpus.scanpaths if p.sentence_id in only))
    found = train_label_dist(instances(two), two.by_sentence, items(two), seed=1).instances
    assert len(found) == len(two.scanpaths)
    for unit in found:
        steps = {
            b - a for a, b in zip(unit.prediction.predicted, unit.prediction.predicted[1:], strict=False)
        }
        if SENTENCES[unit.prediction.sentence_id].item == "item0":
            assert steps <= {2}, "learned from item3, whose readers jump"
        else:
            assert steps <= {0, 1}, "learned from item0, whose readers stay"


def test_one_sentence_teaches_nothing_about_others(corpus):
    one = Corpus(Card(name="toy"), {"s0": SENTENCES["s0"]}, corpus.scanpaths[:3])
    assert train_label_dist(instances(one), one.by_sentence, items(one), seed=1).instances == []


def test_the_seed_decides(corpus):
    units = instances(corpus)
    first, again, other = (
        train_label_dist(units, corpus.by_sentence, items(corpus), seed=seed) for seed in (3, 3, 4)
    )
    assert first == again
    assert first != other


def test_parts_are_the_folds_of_new_sentence_and_walks_those_of_the_generator(corpus):
    """The second truth: folds as ``scandl split`` makes them, and the baseline drawing path by path."""
    units = instances(corpus)
    found = train_label_dist(units, corpus.by_sentence, items(corpus), seed=5)
    for fold in make_folds(corpus, "ns", seed=5, n_folds=2):
        learned = TrainLabelDist().fit(corpus.restricted_to(fold.train), seed=5)
        for unit, words in zip(units, found.words, strict=True):
            sentence = unit.prediction.sentence_id
            if (unit.reader_id, sentence) in fold.test:
                drawn = uniforms(5, [("train-label-dist", sentence, unit.reader_id, 0)], 59)[0]
                assert words == learned.draw(Request(SENTENCES[sentence]), Drawn(drawn))


@dataclass
class Drawn:
    """A generator of random numbers that were drawn before."""

    numbers: NDArray[np.float64]

    def random(self, n: int) -> NDArray[np.float64]:
        return self.numbers[:n]


def test_trivial_draws_are_keyed_by_reader_and_sentence(corpus):
    """Whatever the order of rows, and whoever else is scored beside: once it was the order of rows."""
    units = instances(corpus)
    found = train_label_dist(units, corpus.by_sentence, items(corpus), seed=5)
    drawn = {
        (u.prediction.sentence_id, u.reader_id): words for u, words in zip(units, found.words, strict=True)
    }
    assert len(set(drawn.values())) > 3
    other = train_label_dist(units[::-2], corpus.by_sentence, items(corpus), seed=5)
    for unit, words in zip(units[::-2], other.words, strict=True):
        assert words == drawn[unit.prediction.sentence_id, unit.reader_id]
    partners = {
        (i.prediction.sentence_id, i.reader_id): other
        for i, other in one_other(units, corpus.by_sentence, seed=5)
    }
    for instance, other in one_other(units[::-2], corpus.by_sentence, seed=5):
        assert other == partners[instance.prediction.sentence_id, instance.reader_id]


def test_models_of_one_setting_share_their_items(corpus):
    both = (
        instances(corpus, model="a") + instances(corpus, model="b") + instances(corpus, model="b", sample=1)
    )
    (near,) = beside(both, corpus, seed=1)
    assert len(near.units) == len(corpus.scanpaths)
    assert not near.doubtful_readers
    assert len(near.trivial_columns(METRICS["nld"])["left-to-right"]) == len(corpus.scanpaths)


def test_settings_stand_apart(corpus):
    both = instances(corpus, setting="ns") + instances(corpus, setting="nr")
    assert [near.setting for near in beside(both, corpus, seed=1)] == ["ns", "nr"]


def test_one_other_is_never_the_reader(corpus):
    humans = {"s0": [Scanpath(f"r{i}", "s0", (i,)) for i in range(3)], "s1": [Scanpath("r0", "s1", (0,))]}
    predictions = [Prediction("s0", (), human=(i,), reader_id=f"r{i}") for i in range(3)]
    predictions.append(Prediction("s1", (), human=(0,), reader_id="r0"))
    units = pair(predictions).instances
    found = [one_other(units, humans, seed=seed) for seed in range(20)]
    assert all(len(drawn) == 3 for drawn in found)  # s1 has nobody else
    assert all(unit.prediction.predicted != unit.human for drawn in found for unit, _ in drawn)
    names = {(0,): "r0", (1,): "r1", (2,): "r2"}
    assert all(names[unit.prediction.predicted] == other for drawn in found for unit, other in drawn)


def test_repeated_draws_without_names_are_no_readers():
    draws = [Prediction("s", (k,), human=(0, 1, 2)) for k in range(4)]
    (near,) = beside(pair(draws).instances, None, seed=1)
    assert near.doubtful_readers
    readers = [Prediction("s", (0,), human=(k,)) for k in range(4)]
    (near,) = beside(pair(readers).instances, None, seed=1)
    assert not near.doubtful_readers


@pytest.mark.parametrize("metric", ["nld", "scanmatch"])
def test_a_ceiling_exists_for_every_metric(corpus, metric):
    (near,) = beside(instances(corpus), corpus, seed=1)
    found = near.ceiling(METRICS[metric], "all-pairs")
    assert found.name == ("all-pairs" if metric == "nld" else "one-other")
    # All readers of a sentence agree, so each is predicted perfectly by the others.
    assert found.column.mean == (0.0 if metric == "nld" else 1.0)


def test_an_unnamed_path_never_meets_its_copy_in_the_corpus(corpus):
    own = [Prediction("s0", (0,), human=(0, 0, 0, 0)), Prediction("s0", (0,), human=(1, 3))]
    (near,) = beside(pair(own, corpus).instances, corpus, seed=1)
    assert near.ceiling(METRICS["nld"], "all-pairs").column.mean == 1.0


def test_a_reader_whom_the_corpus_lacks_meets_its_readers_only_when_asked(corpus):
    """The reference are the readers of the tested items; with ``all`` those of the corpus join them."""
    own = [Prediction("s0", (0,), human=(1, 3), reader_id="guest")]
    instances = pair(own, corpus).instances
    (near,) = beside(instances, corpus, seed=1)
    assert len(near.ceiling(METRICS["nld"], "all-pairs").column) == 0
    (near,) = beside(instances, corpus, reference="all", seed=1)
    found = near.ceiling(METRICS["nld"], "all-pairs")
    assert (found.column.readers, found.column.mean) == (("guest",), 1.0)
    assert found.readers_per_sentence == 4


TABLE_1 = {
    "Uniform": (0.779, 0.781, 0.782, 0.802),
    "Train-label-dist": (0.672, 0.672, 0.674, 0.723),
    "E-Z Reader": (0.619, 0.620, 0.622, 0.667),
    "SWIFT": (0.607, 0.608, 0.607, 0.703),
    "Eyettention": (0.580, 0.580, 0.578, 0.697),
    "ScanDL": (0.516, 0.509, 0.515, 0.647),
    "Human": (0.538, 0.536, 0.538, 0.646),
}


def test_table_1_as_printed():
    found = {(row.model, row.setting): row for row in published_rows()}
    assert len(found) == 28
    for model, means in TABLE_1.items():
        for setting, mean in zip(("ns", "nr", "nrns", "cross"), means, strict=True):
            assert found[model, setting].mean == mean
    assert found["ScanDL", "nrns"].spread == 0.014
    assert found["SWIFT", "ns"].worse_than_best
    assert not found["ScanDL", "ns"].worse_than_best


def test_every_row_names_convention_and_corpus():
    for row in (*published_rows(), *published_rows(table="ablations")):
        assert row.convention == "scandl"
        assert "CELER" in row.corpus
        assert "population SD" in row.spread_is
    assert all("ZuCo" in row.corpus for row in published_rows("cross"))


def test_ablations_belong_to_one_setting():
    assert [row.mean for row in published_rows("nrns", "ablations")] == [0.515, 0.514, 0.519, 0.667, 0.968]
    assert published_rows("ns", "ablations") == []


def test_an_unknown_table_is_named():
    with pytest.raises(ScandlError, match="no published table 'nlds'; did you mean 'nld'"):
        published_rows(table="nlds")
