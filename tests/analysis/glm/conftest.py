"""Words read by readers who follow the model, so that the truth is known; and words of real corpora."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus
from scandl_analysis.glm.spec import Fit
from scandl_analysis.words.analysed_run import Reading
from scandl_analysis.words.word_table import word_rows

PREDICTORS = ("word_length", "frequency", "surprisal")


@pytest.fixture
def standardised() -> Callable[..., pd.DataFrame]:
    """Return the function that reads measures and standardised predictors from a corpus."""
    return standardised_words


def standardised_words(
    corpus: Corpus,
    readings: list[Reading],
    variant: str,
    columns: tuple[str, ...],
    times: tuple[str, ...] = (),
) -> pd.DataFrame:
    """Return the measures with standardised predictors of the corpus's own words.csv."""
    frame = word_rows(readings, variant=variant, times=times)
    place = list(zip(frame["sentence_id"], frame["word_index"], strict=True))
    frame["length"] = frame["word"].str.len().astype(float)
    for column in columns:
        values = corpus.word_numbers(column)
        assert values is not None
        raw = np.array([values[sentence][word] for sentence, word in place])
        frame[column] = np.log10(raw) if column.startswith("frequency") else raw
    for name in ("length", *columns):
        frame[name] = (frame[name] - frame[name].mean()) / frame[name].std()
    return frame


@pytest.fixture
def assert_agree() -> Callable[..., None]:
    """Return the function that holds two fits against each other."""
    return agree


def agree(one: Fit, other: Fit, limit: float = 4.0) -> None:
    """Means of every parameter agree within ``limit`` Monte Carlo standard errors, ends of intervals within 5.

    Standard deviations are left out: effects of groups have long tails, and what the errors of their deviations
    are said to be is too small. Two runs of one sampler differ there by up to 4.7 of them, in means by 3.5.
    """
    from arviz_stats.base import array_stats

    assert one.draws.keys() == other.draws.keys()
    for what, most, options in (
        ("mean", limit, {"method": "mean"}),
        ("5 %", 5.0, {"method": "quantile", "prob": 0.05}),
        ("95 %", 5.0, {"method": "quantile", "prob": 0.95}),
    ):
        farthest, where = 0.0, ""
        for name, draws in one.draws.items():
            pair = [each.reshape(*each.shape[:2], -1) for each in (draws, other.draws[name])]
            mine, theirs = (
                np.quantile(each, options["prob"], axis=(0, 1))
                if "prob" in options
                else each.mean(axis=(0, 1))
                for each in pair
            )
            errors = [array_stats.mcse(each, chain_axis=0, draw_axis=1, **options) for each in pair]
            apart = np.abs(mine - theirs) / np.hypot(*errors)
            if apart.max() > farthest:
                farthest, where = apart.max(), f"{name}, level {apart.argmax()}"
        print(f"farthest {what}: {farthest:.2f} Monte Carlo standard errors, {where}")
        assert farthest < most, f"{what} of {where}"
