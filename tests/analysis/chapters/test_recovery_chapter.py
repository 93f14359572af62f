"""The verdict on models, sentence by sentence, in the situations there are; and the tables below it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from scandl_analysis.chapters.recovery_chapter import (
    MOST_WORDS,
    group_block,
    readers_verdict,
    recovery_verdict,
    slope_block,
    verdict_blocks,
)
from scandl_analysis.effects.reader_effects import OBSERVED, OUTCOME
from scandl_analysis.effects.recovery import NO_EFFECTS, RecoverySummary, recovery_table
from scandl_reports.document import Figure, Table

COUNTS = ("equivalent", "too_weak", "too_strong", "wrong_sign", "undecided")
NONE_INTERVALS = {
    "nearer": {"minus_none": -0.8, "minus_none_low": -1.0, "minus_none_high": -0.5},
    "like none": {"minus_none": 0.0, "minus_none_low": -0.2, "minus_none_high": 0.2},
    "further": {"minus_none": 0.6, "minus_none_low": 0.3, "minus_none_high": 0.9},
}


def model(name: str, beside_none: str, gap: tuple[float, float, float], **counts: int) -> RecoverySummary:
    low, value, high = gap
    values = {"minus_nearest": value, "minus_nearest_low": low, "minus_nearest_high": high}
    far: dict[str, Any] = {"distance": 0.4 + value, "distance_low": 0.1, "distance_high": 0.9}
    return RecoverySummary("nrns", name, 9, **values, **far, **NONE_INTERVALS[beside_none], **counts)


NOTHING = RecoverySummary(
    "nrns", NO_EFFECTS, 9, too_weak=9, distance=1.0, distance_low=0.8, distance_high=1.2
)
BEST, TIED, BEATEN = (0.0, 0.0, 0.0), (-0.1, 0.05, 0.2), (0.1, 0.3, 0.5)


def said(*rows: RecoverySummary, who: str = "people") -> str:
    return recovery_verdict(recovery_table([*rows, NOTHING]), who)


@pytest.mark.parametrize(
    ("rows", "first", "second"),
    [
        (
            [model("a", "further", BEST), model("b", "further", BEATEN)],
            "No model shows the word effects of people: each is further from them than a reader without any effect.",
            "a is the nearest.",
        ),
        (
            [model("a", "like none", BEST), model("b", "further", TIED)],
            "No model can be shown to be nearer to the word effects of people than a reader without any effect.",
            "The models cannot be told apart.",
        ),
        (
            [model("a", "nearer", BEST), model("b", "like none", BEATEN), model("c", "further", BEATEN)],
            "1 of 3 models is nearer to the word effects of people than a reader without any effect: a.",
            "a is the nearest.",
        ),
        (
            [model("a", "nearer", BEST), model("b", "nearer", TIED), model("c", "further", BEATEN)],
            "2 of 3 models are nearer to the word effects of people than a reader without any effect: a and b.",
            "The nearest are a and b, which cannot be told apart.",
        ),
        (
            [model("a", "further", BEST)],
            "a does not show the word effects of people: it is further from them than a reader without any effect.",
            "Of the 9 effects that people show, a has .",
        ),
    ],
)
def test_the_first_sentence_is_true_of_all_models(
    rows: list[RecoverySummary], first: str, second: str
) -> None:
    text = said(*rows)
    assert text.startswith(f"{first} {second.split(' has ')[0]}")
    assert len(text.split()) <= MOST_WORDS


def test_what_the_nearest_shows_is_counted() -> None:
    text = said(model("a", "nearer", BEST, equivalent=4, too_weak=2, wrong_sign=1, undecided=2))
    assert text == (
        "a shows word effects of people: it is nearer to them than a reader without any effect. Of the 9 effects "
        "that people show, a has 4 equivalent, 2 too weak, 1 of the wrong sign and 2 undecided."
    )


def test_the_model_called_people_is_not_taken_for_people() -> None:
    text = said(model("people", "nearer", BEST), model("b", "nearer", BEATEN))
    assert text.endswith(
        "The model people is the nearest. Of the 9 effects that people show, the model people has ."
    )


def test_simulated_readers_are_called_so() -> None:
    text = said(model("a", "further", BEST), model("b", "further", BEATEN), who="the simulated readers")
    assert text.startswith("No model shows the word effects of the simulated readers: each is further")
    assert "people" not in text
    assert "human" not in text


def test_many_long_names_stay_within_sixty_words() -> None:
    rows = [model(f"model number {k}", "nearer", TIED if k else BEST, undecided=9) for k in range(20)]
    text = said(*rows, model("none", "like none", BEATEN))
    assert text.startswith("20 of 21 models are nearer")
    assert "and 16 more" in text
    assert len(text.split()) <= MOST_WORDS


def test_readers_alone() -> None:
    rows = [("sr", "word_length", -1.0, -1.1, -0.9), ("tfc", "frequency", -0.2, -0.3, -0.1)]
    frame = pd.DataFrame(rows, columns=["measure", "predictor", "marginal", "marginal_low", "marginal_high"])
    assert readers_verdict(frame, "the simulated readers") == (
        "The simulated readers show 2 of 2 effects: skipping falls with length and all fixations fall with frequency."
    )
    assert readers_verdict(frame[:0], "people") == "People show 0 of 0 effects of words on reading."


def test_without_a_comparison_nothing_is_claimed() -> None:
    text = recovery_verdict(recovery_table([RecoverySummary("nrns", "m")]), "people")
    assert text == "No model has effects that could be compared with those of people."


def test_the_table_says_how_many_verdicts_there_were() -> None:
    rows = [model("a", "nearer", BEST, equivalent=4, undecided=5), model("b", "further", BEATEN, too_weak=9)]
    (table,) = verdict_blocks(pd.DataFrame(), recovery_table([*rows, NOTHING]), "Verdicts: nrns", "50 %")
    assert [row[:7] for row in table.rows] == [
        ("a", 9, 4, 0, 0, 0, 5),
        ("b", 9, 0, 9, 0, 0, 0),
        (NO_EFFECTS, 9, 0, 9, 0, 0, 0),
    ]
    assert "Margin: 50 %. 13 verdicts of 2 models" in table.note


def test_what_is_said_of_all_models_stands_below_the_table_once() -> None:
    rows = [
        replace(model("a", "nearer", BEST, equivalent=4), note="thin; far"),
        model("b", "further", BEATEN),
    ]
    noted = [rows[0], replace(rows[1], note="far"), replace(NOTHING, note="far")]
    (table,) = verdict_blocks(pd.DataFrame(), recovery_table(noted), "Verdicts: nrns", "50 %")
    assert [row[-1] for row in table.rows] == ["thin", None, None]
    assert table.note.endswith(" Far.")


def test_published_slopes_stand_beside_ours_only_where_there_are_any() -> None:
    ours = recovery_table([RecoverySummary("nrns", "m", cells=12, same_sign=9, mean_abs=0.2, rmse=0.3)])
    assert slope_block(ours, [], "t") == []
    theirs = RecoverySummary("", "swift", cells=12, same_sign=7, mean_abs=0.21, rmse=0.29)
    (table,) = slope_block(ours, [theirs], "t")
    assert table.rows == (("m", 12, 9, 0.2, 0.3), ("swift, published (CELER)", 12, 7, 0.21, 0.29))


def test_groups_have_a_figure_of_means_and_a_table_of_effects() -> None:
    rows = [
        ("easy", OUTCOME, 250.0, 240.0, 260.0),
        ("hard", OUTCOME, 280.0, 265.0, 295.0),
        ("hard − easy", OUTCOME, 30.0, 12.0, 48.0),
        ("easy", OBSERVED, 251.0, None, None),
        ("hard", OBSERVED, 279.0, None, None),
    ]
    columns = ["level", "predictor", "marginal", "marginal_low", "marginal_high"]
    groups = pd.DataFrame(rows, columns=columns).assign(by="condition", measure="FPRT", unit="ms", note="")
    groups = groups.assign(mean=None, ci_low=None, ci_high=None, rhat=None)
    figure, table = group_block(groups, "mine")
    assert isinstance(figure, Figure)
    said = {cell for row in figure.data.rows for cell in row}
    assert {"easy, data", "hard", 251.0} <= said
    assert isinstance(table, Table)
    assert [row[3] for row in table.rows] == [
        "250.0 [240.0, 260.0]",
        "280.0 [265.0, 295.0]",
        "30.0 [12.0, 48.0]",
    ]
