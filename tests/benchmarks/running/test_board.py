from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.measures.catalogue import METRICS, usual_metrics
from scandl.measures.metric import DURATIONS
from scandl.pairing import pair
from scandl.records import Prediction, Scanpath, Sentence
from scandl_eval.references.reference_rows import HUMAN
from scandl_eval.running.board import (
    build_leaderboard,
    lacking_lines,
    left_to_right_lines,
    no_human_lines,
    no_likelihood_lines,
    setting_rows,
)
from scandl_eval.running.scored_run import DistributionTests, counted, score_run
from scandl_eval.running.tasks import Corpora, RunConfig
from scandl_eval.scoring.engine import BITS, is_compared, known_metric, score_predictions
from scandl_eval.scoring.rows import BY_SPLIT, Row
from scandl_eval.scoring.scoring_spec import Spec
from scandl_eval.scoring.time_estimates import MEASURES

DEMO = open_corpus("demo")
READ = [path for path in DEMO.scanpaths if path.sentence_id <= "s10"]  # by several readers each


def predictions(model: str, n: int = 60, **given: object) -> list[Prediction]:
    return [
        Prediction(p.sentence_id, tuple(range(3)), p.positions, p.reader_id, model, "ns", **given)  # type: ignore[arg-type]
        for p in READ[:n]
    ]


def nld(model: str, mean: float, rank: int | None, kind: str = "model", **more: object) -> Row:
    return Row(setting="ns", model=model, kind=kind, metric="nld", n=10, mean=mean, rank=rank, **more)  # type: ignore[arg-type]


@pytest.fixture
def runs():
    some = [replace(p, log_prob=-3.0 if k < 5 else None) for k, p in enumerate(predictions("b", 40))]
    given = {("a", "ns"): predictions("a"), ("b", "ns"): some}
    return score_run(given, Corpora(DEMO), seed=1)


def test_a_board_has_models_humans_and_published_rows_and_says_what_lacks(runs):
    config = RunConfig(corpus="demo", settings=("ns",), models=("a", "b"))
    tests = {(m, "ns"): DistributionTests(auc=0.5, auc_ci95=[0.4, 0.6], n_paths=9, p_values={}) for m in "ab"}
    board = build_leaderboard(config, Corpora(DEMO), runs, tests, {("c", "ns"): "no words"})
    assert {row.kind for row in board.rows} == {"model", "human", "published"}
    assert "New Sentence: c is left out: no words." in board.warnings
    assert set(board.provenance["inputs"]) == {"demo"}
    means = [row.mean for row in board.rows if row.mean is not None]
    assert means == [round(mean, 6) for mean in means]


def test_models_that_lack_items_or_likelihoods_are_named(runs):
    (line,) = lacking_lines(runs)
    assert line.startswith("New Sentence: b has no prediction for 20 of 60 items (sentence 's")
    assert line.endswith("ranks are over the 40 items that all models have.")
    assert no_likelihood_lines(runs) == [
        "New Sentence: b has log_prob for 5 of 40 scanpaths, so no likelihood."
    ]


def test_settings_without_a_human_row_are_named():
    rows = [nld("a", 0.5, 1), nld("Human", 0.6, None, "human")]
    assert no_human_lines(rows) == []
    assert no_human_lines(rows[:1]) == [
        "New Sentence: no row of the readers, no sentence was read by two of them."
    ]


def test_left_to_right_is_mentioned_where_it_beats_a_model_or_the_readers():
    simple = nld("left-to-right", 0.5, 1, human_minus_model=0.05, human_minus_model_ci95=(0.01, 0.09))
    rows = [simple, nld("a", 0.6, 2), nld("Human", 0.55, None, "human")]
    (line,) = left_to_right_lines(rows, "ns")
    assert "has an NLD of 0.500, lower than the other model and clearly nearer to the readers" in line
    assert left_to_right_lines(rows[1:], "ns") == []
    last = replace(simple, rank=2, human_minus_model_ci95=(-0.01, 0.09))
    assert left_to_right_lines([last, nld("a", 0.4, 1)], "ns") == []


TEXT = " ".join("abcdefgh")


