"""What a reader knows after half a minute."""

from __future__ import annotations

from dataclasses import replace

from scandl.corpora.corpus import Card
from scandl_eval.leaderboard.board_rows import BoardRow, Leaderboard
from scandl_eval.reporting.headline import headline

PEOPLE = Card(name="c")


def row(model: str, metric: str, mean: float, **more) -> BoardRow:
    given = {"setting": "ns", "kind": "model", "n": 9, **more}
    return BoardRow(model=model, metric=metric, mean=mean, **given)


HALVES = row("Human", "energy", 0.001, kind="human", ci95=(-0.004, 0.008))
ROWS = (
    row("a", "energy", 0.005, tied_with_best=True, p_permutation=0.4),
    row("b", "energy", 0.2, tied_with_best=False, p_permutation=0.001),
    row("left-to-right", "nld", 0.5, tied_with_best=True, human_minus_model_ci95=(0.01, 0.1)),
    row("a", "nld", 0.6, tied_with_best=False),
    HALVES,
)


def said(*rows: BoardRow, card: Card = PEOPLE, n_readers: int = 30) -> dict[str, str]:
    board = Leaderboard(list(rows), {}, {}, [])
    return {finding.about: finding.text for finding in headline(board, [card], n_readers)}


def test_one_setting_in_four_sentences():
    text = said(*ROWS)
    assert text == {
        "Nearest to the readers": "a (energy distance 0.005), separably ahead of every other model.",
        "How far from the readers": "Two halves of the readers are up to 0.008 apart (upper end of 95 %); the best "
        "model lies within that.",
        "Better than left to right?": "No: by NLD no model is separably nearer than fixating every word once, in "
        "order, which is even nearer to each reader than the readers are to each other: a low NLD proves nothing "
        "here.",
        "What to distrust": "NLD, which puts left-to-right first: it rewards one central path; trust the energy "
        "distance.",
    }
    assert all(sentence.count(". ") == 0 for sentence in text.values())


def test_settings_that_agree_are_told_together_and_others_named():
    other = [replace(each, setting="nr") for each in ROWS]
    assert said(*ROWS, *other)["Nearest to the readers"] == (
        "a in every setting (energy distance 0.005), separably ahead of every other model."
    )
    swapped = [replace(each, model={"a": "b", "b": "a"}.get(each.model, each.model), mean=each.mean + 0.01,
                       p_permutation=0.01) for each in other]  # fmt: skip
    text = said(*ROWS, *swapped)
    assert text["Nearest to the readers"] == (
        "a in New Sentence (energy distance 0.005); b in New Reader (energy distance 0.015), separably ahead of every "
        "other model."
    )
    assert text["How far from the readers"] == (
        "Two halves of the readers are up to 0.008 apart (upper end of 95 %); the best model lies within that in New "
        "Sentence and further away elsewhere; a permutation test tells its paths from theirs in New Reader."
    )


def test_who_is_not_separable_is_named_and_too_little_data_said():
    tied = replace(ROWS[1], tied_with_best=True)
    assert said(ROWS[0], tied)["Nearest to the readers"].endswith("; not separable from the best: b.")
    unknown = replace(ROWS[1], tied_with_best=None)
    assert "too little data" in said(ROWS[0], unknown)["Nearest to the readers"]
    assert said(ROWS[0])["Nearest to the readers"] == "a (energy distance 0.005), the only model."
    assert said(ROWS[0])["Better than left to right?"].startswith("Not known: ")


def test_a_model_better_than_left_to_right_is_named():
    better = (
        row("a", "nld", 0.4, tied_with_best=True),
        row("left-to-right", "nld", 0.5, tied_with_best=False),
    )
    assert said(*better)["Better than left to right?"] == "Yes, by NLD: a."


def test_simulated_readers_and_few_readers_are_what_to_distrust():
    simulated = said(*ROWS, card=Card(name="demo", kind="simulated"))["What to distrust"]
    assert simulated.startswith("The readers of demo are simulated: nothing here is about people")
    assert said(*ROWS, n_readers=6)["What to distrust"].startswith("There are only 6 readers")
    agreed = (row("a", "nld", 0.4, tied_with_best=True), ROWS[0])
    assert said(*agreed)["What to distrust"].startswith("One corpus: ")
