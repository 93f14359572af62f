"""Words read by readers who follow the model, so that the truth is known; and words of real corpora."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Corpus
from scandl_analysis.glm.diagnostics import convergence
from scandl_analysis.glm.fit import Fit
from scandl_analysis.glm.spec import TIMES, Family
from scandl_analysis.words.readings import Reading
from scandl_analysis.words.word_table import word_table

PREDICTORS = ("word_length", "frequency", "surprisal")


@pytest.fixture
def made_words() -> Callable[..., pd.DataFrame]:
    """Return the function that simulates a word table."""
    return make_words


def make_words(
    family: Family = "bernoulli", *, n_readers: int = 8, n_shared: int = 3, n_own: int = 3, n_words: int = 8,
    slopes: tuple[float, ...] = (-0.6, 0.2, -0.3), intercept: float = -0.3, sd: float = 0.5,
    sd_sentence: float = 0.0, sd_token: float = 0.0, sd_slope: float = 0.0, shape: float = 2.0,
    seed: int = 0,
) -> pd.DataFrame:  # fmt: skip
    """Return a word table: some sentences are read by all, some by one reader only.

    ``shape`` is the negative binomial's, or the deviation of times.
    """
    rng = np.random.default_rng(seed)
    rows = []
    shared = {f"s{k}": rng.normal(size=(n_words, len(slopes))) for k in range(n_shared)}
    for reader, u in enumerate(rng.normal(0, sd, n_readers)):
        own = {f"r{reader}s{k}": rng.normal(size=(n_words, len(slopes))) for k in range(n_own)}
        for sentence, x in {**shared, **own}.items():
            rows += [
                (f"r{reader}", sentence, f"{sentence}:{k}", u, *word) for k, word in enumerate(x.tolist())
            ]
    columns = ["reader_id", "sentence_id", "word_token", "u", *PREDICTORS[: len(slopes)]]
    frame = pd.DataFrame(rows, columns=columns)
    by_sentence = {key: rng.normal(0, sd_sentence) for key in frame["sentence_id"].unique()}
    eta = intercept + frame["u"] + frame["sentence_id"].map(by_sentence)
    eta += frame[list(PREDICTORS[: len(slopes)])].to_numpy() @ np.array(slopes)
    if sd_token:
        tokens, index = np.unique(frame["word_token"], return_inverse=True)
        eta += rng.normal(0, sd_token, len(tokens))[index]
    if sd_slope:
        own = rng.normal(0, sd_slope, (n_readers, len(slopes)))[frame["reader_id"].str[1:].astype(int)]
        eta += (frame[list(PREDICTORS[: len(slopes)])].to_numpy() * own).sum(axis=1)
    if family in TIMES:
        frame["y"] = eta + rng.normal(0, shape, len(frame))
        frame["y"] = np.exp(frame["y"]) if family == "lognormal" else frame["y"]
    elif family == "bernoulli":
        frame["y"] = rng.binomial(1, 1 / (1 + np.exp(-eta)))
    elif family == "poisson":
        frame["y"] = rng.poisson(np.exp(eta))
    else:
        frame["y"] = rng.poisson(rng.gamma(shape, np.exp(eta) / shape))
    return frame.assign(source="human")


@pytest.fixture
def standardised() -> Callable[..., pd.DataFrame]:
    """Return the function that reads measures and standardised predictors from a corpus."""
    return standardised_words


def standardised_words(
    corpus: Corpus, readings: list[Reading], variant: str, columns: tuple[str, ...]
) -> pd.DataFrame:
    """Return the measures with standardised predictors of the corpus's own words.csv."""
    frame = word_table(readings, variant=variant)
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