def predicted(model, paths, humans, **given):
    return [
        Prediction(
            s, path, human=humans[r, s], reader_id=r, model=model, setting="ns", fold="0", text=TEXT, **given
        )
        for (r, s), path in paths.items()
    ]


def rows_of(*read, seed=1, corpus=None):
    """Return the rows of these predictions of models, by (model, metric)."""
    spec = Spec()
    metrics = {m.name: known_metric(m.name, spec) for m in usual_metrics() if is_compared(m)}
    scored = score_predictions(
        pair([p for own in read for p in own], corpus), corpus, spec, metrics, trivial=False, seed=seed
    )
    (found,) = scored.settings
    counts = {model: counted(scored.scores, (model, "ns"), 0, 0) for model in found.models}
    nothing = DistributionTests(auc=None, auc_ci95=None, n_paths=0, p_values={"nld": 0.25})
    rows = setting_rows(found, counts, dict.fromkeys(found.models, nothing), seed=seed)
    return {(row.model, row.metric): row for row in rows}


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
    for seed in range(100):
        humans = sample(rng, rng.beta(2.5, 1.5, 12), 12)
        models = {name: sample(rng, [eager] * 12, 12) for name, eager in (("a", 0.72), ("b", 0.5))}
        rows = rows_of(*(predicted(name, paths, humans) for name, paths in models.items()), seed=seed)
        a, b = rows["a", "energy"], rows["b", "energy"]
        worse, sign = (b, 1) if b.difference else (a, -1)
        low, high = sorted(sign * end for end in worse.difference_ci95)
        found.append((b.mean - a.mean, low, high))
    truth = np.mean([difference for difference, _, _ in found])
    assert 88 <= sum(low <= truth <= high for _, low, high in found) <= 100  # .95, less three standard errors


def test_models_are_compared_on_what_all_have():
    """The second model skips hard sentences, and is worse on each of the others."""
    rng = np.random.default_rng(2)
    humans = sample(rng, [0.8] * 6, 6)
    exact = dict(humans)
    for s in (3, 4, 5):
        exact |= {(f"r{r}", f"s{s}"): () for r in range(6)}  # far off on the second half
    near = {unit: (*path[1:], 7, 7) for unit, path in humans.items() if unit[1] in ("s0", "s1", "s2")}
    rows = rows_of(predicted("all", exact, humans), predicted("few", near, humans))
    assert rows["few", "nld"].mean < rows["all", "nld"].mean
    assert (rows["all", "nld"].rank, rows["few", "nld"].rank) == (1, 2)
    assert rows["few", "nld"].tied_with_best is False
    assert rows["all", "energy"].rank == 1
    shared = rows_of(predicted("all", {k: v for k, v in exact.items() if k in near}, humans))
    assert rows["few", "energy"].difference == pytest.approx(
        rows["few", "energy"].mean - shared["all", "energy"].mean
    )
    # A single fold: no test over folds, and none of different items.
    assert rows["few", "nld"].p_folds is None


def test_readers_are_compared_with_models_on_the_same_items():
    """Sentences that one person read are in the mean of a model and not in that of the readers."""
    humans = {("a", "s"): (0, 1, 2), ("b", "s"): (0, 1, 3), ("c", "s"): (0, 2, 3), ("a", "t"): (0, 1)}
    model = {("a", "s"): (0, 1), ("b", "s"): (4,), ("c", "s"): (4, 5), ("a", "t"): (0, 1)}
    rows = rows_of(predicted("m", model, humans))
    human, found = rows[HUMAN, "nld"], rows["m", "nld"]
    assert (human.n, found.n) == (3, 4)
    assert human.mean == pytest.approx((1 / 3 + 1 / 3 + 2 / 3) * 2 / 6)
    assert found.mean == pytest.approx((1 / 3 + 1 + 1 + 0) / 4)
    assert found.mean_matched == pytest.approx((1 / 3 + 1 + 1) / 3)
    assert found.human_minus_model == pytest.approx(human.mean - found.mean_matched)
    low, high = found.human_minus_model_ci95
    assert low <= found.human_minus_model <= high
    assert human.note == "all pairs of readers without self; 1 sentences with one reader left out"


