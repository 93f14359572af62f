from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.records import WHOLE, Prediction
from scandl.statistics.distances import nld
from scandl_eval.scoring.comparison import Pair, compare, comparison_lines, with_common_settings
from scandl_eval.scoring.evaluation import evaluate

HUMANS = np.random.default_rng(0).integers(0, 6, (8, 10, 6))


def predictions(model, wrong, setting="ns", seed=1, readers=8, sentences=10):
    """Return the human paths with a share ``wrong`` of the fixations elsewhere."""
    rng = np.random.default_rng([seed, *model.encode()])
    found = []
    for r in range(readers):
        for s in range(sentences):
            off = rng.random(6) < wrong
            path = np.where(off, HUMANS[r, s] + 10, HUMANS[r, s])
            found.append(
                Prediction(
                    f"s{s}", tuple(path.tolist()), tuple(HUMANS[r, s].tolist()), f"r{r}", model, setting
                )
            )
    return found


def test_a_pair_is_the_difference_of_means_on_shared_items():
    a, b = predictions("a", 0.2), predictions("b", 0.6, sentences=7)
    (pair,) = compare([*a, *b]).pairs
    shared = {(p.reader_id, p.sentence_id) for p in b}
    means = [
        np.mean([nld(p.human, p.predicted) for p in own if (p.reader_id, p.sentence_id) in shared])
        for own in (a, b)
    ]
    assert (pair.mean_a, pair.mean_b) == pytest.approx(means)
    assert pair.difference == pytest.approx(means[0] - means[1])
    assert (pair.n, pair.n_only_a, pair.n_only_b) == (56, 24, 0)
    assert pair.verdict == "a nearer to people"
    assert pair.p_holm == pair.p


def test_energy_and_diversity_are_compared_like_any_metric():
    both = [*predictions("a", 0.1), *predictions("b", 0.7)]
    found = compare(both, metrics=["energy", "diversity"])
    assert [pair.metric for pair in found.pairs] == ["energy", "diversity"]
    rows = {(row.model, row.metric): row.mean for row in evaluate(both).rows}
    for pair in found.pairs:
        assert (pair.mean_a, pair.mean_b) == pytest.approx((rows["a", pair.metric], rows["b", pair.metric]))
        assert pair.ci95[0] < pair.difference < pair.ci95[1]
        assert pair.n == 10  # sentences
        assert 0 <= pair.p <= 1
    energy = found.pairs[0]
    assert energy.verdict == "a nearer to people"
    assert found.ranks["ns", "energy"]["a"].rank == 1
    # Diversity is ranked by how far it is from 1, whichever side it is on.
    far = {model: abs(rows[model, "diversity"] - 1.0) for model in "ab"}
    assert next(iter(found.ranks["ns", "diversity"])) == min(far, key=far.__getitem__)


def test_eleven_models_far_apart_are_all_separable():
    """Holm over 55 pairs leaves .35 apart separable: p-values have no floor."""
    models = [p for k in range(11) for p in predictions(f"m{k:02}", 0.02 + 0.09 * k)]
    found = compare(models)
    assert len(found.pairs) == 55
    far = [pair for pair in found.pairs if abs(pair.difference) > 0.35]
    assert len(far) > 20
    assert max(pair.p_holm for pair in far) < 0.01
    assert all(pair.verdict == f"{pair.a} nearer to people" for pair in far)
    assert all(pair.p_holm >= pair.p for pair in found.pairs)
    assert list(found.ranks["ns", "nld"]) == [f"m{k:02}" for k in range(11)]
    assert sum(place.tied_with_best for place in found.ranks["ns", "nld"].values()) <= 2


def test_models_whose_files_name_settings_differently_meet_and_it_is_said():
    a, b = predictions("a", 0.2, setting="ns"), predictions("b", 0.6, setting="new sentences")
    found = compare([*a, *b])
    (pair,) = found.pairs
    (alike,) = compare([*a, *(replace(p, setting="ns") for p in b)]).pairs
    assert (pair.difference, pair.ci95, pair.n) == (alike.difference, alike.ci95, 80)
    assert pair.setting == WHOLE
    assert found.notes == [
        "no setting is common to all models (a: ns (80); b: new sentences (80)): paired by reader and "
        "sentence alone"
    ]


def test_a_model_that_lacks_a_setting_is_named():
    both = [*predictions("a", 0.2), *predictions("a", 0.2, "nr"), *predictions("b", 0.6)]
    found = compare(both)
    assert [pair.setting for pair in found.pairs] == ["ns"]
    line = "b has no prediction in setting 'nr', where others have, and is left out there"
    assert found.notes == [line]
    assert with_common_settings(both, ["a", "b"]) == (both, [line])


def test_three_models_with_settings_of_their_own_are_all_compared():
    parts = [
        predictions(m, w, setting) for m, w, setting in (("a", 0.1, "x"), ("b", 0.4, "y"), ("c", 0.7, "x"))
    ]
    found = compare([p for part in parts for p in part])
    assert [(pair.a, pair.b, pair.n) for pair in found.pairs] == [
        (a, b, 80) for a, b in combinations("abc", 2)
    ]


def test_nothing_shared_is_an_error():
    a, b = predictions("a", 0.2, readers=3), [p for p in predictions("b", 0.5) if p.reader_id > "r3"]
    with pytest.raises(ScandlError, match="^no setting has two of the models a, b on shared items$"):
        compare([*a, *b])
    with pytest.raises(ScandlError, match="^a comparison needs two models, found a$"):
        compare(a)
    with pytest.raises(ScandlError, match="^no model 'z' in the predictions"):
        compare([*a, *b], models=["a", "z"])


def test_only_named_models_are_compared():
    three = [p for m, w in (("a", 0.1), ("b", 0.4), ("c", 0.7)) for p in predictions(m, w)]
    (pair,) = compare(three, models=["c", "a"]).pairs
    assert (pair.a, pair.b) == ("c", "a")
    assert pair.verdict == "a nearer to people"


def test_a_metric_without_paired_differences_is_refused():
    with pytest.raises(ScandlError, match="classifier-auc has no paired differences; 'scandl-eval score'"):
        compare(predictions("a", 0.1), predictions("b", 0.4), metrics=["nld", "classifier-auc"])


def test_the_printed_table_has_ranks_where_there_are_three():
    three = [p for m, w in (("a", 0.1), ("b", 0.4), ("c", 0.7)) for p in predictions(m, w)]
    lines = comparison_lines(compare(three))
    assert lines[0].startswith("A | B | setting | metric | A mean | B mean | A − B")
    assert "ranks in ns by nld" in lines
    assert not any(line.startswith("ranks") for line in comparison_lines(compare(three, models=["a", "b"])))


@pytest.mark.parametrize(
    ("metric", "mean_a", "mean_b", "verdict"),
    [
        ("nld", 0.5, 0.6, "a nearer to people"),
        ("scanmatch", 0.5, 0.6, "b nearer to people"),
        ("diversity", 0.5, 0.6, "b nearer to people"),
        ("diversity", 1.5, 1.6, "a nearer to people"),
        ("diversity", 0.8, 1.1, "on either side of 1"),
    ],
)
def test_nearer_to_people_is_nearer_to_what_is_best(metric, mean_a, mean_b, verdict):
    pair = Pair(
        setting="all",
        metric=metric,
        a="a",
        b="b",
        n=9,
        n_only_a=0,
        n_only_b=0,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=mean_a - mean_b,
        ci95=(mean_a - mean_b - 0.01, mean_a - mean_b + 0.01),
        p=0.001,
        p_holm=0.001,
    )
    assert pair.verdict == verdict
