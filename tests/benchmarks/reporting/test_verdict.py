"""What the first lines of a report say of a leaderboard."""

from __future__ import annotations

from dataclasses import replace

from scandl.corpora.corpus import Card
from scandl_eval.leaderboard.leaderboard import Leaderboard
from scandl_eval.reporting.verdict import data_findings, findings, headline
from scandl_eval.scoring.rows import Row


def row(model: str, metric: str, mean: float, **more) -> Row:
    given = {"setting": "ns", "kind": "model", "n": 9, **more}
    return Row(model=model, metric=metric, mean=mean, **given)


def board(*rows: Row) -> Leaderboard:
    return Leaderboard(list(rows), {}, {}, [])


def said(*rows: Row) -> dict[str, str]:
    return {finding.about: finding.text for finding in findings(board(*rows), "ns")}


def test_verdict_names_who_cannot_be_told_apart():
    human = row("Human", "nld", 0.6, kind="human")
    nearer = {"mean_matched": 0.55, "human_minus_model": 0.05, "human_minus_model_ci95": (0.01, 0.09)}
    rows = [
        row("scandl", "nld", 0.5, tied_with_best=True),
        row("swift", "nld", 0.51, tied_with_best=True),
        row("left-to-right", "nld", 0.55, tied_with_best=False, **nearer),
        row("scandl", "energy", 0.1, tied_with_best=True, p_permutation=0.01),
        row("swift", "energy", 0.2, tied_with_best=False, p_permutation=0.3),
    ]
    text = said(*rows, human)
    assert text["Best by NLD"] == "scandl; not distinguished from it: swift (0.500)."
    assert text["Left-to-right reader"] == (
        "scandl is clearly better than fixating every word once, in order, and a reader who does so is clearly nearer to "
        "the readers than they are to each other: a low NLD is no evidence of reading like them (0.550, readers among "
        "themselves 0.600)."
    )
    assert text["Best by energy distance"] == "scandl, clearly better than the other model (0.100)."
    passing = "A permutation test does not tell these from the readers: swift"
    assert text["Passing for a reader"] == f"{passing} (swift p = 0.300)."
    assert "Which to trust" not in text
    auc = row("swift", "classifier-auc", 0.561, ci95=(0.501, 0.621))
    assert said(*rows, human, auc)["Passing for a reader"] == (
        f"{passing}; a classifier does tell swift from them (swift p = 0.300, AUC of swift 0.561 [0.501, 0.621])."
    )
    assert (
        said(*rows, human, replace(auc, ci95=(0.49, 0.6)))["Passing for a reader"]
        == text["Passing for a reader"]
    )


def test_nothing_is_said_of_left_to_right_that_was_not_tested():
    def told(*rows):
        return said(*rows)["Left-to-right reader"]

    simple, model = row("left-to-right", "nld", 0.5), row("m", "nld", 0.6)
    human = row("Human", "nld", 0.55, kind="human", n=4)
    assert told(simple) == "There is no other model to compare it with (0.500)."
    little = (
        "There is too little data to say whether any model is better than fixating every word once, in order"
    )
    assert told(simple, model) == f"{little} (0.500)."
    tied = replace(simple, tied_with_best=True)
    none = "No model is clearly better than fixating every word once, in order"
    assert told(tied, model) == f"{none} (0.500)."
    # Readers met only on some items: the comparison is on those, and needs an interval.
    far = replace(tied, mean_matched=0.58, human_minus_model=-0.03, human_minus_model_ci95=(-0.1, 0.04))
    value = "(0.580, readers among themselves 0.550, on the 4 items that several of them read)"
    assert told(far, model, human) == f"{none} {value}."


def test_verdict_without_tests_or_the_simple_reader():
    text = said(row("a", "nld", 0.5), row("b", "nld", 0.6))
    assert (
        text["Best by NLD"]
        == "a, but there is too little data to say who can be distinguished from it (0.500)."
    )
    assert text["Left-to-right reader"] == "It was not run, so whether it already does as well is not known."
    assert set(text) == {"Best by NLD", "Left-to-right reader"}


def test_what_to_trust_is_said_where_the_metrics_disagree():
    rows = [row("left-to-right", "nld", 0.5, tied_with_best=True), row("m", "nld", 0.7, tied_with_best=False)]
    rows += [
        row("left-to-right", "energy", 0.5, tied_with_best=False),
        row("m", "energy", 0.1, tied_with_best=True),
    ]
    text = said(*rows, *(replace(each, setting="nr", mean=each.mean + 0.01) for each in rows))
    assert text["Best by NLD"] == "left-to-right, clearly better than the other model (0.500)."
    assert text["Which to trust"].startswith(
        "NLD puts left-to-right first, the energy distance m: NLD rewards"
    )


