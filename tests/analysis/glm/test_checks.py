from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import read_corpus
from scandl_analysis.glm.checks import collinearity, dispersion, mean_by_class, replicates, rootogram
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.spec import Glm
from scandl_analysis.readings import human_readings
from scandl_analysis.table import word_table

Made = Callable[..., pd.DataFrame]


@pytest.mark.parametrize(
    ("corpus", "variant", "measure", "expected"),
    [
        ("schilling", "paper", "tfc", 0.681),
        ("schilling", "paper", "ffc", 0.516),
        ("schilling", "firstpass", "ffc", 0.629),
        ("mertzen", "paper", "tfc", 1.404),
        ("mertzen", "paper", "ffc", 0.419),
        ("mertzen", "firstpass", "ffc", 0.594),
    ],
)
def test_dispersion_of_real_readers(
    shared: Callable[[str], Path], corpus: str, variant: str, measure: str, expected: float
) -> None:
    frame = word_table(human_readings(read_corpus(shared(corpus))), variant=variant)
    assert dispersion(frame[measure].to_numpy(float)) == pytest.approx(expected, abs=5.1e-4)


def test_inflation_is_one_over_what_others_leave_unexplained(made_words: Made) -> None:
    frame = made_words()
    frame["surprisal"] += frame["frequency"]
    rows = {row["predictor"]: row for row in collinearity(frame, ("word_length", "frequency", "surprisal"))}
    x = np.column_stack([np.ones(len(frame)), frame["word_length"], frame["frequency"]])
    residual = frame["surprisal"] - x @ np.linalg.lstsq(x, frame["surprisal"], rcond=None)[0]
    assert rows["surprisal"]["vif"] == pytest.approx(
        frame["surprisal"].var() * (len(frame) - 1) / (residual**2).sum()
    )
    assert rows["surprisal"]["r(frequency)"] == pytest.approx(frame["surprisal"].corr(frame["frequency"]))
    frame["surprisal"] = -frame["frequency"]
    assert np.isnan(collinearity(frame, ("frequency", "surprisal"))[0]["vif"])


@pytest.mark.parametrize("family", ["bernoulli", "poisson", "negativebinomial"])
def test_a_true_model_predicts_its_own_data(made_words: Made, family: str) -> None:
    frame = made_words(family, n_readers=20, slopes=(0.3,))
    glm = Glm("y", family, ("word_length",), ("reader_id",))  # type: ignore[arg-type]
    found = fit(frame, glm, engine="laplace", sampling=Sampling(draws=300))
    drawn = replicates(found, frame, seed=1, n=100)
    observed = frame["y"].to_numpy(float)
    rows = mean_by_class(observed, drawn, pd.Series(np.where(frame["word_length"] > 0, "long", "short")))
    assert {row["class"] for row in rows} == {"long", "short"}
    assert all(row["ci_low"] <= row["observed"] <= row["ci_high"] for row in rows)
    # By reader as well: the replicates must use each row's own reader.
    by_reader = pd.Series(observed).groupby(frame["reader_id"].to_numpy()).mean()
    replicated = pd.Series(drawn.mean(axis=0)).groupby(frame["reader_id"].to_numpy()).mean()
    assert by_reader.corr(replicated) > 0.8


def test_rootogram_counts_everything_once() -> None:
    observed = np.array([0.0, 0.0, 1.0, 12.0])
    rows = rootogram(observed, np.stack([observed, observed]), largest=3)
    assert [row["observed"] for row in rows] == [2, 1, 0, 1]
    assert [row["expected"] for row in rows] == [2, 1, 0, 1]
