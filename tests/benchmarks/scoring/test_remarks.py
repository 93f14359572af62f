from __future__ import annotations

import numpy as np
import pytest

from scandl.corpora import Card, Corpus
from scandl.pairing import UNNAMED, pair
from scandl.records import Prediction, Scanpath, Sentence
from scandl_eval.references.human_ceilings import human_ceiling
from scandl_eval.score_table import column_of
from scandl_eval.scoring import remarks
from scandl_eval.scoring.estimates import Difference
from scandl_eval.scoring.evaluation import evaluate
from scandl_eval.scoring.rows import Row
from scandl_eval.scoring.scoring_spec import Spec


@pytest.fixture
def corpus():
    sentences = {s: Sentence(s, "one two") for s in ("s1", "s2")}
    return Corpus(Card(name="toy"), sentences, tuple(Scanpath(r, s, (0,)) for r in "ab" for s in sentences))


def row(metric="nld", model="m", **given):
    return Row(
        **{"setting": "ns", "n": 4, "mean": 0.5, "se_folds": None, "ci95": None} | given,
        metric=metric,
        model=model,
    )


def test_the_reference_readers_are_always_named(corpus):
    predictions = [Prediction("s1", (0,), reader_id="a")]
    pairing = pair(predictions, corpus)
    for reference, said in (
        ("tested", "models are compared with the readers of the items that were predicted"),
        ("all", "models are compared with all readers of the corpus who read a predicted sentence"),
    ):
        assert said in remarks.input_notes(Spec(reference=reference), pairing, predictions, corpus)


def test_empty_predictions_name_their_models():
    given = [Prediction("s1", (), human=(0,), reader_id=r, model=m) for m in "xy" for r in "ab"]
    given.append(Prediction("s1", (0,), human=(0,), reader_id="a", model="z"))
    (told,) = remarks.input_warnings(Spec(), pair(given), given, None)
    assert told.startswith("4 empty predictions of x, y count as NLD 1: sentence 's1' of reader 'a', ")


def test_models_on_different_items_are_no_contest():
    columns = {
        m: column_of([("0", "a", f"s{s}") for s in range(n)], np.zeros(n)) for m, n in (("x", 4), ("y", 3))
    }
    assert remarks.item_notes("ns", columns) == [
        "models of setting 'ns' were scored on different items; they share 3, on which `scandl-eval compare` "
        "compares them"
    ]
    assert remarks.item_notes("ns", {"x": columns["x"]}) == []
    without = column_of([], np.zeros(0), n_undefined=4)
    assert remarks.item_notes("ns", {"x": columns["x"], "timeless": without}) == []
    assert remarks.item_notes("ns", {"timeless": without}) == []


def test_the_ceiling_says_what_it_is():
    humans = {"s": [Scanpath(r, "s", (0,)) for r in "ab"], "t": [Scanpath("a", "t", (0,))]}
    assert remarks.ceiling_note(human_ceiling(humans)) == (
        "Human (all-pairs): mean distance to all other readers, 2.0 readers per sentence; 1 sentences with too "
        "few readers left out"
    )
    unnamed = {"s": [Scanpath(f"{UNNAMED}{k}", "s", (k,)) for k in range(2)]}
    assert remarks.ceiling_note(human_ceiling(unnamed)).endswith("; each row is taken for another reader")
    assert remarks.ceiling_note(None).startswith(
        "no Human row and no energy distance: no reader is named, and"
    )


def test_energy_says_over_how_many_sentences_and_what_the_readers_row_is():
    rows = [row("energy", "x", n=4), row("energy", "y", n=9), row("energy", "Human", kind="human", n=2)]
    (note,) = remarks.energy_notes(rows, ["energy"])
    assert "pairs of different readers" in note
    assert "over 4 to 9 sentences; Human: one random half of the readers against the other" in note
    assert remarks.energy_notes([row()], ["nld"]) == []
    assert remarks.energy_notes([], ["energy"]) == [
        "no energy distance: no sentence has two human and two generated scanpaths"
    ]


