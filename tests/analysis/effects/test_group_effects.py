from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl_analysis.effects.fitting import FitJob, run_job
from scandl_analysis.effects.group_effects import group_glm, group_table, with_levels
from scandl_analysis.glm.spec import Sampling

CORPUS = Corpus(
    Card(name="made"),
    {
        "s0": Sentence("s0", "A b", "", {"condition": "easy"}),
        "s1": Sentence("s1", "A c", "", {"condition": "hard"}),
    },
    (),
    readers={"r0": {"group": "L2"}, "r1": {"group": "L1"}, "r2": {"group": "L1"}, "r3": {"group": ""}},
)
WORDS = pd.DataFrame({"reader_id": ["r0", "r1", "r2", "r3"], "sentence_id": ["s0", "s1", "s0", "s1"]})


def test_levels_come_from_readers_and_sentences() -> None:
    by_reader = with_levels(WORDS, CORPUS, "group")
    assert by_reader[["reader_id", "group"]].to_numpy().tolist() == [["r1", "L1"], ["r2", "L1"], ["r0", "L2"]]
    assert with_levels(WORDS, CORPUS, "condition")["condition"].tolist() == ["easy", "easy", "hard", "hard"]


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            "grup",
            "readers.csv and sentences.csv have no column 'grup'; did you mean 'group'? known: condition, group",
        ),
        ("same", "same is 'x' throughout: nothing to compare"),
    ],
)
def test_says_why_there_is_nothing_to_compare(column: str, message: str) -> None:
    readers = {
        name: row | ({"same": "x"} if column == "same" else {}) for name, row in CORPUS.readers.items()
    }
    with pytest.raises(ScandlError) as caught:
        with_levels(WORDS, replace(CORPUS, readers=readers), column)
    assert str(caught.value) == message


def test_differences_are_found(made: Callable[..., pd.DataFrame]) -> None:
    """Second-language readers were made with twice the effect of length."""
    words = made()
    glm = group_glm("crossed", "sr", words, "group", predictors=("x",), family="bernoulli")
    assert glm.formula.startswith("sr ~ group * (x) + (1 + x||reader_id)")
    done = run_job(FitJob("human", glm, words, engine="laplace", sampling=Sampling(draws=400)))
    whole = group_table([done], words).set_index("level")
    assert list(whole.index) == ["L1", "L2", "L2 − L1"] * 2
    means = whole[whole["predictor"] == "mean, %"]
    observed = 100 * words.groupby("group")["sr"].mean()
    assert means.loc["L2", "mean"] == pytest.approx(observed["L2"], abs=5)
    assert means.loc["L2 − L1", "mean"] == pytest.approx(means.loc["L2", "mean"] - means.loc["L1", "mean"])
    table = whole[whole["predictor"] == "x"]
    assert table.loc["L1", "mean"] == pytest.approx(-0.5, abs=0.25)
    assert table.loc["L2 − L1", "mean"] == pytest.approx(table.loc["L2", "mean"] - table.loc["L1", "mean"])
    assert table.loc["L2 − L1", "ci_low"] < -0.5 < table.loc["L2 − L1", "ci_high"]
    assert table.loc["L2 − L1", "ci_high"] < 0


@pytest.fixture
def made() -> Callable[..., pd.DataFrame]:
    def words() -> pd.DataFrame:
        rng = np.random.default_rng(1)
        x = rng.normal(size=60)
        rows = []
        for reader in range(20):
            slope = -0.5 if reader < 10 else -1.0
            p = 1 / (1 + np.exp(-(rng.normal(0, 0.3) + (slope + rng.normal(0, 0.1)) * x)))
            rows += [
                (f"r{reader:02}", "L1" if reader < 10 else "L2", f"s{k // 6}", f"s{k // 6}:{k}", x[k], y)
                for k, y in enumerate(rng.binomial(1, p))
            ]
        columns = ["reader_id", "group", "sentence_id", "word_token", "x", "sr"]
        return pd.DataFrame(rows, columns=columns)

    return words
