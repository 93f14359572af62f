from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.glm.design import NotEstimableError, build_design
from scandl_analysis.glm.spec import Glm

Made = Callable[..., pd.DataFrame]


def test_merging_keeps_every_sum(made_words: Made) -> None:
    frame = pd.concat([made_words(), made_words()])  # each row twice, outcomes too
    glm = Glm("y", "bernoulli", groups=("reader_id",))
    whole, merged = (build_design(frame, glm, aggregate=on) for on in (False, True))
    assert len(merged.x) == len(frame) / 2
    assert set(merged.trials) == {2.0}
    assert merged.n_rows == whole.n_rows == len(frame)
    np.testing.assert_allclose(merged.total @ merged.x, whole.total @ whole.x)
    index = (merged.groups[0].index, whole.groups[0].index)
    np.testing.assert_allclose(np.bincount(index[0], merged.total), np.bincount(index[1], whole.total))


def test_negative_binomial_merges_equal_outcomes_only(made_words: Made) -> None:
    frame = made_words("negativebinomial", slopes=(0.3,))
    other = frame.assign(y=frame["y"] + 1)
    glm = Glm("y", "negativebinomial", ("word_length",))
    assert len(build_design(pd.concat([frame, other]), glm).x) > len(
        build_design(pd.concat([frame, frame]), glm).x
    )


def test_columns_are_centred_and_missing_rows_counted(made_words: Made) -> None:
    frame = made_words()
    frame.loc[3, "surprisal"] = np.nan
    design = build_design(frame, Glm("y", "bernoulli"))
    assert design.n_dropped == 1
    np.testing.assert_allclose(design.trials @ design.x, 0, atol=1e-9)


def test_sources_become_indicators_and_interactions(made_words: Made) -> None:
    frame = pd.concat([made_words(slopes=(0.5,)), made_words(slopes=(0.1,), seed=1).assign(source="swift")])
    design = build_design(frame, Glm("y", "bernoulli", ("word_length",), by="source"), aggregate=False)
    assert design.terms == ("source[swift]", "word_length", "source[swift]:word_length")
    swift = (frame["source"] == "swift").to_numpy(float)
    expected = np.column_stack([swift, frame["word_length"], swift * frame["word_length"]])
    np.testing.assert_allclose(design.x + design.x_mean, expected)
    assert design.is_indicator.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": 0}, "not estimable: y is 0 in all 384 words"),
        ({"y": 1}, "not estimable: y is 1 in all 384 words"),
        ({"frequency": 2.0}, "not estimable: frequency is the same in all 384 words"),
        ({"y": np.nan}, "not estimable: no word has y and all predictors"),
    ],
)
def test_says_why_nothing_can_be_estimated(made_words: Made, change: dict[str, object], message: str) -> None:
    with pytest.raises(NotEstimableError) as caught:
        build_design(made_words().assign(**change), Glm("y", "bernoulli"))
    assert str(caught.value) == message


@pytest.mark.parametrize("family", ["poisson", "negativebinomial"])
def test_a_count_that_never_varies_is_said(made_words: Made, family: str) -> None:
    with pytest.raises(NotEstimableError) as caught:
        build_design(made_words().assign(y=2), Glm("y", family))  # type: ignore[arg-type]
    assert str(caught.value) == "not estimable: y is 2 in all 384 words"


def test_says_that_predictors_determine_each_other(made_words: Made) -> None:
    frame = made_words()
    frame["surprisal"] = 1 - 2 * frame["frequency"]
    with pytest.raises(NotEstimableError, match="word_length, frequency, surprisal determine each other"):
        build_design(frame, Glm("y", "bernoulli"))


def test_refuses_what_is_no_outcome(made_words: Made) -> None:
    with pytest.raises(ScandlError, match="y must be 0 or 1"):
        build_design(made_words().assign(y=2), Glm("y", "bernoulli"))
    with pytest.raises(ScandlError, match="has no column 'cloze'"):
        build_design(made_words(), Glm("y", "bernoulli", ("cloze",)))
