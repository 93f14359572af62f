"""Words read by readers who follow the model, so that the truth is known; and words of real corpora."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus
from scandl_analysis.glm.diagnostics import convergence
from scandl_analysis.glm.fit import Fit
from scandl_analysis.words.analysed_run import Reading
from scandl_analysis.words.word_table import word_table

PREDICTORS = ("word_length", "frequency", "surprisal")


@pytest.fixture
def standardised() -> Callable[..., pd.DataFrame]:
    """Return the function that reads measures and standardised predictors from a corpus."""
    return standardised_words


def standardised_words(
    corpus: Corpus, readings: list[Reading], variant: str, columns: tuple[str, ...],
    times: tuple[str, ...] = (),
) -> pd.DataFrame:  # fmt: skip
    """Return the measures with standardised predictors of the corpus's own words.csv."""
    frame = word_table(readings, variant=variant, times=times)
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
    """Means and standard deviations of every parameter agree within ``limit`` Monte Carlo standard errors."""
    assert one.draws.keys() == other.draws.keys()
    farthest, where = 0.0, ""
    for name, draws in one.draws.items():
        pair = [each.reshape(*each.shape[:2], -1) for each in (draws, other.draws[name])]
        for level in range(pair[0].shape[2]):
            mine, theirs = (each[..., level] for each in pair)
            errors = np.hypot(_errors(mine), _errors(theirs))
            apart = np.abs([mine.mean() - theirs.mean(), mine.std() - theirs.std()]) / errors
            if apart.max() > farthest:
                farthest, where = apart.max(), f"{name}, level {level}"
    print(f"farthest: {farthest:.2f} Monte Carlo standard errors, {where}")
    assert farthest < limit, where


def _errors(draws: np.ndarray) -> tuple[float, float]:
    squares = (draws - draws.mean()) ** 2
    n_mean, n_sd = convergence(draws)[1], convergence(squares)[1]
    return draws.std() / n_mean**0.5, squares.std() / n_sd**0.5 / (2 * draws.std())
