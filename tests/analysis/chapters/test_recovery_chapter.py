"""The verdict on recovery, sentence by sentence: what is tested, against what, and what is left out."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from scandl_analysis.chapters.recovery_chapter import recovery_block, recovery_verdict


def row(model: str, cells: int = 12, same_sign: int = 9, size: float = 0.2, **other: Any) -> dict[str, Any]:
    numbers = {
        "mean_abs": size - 0.01,
        "rmse": size,
        "mean_abs_posterior": size,
        "mean_abs_low": size - 0.05,
        "mean_abs_high": size + 0.05,
    }
    none = dict.fromkeys(("minus_nearest", "minus_nearest_low", "minus_nearest_high"))
    return {
        "setting": "nrns",
        "model": model,
        "cells": cells,
        "same_sign": same_sign,
        **numbers,
        **none,
    } | other


def less(mean: float, low: float, high: float) -> dict[str, float]:
    return {"minus_nearest": mean, "minus_nearest_low": low, "minus_nearest_high": high}


BEST = row("best", **less(0.0, 0.0, 0.0))
TIED = row("tied", size=0.22, **less(0.02, -0.01, 0.05))
BEATEN = row("beaten", size=0.4, **less(0.2, 0.1, 0.3))
NOTHING = row("no effects", same_sign=0, size=0.3, **less(0.1, 0.05, 0.15))
NUMBERS = "(9 of 12 effects have the same sign; mean absolute difference 0.200 [0.150, 0.250])"


def told(*rows: dict[str, Any], n_human: int = 12, quick: bool = False) -> str:
    return " ".join(recovery_verdict(pd.DataFrame(list(rows)), n_human, quick=quick))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            [BEST, TIED, BEATEN],
            f"best comes nearest to the effects of the readers {NUMBERS}; not separable from it: tied.",
        ),
        (
            [BEATEN, BEST],
            f"best comes nearest to the effects of the readers {NUMBERS}, separably nearer than the other model.",
        ),
        ([BEST], f"best is the only model {NUMBERS}."),
    ],
)
def test_who_is_nearest_and_who_cannot_be_told_from_it(rows: list[dict[str, Any]], said: str) -> None:
    assert told(*rows) == said


@pytest.mark.parametrize(
    ("interval", "said"),
    [
        ((0.05, 0.15), "best is separably nearer than that."),
        ((-0.02, 0.15), "best is not separably nearer than that."),
        ((-0.2, -0.1), "best is separably further away than that."),
    ],
)
def test_the_nearest_is_held_against_a_reader_without_effects(
    interval: tuple[float, float], said: str
) -> None:
    nothing = NOTHING | dict(zip(("minus_nearest_low", "minus_nearest_high"), interval, strict=True))
    assert told(BEST, nothing).endswith(f" A reader without any effect is 0.300 [0.250, 0.350] away: {said}")


def test_effects_are_counted_against_the_human_ones() -> None:
    nine = row("best", cells=9, same_sign=4, **less(0.0, 0.0, 0.0))
    text = told(nine, row("few", cells=3), row("straight", cells=0), NOTHING)
    assert text.startswith(
        "best is the only model with 9 effects that can be estimated (4 of 12 effects have the same sign, 3 cannot be "
        "estimated; mean absolute difference"
    )
    assert "best on the 9 effects it has is separably nearer than that." in text
    assert text.endswith(
        "Of the 12 effects of the readers fewer can be estimated for few (3), left out of this. For straight none "
        "of the 12 effects of the readers can be estimated."
    )


@pytest.mark.parametrize(
    ("quick", "why"),
    [
        (True, "quick looks have no posterior draws"),
        (False, "the table is of an earlier version, which made no test"),
    ],
)
def test_what_is_not_tested_is_said(quick: bool, why: str) -> None:
    text = told(row("a", size=0.3), row("b"), row("no effects", size=0.4), quick=quick)
    assert text == (
        f"b comes nearest to the effects of the readers in the mean {NUMBERS}, which is not tested: {why}. A reader without any "
        "effect is 0.400 [0.350, 0.450] away; that b is nearer is not tested."
    )


def test_a_table_of_an_earlier_version_is_read() -> None:
    old = pd.DataFrame([row("a"), row("b", size=0.3)]).drop(
        columns=["mean_abs_posterior", "minus_nearest", "minus_nearest_low", "minus_nearest_high"]
    )
    assert recovery_verdict(old, 12)[0].startswith(
        "a comes nearest to the effects of the readers in the mean (9 of 12 effects have the same sign; mean absolute difference "
        "0.190 [0.150, 0.250]), which is not tested"
    )
    (table,) = recovery_block(old, [], "t")
    assert [column.name for column in table.columns] == [
        "model",
        "same sign",
        "effects",
        "95 %",
        "of the means",
        "RMSE",
    ]


def test_without_a_model_there_is_nothing_to_compare() -> None:
    assert (
        told(row("m", cells=0))
        == "There is no model whose effects could be compared with those of the readers."
    )
