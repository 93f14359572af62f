from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from scandl_analysis.effects.joint_design import joint_rows, left_out
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]
GLM = Glm("y", "bernoulli", ("word_length",), by="source")
SAID = {"setting": "ns", "engine": "mle", "priors": "brms", "named": "none"}


@pytest.fixture
def frame(made_words: Made) -> pd.DataFrame:
    """Readers, a model like them, and one that always skips."""
    sources = {"human": made_words(), "m": made_words(seed=1), "always": made_words(seed=2).assign(y=1)}
    return pd.concat([words.assign(source=name) for name, words in sources.items()], ignore_index=True)


def alone(glm: Glm) -> Glm:
    return Glm(glm.measure, glm.family, glm.predictors)


def test_a_source_without_an_estimate_does_not_take_that_of_the_others(frame: pd.DataFrame) -> None:
    found = left_out(frame, [alone(GLM)], **SAID)
    assert list(found["y"]) == ["always"]
    (row,) = found["y"]["always"].rows
    assert row.note.startswith("not estimable: ")
    assert row.n_rows == (frame["source"] == "always").sum()
    assert (row.model, row.priors) == ("always", "none")


def test_without_humans_nobody_enters(frame: pd.DataFrame) -> None:
    frame.loc[frame["source"] == "human", "y"] = 0
    found = left_out(frame, [alone(GLM)], **SAID)
    assert set(found["y"]) == {"human", "m", "always"}
    assert found["y"]["m"].rows[0].note.startswith("not estimable beside humans: ")


def test_readers_are_nested_in_sources(frame: pd.DataFrame) -> None:
    rows = joint_rows(frame, ["always"])
    assert set(rows["source"]) == {"human", "m"}
    assert rows["reader_id"].nunique() == 2 * frame["reader_id"].nunique()
    assert rows["reader_id"].str.startswith(("human:", "m:")).all()
    assert not frame["reader_id"].str.contains(":").any()  # what was given is as it was