def test_a_fold_in_which_all_readers_agree_has_no_diversity():
    """Its ratio is 0 / 0; the others have a spread, and files hold numbers only."""
    humans = {(r, s): (0, 1) if s == "s" else (0, i) for s in "stu" for i, r in enumerate("abc")}
    given = predicted("m", {unit: (0, k % 3) for k, unit in enumerate(humans)}, humans)
    rows = rows_of([replace(p, fold=str("stu".index(p.sentence_id))) for p in given])
    row = rows["m", "diversity"]
    assert row.sd_folds == pytest.approx(0.0)  # in the two others all three paths differ, on both sides
    numbers = (
        v
        for row in rows.values()
        for v in (row.mean, row.sd_folds, row.se_folds, row.p_folds)
        if v is not None
    )
    assert all(map(math.isfinite, numbers))


def test_readers_are_one_half_against_the_other_and_one_by_definition():
    humans = sample(np.random.default_rng(4), [0.3, 0.5, 0.6, 0.7, 0.8], 6)
    rows = rows_of(predicted("m", humans, humans))
    for metric in ("energy", "energy-yujian-bo"):
        row = rows[HUMAN, metric]
        assert (row.kind, row.rank, row.resampled, row.n) == ("human", None, BY_SPLIT, 6)
        assert row.ci95[0] < row.mean < row.ci95[1]
        assert row.p_permutation is None
    assert rows["m", "energy"].p_permutation == 0.25
    assert (rows[HUMAN, "diversity"].mean, rows[HUMAN, "diversity"].note) == (1.0, "by definition")
    assert (HUMAN, BITS) not in rows


def test_likelihoods_are_ranked_among_the_models_that_have_them():
    humans = sample(np.random.default_rng(4), [0.3, 0.5, 0.6, 0.7], 5)
    paths = [predicted(name, humans, humans, log_prob=value) for name, value in (("a", -4.0), ("b", -8.0))]
    rows = rows_of(*paths, predicted("c", humans, humans))
    events = sum(len(path) + 1 for path in humans.values())
    assert rows["a", BITS].mean == pytest.approx(-4.0 * len(humans) / math.log(2) / events)
    assert (rows["a", BITS].rank, rows["b", BITS].rank) == (1, 2)  # higher is better
    assert rows["b", BITS].difference == pytest.approx(rows["a", BITS].mean - rows["b", BITS].mean)
    assert ("c", BITS) not in rows


def test_durations_have_their_rows_and_readers_stand_beside_them():
    rng = np.random.default_rng(7)

    def timed(model, scale):
        return [
            Prediction(
                f"s{s}",
                tuple(range(5)),
                reader_id=f"r{r}",
                model=model,
                setting="ns",
                text=TEXT,
                durations=tuple((scale * rng.lognormal(5.3, 0.4, 5)).tolist()),
            )
            for s in range(6)
            for r in range(6)
        ]

    people = tuple(
        Scanpath(p.reader_id, p.sentence_id, p.predicted, p.durations) for p in timed("Human", 1.0)
    )
    corpus = Corpus(Card(name="timed"), {f"s{s}": Sentence(f"s{s}", TEXT) for s in range(6)}, people)
    untimed = [replace(p, model="untimed", durations=None) for p in timed("", 1.0)]
    rows = rows_of(timed("like", 1.0), timed("slow", 2.0), untimed, corpus=corpus)
    for metric in ("nld-time", "energy-time", "diversity-time", *tuple(MEASURES)[:4]):
        assert ("untimed", metric) not in rows
        assert rows["like", metric].ci95 is not None
        assert rows[HUMAN, metric].mean is not None
    assert rows["like", "energy-time"].rank == 1
    assert rows["slow", "energy-time"].difference > 0.1
    assert rows["like", "duration-mean-ratio"].rank == 1
    assert "Spearman–Brown" in rows[HUMAN, "word-time-correlation"].note


def test_readers_have_no_rows_of_time_where_no_model_has():
    rng = np.random.default_rng(3)
    humans = sample(rng, [0.8] * 6, 6)
    rows = rows_of(predicted("a", sample(rng, [0.6] * 6, 6), humans))
    assert (HUMAN, "energy") in rows
    assert not any(model == HUMAN and DURATIONS in METRICS[metric].needs for model, metric in rows)