def test_an_energy_interval_below_zero_is_explained():
    rows = [
        row("energy", "x", mean=-0.02, ci95=(-0.03, -0.01)),
        row("energy", "y", mean=0.0, ci95=(-0.01, 0.01)),
    ]
    _, told = remarks.energy_notes(rows, ["energy"])
    assert told == (
        "the interval of the energy distance of x lies wholly below 0: the paths are nearer to those of other "
        "readers than readers are to each other. By chance that happens to one model in forty that reads as "
        "people do; otherwise look for copies of the readers it is tested on"
    )
    assert len(remarks.energy_notes(rows[1:], ["energy"])) == 1


def test_copies_of_the_tested_readers_are_what_the_explanation_says():
    """A model that hands each reader's path to the next one is nearer to readers than they are."""
    rng = np.random.default_rng(1)
    paths = {(r, s): tuple(rng.integers(0, 9, 8).tolist()) for r in range(8) for s in range(12)}
    copied = [
        Prediction(f"s{s}", paths[(r + 1) % 8, s], human=paths[r, s], reader_id=f"r{r}", model="copies")
        for r, s in paths
    ]
    found = evaluate(copied, metrics=["nld", "energy"])
    (energy,) = (row for row in found.rows if row.metric == "energy" and row.model == "copies")
    assert energy.ci95[1] < 0
    assert any(note.startswith("the interval of the energy distance of copies lies") for note in found.notes)


def test_intervals_say_over_what_they_hold():
    rows = [row(resampled="readers × sentences"), row("energy", resampled="splits of the readers")]
    assert remarks.interval_note(rows) == (
        "95 % interval: for other readers × sentences, by two-way clustered standard errors and t"
    )
    assert remarks.interval_note([row()]) == "no interval: one reader and one sentence do not vary"


@pytest.mark.parametrize(
    ("difference", "ci95", "said"),
    [
        (-0.1, (-0.2, -0.05), "is better than"),
        (0.1, (-0.1, 0.3), "is not worse than"),
        (0.1, (0.05, 0.2), None),
        (-0.1, None, "is not worse than"),
        (0.1, None, None),
    ],
)
def test_left_to_right_warns_where_a_model_is_not_better(difference, ci95, said):
    gap = Difference(n=4, mean_a=0.5, mean_b=0.5, difference=difference, ci95=ci95, p=None)
    warning = remarks.left_to_right_warning("m", "ns", {"nld": gap})
    if said is None:
        assert warning is None
    else:
        assert f"left-to-right, which reads every word once, {said} m (ns): nld {difference:+.4f}" in warning


def test_items_are_named_up_to_five():
    many = [Prediction(f"s{k}", (), reader_id="a" if k else None) for k in range(7)]
    assert remarks.named(many) == (
        "sentence 's0', sentence 's1' of reader 'a', sentence 's2' of reader 'a', sentence 's3' of reader 'a', "
        "sentence 's4' of reader 'a' and 2 more"
    )


def test_paths_without_durations_are_named_where_metrics_need_them():
    timed = Prediction("s1", (0,), human=(0,), reader_id="r1", durations=(200.0,))
    pairing = pair([timed, Prediction("s2", (0,), human=(0,), reader_id="r1")])
    found = remarks.duration_notes(pairing, ["nld", "energy-time"])
    assert found == [
        "1 of 2 predictions of model have no durations and are left out of metrics of time: sentence 's2' of "
        "reader 'r1'",
        "2 of 2 human scanpaths have no durations and are left out of metrics of time: sentence 's1' of reader "
        "'r1', sentence 's2' of reader 'r1'",
    ]
    assert remarks.duration_notes(pairing, ["scasim"]) == found
    assert remarks.duration_notes(pairing, ["nld", "multimatch-shape"]) == []


def test_models_without_a_value_in_time_are_named():
    lacking = [
        row("energy-time", mean=None),
        row("duration-sd-ratio", mean=None),
        row("energy-time", "other"),
    ]
    assert remarks.timed_notes(lacking) == [
        "no energy-time of m: no sentence has two human and two generated scanpaths with durations",
        "no duration-sd-ratio of m: too few human or generated fixations have durations",
    ]