def test_a_distance_below_zero_is_explained():
    rows = [row("m", "energy", -0.02, ci95=(-0.03, -0.01)), row("n", "energy", 0.0, ci95=(-0.01, 0.01))]
    assert said(*rows)["Energy distance below 0"].startswith(
        "The interval of the energy distance of m lies wholly below 0: the paths are nearer to those of other"
    )
    assert "Energy distance below 0" not in said(rows[1])


HUMAN = Card(name="celer", kind="human", notes="read by people")
SIMULATED = Card(name="demo", kind="simulated", notes="made by simplified SWIFT")


def test_people_are_not_mentioned_and_simulations_are_quoted_once() -> None:
    assert data_findings([HUMAN]) == []
    (finding,) = data_findings([HUMAN, SIMULATED, SIMULATED])
    assert finding.text.startswith("The readers of demo are simulated: ")
    assert finding.text.endswith("From the card of the corpus: “made by simplified SWIFT”")


def test_a_card_that_does_not_name_the_model() -> None:
    (finding,) = data_findings([Card(name="x", kind="simulated")])
    assert finding.text.endswith("The card of the corpus does not say which model that is.")


PEOPLE = Card(name="c")


HALVES = row("Human", "energy", 0.001, kind="human", ci95=(-0.004, 0.008))
ROWS = (
    row("a", "energy", 0.005, tied_with_best=True, p_permutation=0.4),
    row("b", "energy", 0.2, tied_with_best=False, p_permutation=0.001),
    row("left-to-right", "nld", 0.5, tied_with_best=True, human_minus_model_ci95=(0.01, 0.1)),
    row("a", "nld", 0.6, tied_with_best=False),
    HALVES,
)


def said_headline(*rows: Row, card: Card = PEOPLE, n_readers: int = 30) -> dict[str, str]:
    board = Leaderboard(list(rows), {}, {}, [])
    return {finding.about: finding.text for finding in headline(board, [card], n_readers)}


def test_one_setting_in_four_sentences():
    text = said_headline(*ROWS)
    assert text == {
        "Nearest to the readers": "a (energy distance 0.005), clearly ahead of every other model.",
        "How far from the readers": "Two halves of the readers are up to 0.008 apart (upper end of 95 %); the best "
        "model lies within that.",
        "Better than left to right?": "No: by NLD no model is clearly nearer than fixating every word once, in "
        "order, which is even nearer to each reader than the readers are to each other: a low NLD proves nothing "
        "here.",
        "What to distrust": "NLD, which puts left-to-right first: it rewards one central path; trust the energy "
        "distance.",
    }
    assert all(sentence.count(". ") == 0 for sentence in text.values())


def test_settings_that_agree_are_told_together_and_others_named():
    other = [replace(each, setting="nr") for each in ROWS]
    assert said_headline(*ROWS, *other)["Nearest to the readers"] == (
        "a in every setting (energy distance 0.005), clearly ahead of every other model."
    )
    swapped = [
        replace(
            each,
            model={"a": "b", "b": "a"}.get(each.model, each.model),
            mean=each.mean + 0.01,
            p_permutation=0.01,
        )
        for each in other
    ]
    text = said_headline(*ROWS, *swapped)
    assert text["Nearest to the readers"] == (
        "a in New Sentence (energy distance 0.005); b in New Reader (energy distance 0.015), clearly ahead of every "
        "other model."
    )
    assert text["How far from the readers"] == (
        "Two halves of the readers are up to 0.008 apart (upper end of 95 %); the best model lies within that in New "
        "Sentence and further away elsewhere; a permutation test tells its paths from theirs in New Reader."
    )


def test_who_is_not_separable_is_named_and_too_little_data_said():
    tied = replace(ROWS[1], tied_with_best=True)
    assert said_headline(ROWS[0], tied)["Nearest to the readers"].endswith(
        "; not distinguished from the best: b."
    )
    unknown = replace(ROWS[1], tied_with_best=None)
    assert "too little data" in said_headline(ROWS[0], unknown)["Nearest to the readers"]
    assert said_headline(ROWS[0])["Nearest to the readers"] == "a (energy distance 0.005), the only model."
    assert said_headline(ROWS[0])["Better than left to right?"].startswith("Not known: ")


def test_a_model_better_than_left_to_right_is_named():
    better = (
        row("a", "nld", 0.4, tied_with_best=True),
        row("left-to-right", "nld", 0.5, tied_with_best=False),
    )
    assert said_headline(*better)["Better than left to right?"] == "Yes, by NLD: a."


def test_simulated_readers_and_few_readers_are_what_to_distrust():
    simulated = said_headline(*ROWS, card=Card(name="demo", kind="simulated"))["What to distrust"]
    assert simulated.startswith("The readers of demo are simulated: nothing here is about people")
    assert said_headline(*ROWS, n_readers=6)["What to distrust"].startswith("There are only 6 readers")
    agreed = (row("a", "nld", 0.4, tied_with_best=True), ROWS[0])
    assert said_headline(*agreed)["What to distrust"].startswith("One corpus: ")
