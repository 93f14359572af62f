from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scandl_eval.running.model_measures import Job, measure, unit_of

from scandl.corpora import Card, Corpus
from scandl.records import Prediction, Scanpath, Sentence
from scandl_eval.running.setting_rows import setting_rows
from scandl_eval.scoring.ranking import places

TEXT = " ".join("abcdefgh")


def predictions(model, paths, humans):
    return tuple(
        Prediction(s, path, human=humans[r, s], reader_id=r, model=model, setting="ns", fold="0", text=TEXT)
        for (r, s), path in paths.items()
    )


def rows_of(humans, models, resamples=300, seed=1):
    """Return the rows of models {name: {(reader, sentence): path}} beside humans of the same form."""
    read = {name: predictions(name, paths, humans) for name, paths in models.items()}
    shared = frozenset.intersection(*(frozenset(map(unit_of, found)) for found in read.values()))
    measured = [
        measure(None, Job(name, "ns", found, shared, resamples, seed)) for name, found in read.items()
    ]
    corpus = Corpus(
        Card(name="c"), {s: Sentence(s, TEXT) for _, s in humans},
        tuple(Scanpath(r, s, path) for (r, s), path in humans.items()),
    )  # fmt: skip
    found = setting_rows("ns", measured, corpus.by_sentence, seed=seed, resamples=resamples)
    return {(row.model, row.metric): row for row in found}


def sample(rng, eager, n_sentences):
    """Let each reader fixate each of eight words with an inclination of his or her own."""
    return {
        (f"r{r}", f"s{s}"): tuple(np.flatnonzero(rng.random(8) < eager[r]).tolist())
        for r in range(len(eager))
        for s in range(n_sentences)
    }


@pytest.mark.slow
def test_differences_of_energy_hold_for_other_readers():
    """Which of two models is nearer depends on the readers drawn, so their difference varies with them."""
    rng = np.random.default_rng(5)
    found = []
    for seed in range(60):
        humans = sample(rng, rng.beta(2.5, 1.5, 12), 12)
        models = {name: sample(rng, [eager] * 12, 12) for name, eager in (("a", 0.72), ("b", 0.5))}
        rows = rows_of(humans, models, resamples=300, seed=seed)
        a, b = rows["a", "energy"], rows["b", "energy"]
        worse, sign = (b, 1) if b.difference else (a, -1)
        low, high = sorted(sign * end for end in worse.difference_ci95)
        found.append((b.mean - a.mean, low, high))
    truth = np.mean([difference for difference, _, _ in found])
    assert sum(low <= truth <= high for _, low, high in found) >= 51  # .95 of 60, less three standard errors


def test_models_are_compared_on_what_all_have():
    """The second model skips hard sentences, and is worse on each of the others."""
    rng = np.random.default_rng(2)
    humans = sample(rng, [0.8] * 6, 6)
    exact = dict(humans)
    for s in (3, 4, 5):
        exact |= {(f"r{r}", f"s{s}"): () for r in range(6)}  # far off on the second half
    near = {unit: (*path[1:], 7, 7) for unit, path in humans.items() if unit[1] in ("s0", "s1", "s2")}
    rows = rows_of(humans, {"all": exact, "few": near})
    assert rows["few", "nld"].mean < rows["all", "nld"].mean
    assert (rows["all", "nld"].rank, rows["few", "nld"].rank) == (1, 2)
    assert rows["few", "nld"].tied_with_best is False
    assert rows["all", "energy"].rank == 1
    assert rows["few", "energy"].difference == pytest.approx(
        rows["few", "energy"].mean - rows_of(humans, {"all": {k: v for k, v in exact.items() if k in near}})["all", "energy"].mean
    )  # fmt: skip
    # A single fold: no test over folds, and none of different items.
    assert rows["few", "nld"].p_folds is None


def test_readers_are_compared_with_models_on_the_same_items():
    """Sentences that one person read are in the mean of a model and not in that of the readers."""
    humans = {("a", "s"): (0, 1, 2), ("b", "s"): (0, 1, 3), ("c", "s"): (0, 2, 3), ("a", "t"): (0, 1)}
    model = {("a", "s"): (0, 1), ("b", "s"): (4,), ("c", "s"): (4, 5), ("a", "t"): (0, 1)}
    rows = rows_of(humans, {"m": model})
    human, found = rows["Human", "nld"], rows["m", "nld"]
    assert (human.n, found.n) == (3, 4)
    assert human.mean == pytest.approx((1 / 3 + 1 / 3 + 2 / 3) * 2 / 6)
    assert found.mean == pytest.approx((1 / 3 + 1 + 1 + 0) / 4)
    assert found.mean_matched == pytest.approx((1 / 3 + 1 + 1) / 3)
    assert found.human_minus_model == pytest.approx(human.mean - found.mean_matched)
    low, high = found.human_minus_model_ci95
    assert low <= found.human_minus_model <= high


def test_a_fold_in_which_all_readers_agree_has_no_diversity():
    """Its ratio is 0 / 0; the others have a spread, and files hold numbers only."""
    humans = {(r, s): (0, 1) if s == "s" else (0, i) for s in "stu" for i, r in enumerate("abc")}
    found = [
        replace(p, fold=str("stu".index(p.sentence_id)))
        for p in predictions("m", {unit: (0, k % 3) for k, unit in enumerate(humans)}, humans)
    ]
    job = Job("m", "ns", tuple(found), frozenset(map(unit_of, found)), 50, 1)
    measured = measure(None, job)
    assert math.isnan(measured.distances["nld"].by_fold["0"][1])
    rows = setting_rows("ns", [measured], {}, seed=1, resamples=50)
    (row,) = [row for row in rows if row.metric == "diversity"]
    assert row.sd_folds is not None
    assert math.isfinite(row.sd_folds)
    numbers = (
        v for row in rows for v in (row.mean, row.sd_folds, row.se_folds, row.p_folds) if v is not None
    )
    assert all(map(math.isfinite, numbers))


def test_diversity_is_worse_by_how_far_it_is_from_one():
    values, draws = np.array([0.93, 1.075]), np.array([[0.9, 1.1], [0.95, 1.06], [0.94, 1.05]])
    first, second = places(values, draws, loss=lambda value: abs(value - 1.0))
    assert (first.difference, second.difference) == (0.0, pytest.approx(0.005))
    assert second.difference_ci95[0] <= second.difference <= second.difference_ci95[1]
