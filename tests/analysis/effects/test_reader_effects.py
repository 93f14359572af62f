"""Effects of readers by group, by definition and by edges; which signs turn, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Sentence
from scandl_analysis.effects.effect_table import Effects, not_estimable, with_marginal
from scandl_analysis.effects.fitting import FitJob, run_job
from scandl_analysis.effects.reader_effects import (
    HANGS,
    KEPT,
    LEFT_OUT,
    OBSERVED,
    OUTCOME,
    group_glm,
    group_table,
    sensitivity_table,
    sensitivity_verdict,
    with_levels,
)
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.spec import Glm, Sampling

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
    whole = group_table([done], {"sr": words}).set_index("level")
    assert list(whole.index) == [*["L1", "L2", "L2 − L1"] * 2, "L1", "L2"]
    means = whole[whole["predictor"] == OUTCOME]["marginal"]
    observed = 100 * words.groupby("group")["sr"].mean()
    assert means["L2"] == pytest.approx(observed["L2"], abs=5)
    assert means["L2 − L1"] == pytest.approx(means["L2"] - means["L1"])
    assert whole[whole["predictor"] == OBSERVED].loc["L2", "marginal"] == observed["L2"]
    table = whole[whole["predictor"] == "x"]
    assert table.loc["L1", "mean"] == pytest.approx(-0.5, abs=0.25)
    assert table.loc["L2 − L1", "mean"] == pytest.approx(table.loc["L2", "mean"] - table.loc["L1", "mean"])
    assert table.loc["L2 − L1", "ci_low"] < -0.5 < table.loc["L2 − L1", "ci_high"]
    assert table.loc["L2 − L1", "ci_high"] < 0
    # In points: the logistic slope at the middle is a quarter of the slope of logits, a little less elsewhere.
    assert table.loc["L1", "marginal"] == pytest.approx(-0.5 * 22.5, abs=4)
    assert table.loc["L2", "marginal_high"] < table.loc["L1", "marginal"]


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


MAIN, OTHER = ("firstpass", LEFT_OUT), ("paper", KEPT)


def effects(**means: tuple[float, float]) -> Effects:
    """Return effects on regressing with these means and standard deviations."""
    glm = Glm("fpr", "bernoulli", tuple(means))
    known = not_estimable(NotEstimableError("x"), glm, "s", "human", n_rows=1, engine="e", priors="p")
    rng = np.random.default_rng(4)
    return with_marginal(known, {name: rng.normal(m, sd, 4000) for name, (m, sd) in means.items()}, {})


def test_a_sign_that_turns_is_said() -> None:
    main = effects(word_length=(-0.04, 0.01), surprisal=(0.02, 0.01))
    other = effects(word_length=(0.01, 0.02), surprisal=(0.03, 0.01))
    table = sensitivity_table(MAIN, {MAIN: [main], OTHER: [other]})
    assert table["note"].tolist() == ["", HANGS, "", ""]
    assert table["main"].tolist() == [True, False, True, False]
    assert table.loc[1, ["definition", "edges"]].tolist() == ["paper", KEPT]
    said = "turn the sign of 1 of 2 effects: word_length on fpr."
    assert sensitivity_verdict(table).endswith(said)


def test_signs_that_nobody_knows_do_not_turn() -> None:
    found = {MAIN: [effects(surprisal=(-0.01, 0.02))], OTHER: [effects(surprisal=(0.01, 0.02))]}
    table = sensitivity_table(MAIN, found)
    assert table["note"].tolist() == ["", ""]
    assert sensitivity_verdict(table) == sensitivity_verdict(sensitivity_table(MAIN, {MAIN: []})) == ""
