from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.formulas.formula import CONTRASTS, read_formula
from scandl_analysis.formulas.model_frame import ModelFrame, model_frame


@pytest.fixture
def data() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    n = 60
    return pd.DataFrame(
        {
            "y": rng.integers(0, 2, n),
            "ms": rng.lognormal(5.4, 0.3, n),
            "a": rng.normal(2, 3, n),
            "b": rng.normal(size=n),
            "cond": np.tile(["easy", "hard", "odd"], 20),
            "shape": np.repeat(["round", "square"], 30),
            "g": rng.integers(0, 5, n).astype(str),
            "same": "x",
            "reader": 7,
        }
    )


def made(text: str, data: pd.DataFrame, contrast: str = "treatment") -> ModelFrame:
    return model_frame(read_formula(text), data, contrast=contrast)


@pytest.mark.parametrize(
    "text",
    [
        "y ~ a*b",
        "y ~ cond",
        "y ~ a*cond",
        "y ~ cond*shape",
        "y ~ a:cond",
        "y ~ cond:shape + a",
        "y ~ cond/a",
        "y ~ cond/shape",
        "y ~ a:cond:shape",
        "y ~ cond + cond:shape:a",
        "y ~ scale(a) + center(b)",
    ],
)
def test_columns_span_what_those_of_formulae_span(text: str, data: pd.DataFrame) -> None:
    """The same predictions are possible, whatever the columns are called."""
    design_matrices = pytest.importorskip("formulae").design_matrices
    theirs = np.asarray(design_matrices(text, data).common.design_matrix)
    words = made(text, data)
    ours = np.column_stack([np.ones(len(data)), words.frame[list(words.glm.predictors)]])
    assert ours.shape == theirs.shape
    rank = np.linalg.matrix_rank
    assert rank(ours) == rank(theirs) == rank(np.column_stack([ours, theirs])) == ours.shape[1]


@pytest.mark.parametrize("contrast", ["sum", "sdif"])
def test_contrasts_change_the_columns_and_not_what_they_span(contrast: str, data: pd.DataFrame) -> None:
    both = [made("y ~ a * cond * shape", data, each) for each in ("treatment", contrast)]
    columns = [np.column_stack([np.ones(60), each.frame[list(each.glm.predictors)]]) for each in both]
    assert np.linalg.matrix_rank(columns[1]) == 12
    assert np.linalg.matrix_rank(np.column_stack(columns)) == 12
    assert both[1].contrasts == {"cond": contrast, "shape": contrast}


def test_groups_become_intercepts_and_slopes(data: pd.DataFrame) -> None:
    words = made("ms ~ a + (1 + cond || g) + (1 | shape:cond)", data, "sdif")
    assert words.glm.formula == ("log(ms) ~ a + (1 + cond[hard-easy] + cond[odd-hard]||g) + (1|shape:cond)")
    assert words.frame["shape:cond"].nunique() == 6
    np.testing.assert_allclose(np.unique(words.frame["cond[hard-easy]"]), [-2 / 3, 1 / 3])


def test_scaling_is_that_of_the_rows_analysed(data: pd.DataFrame) -> None:
    data.loc[:9, "b"] = np.nan
    words = made("y ~ scale(a) + b", data)
    assert words.n_dropped == 10
    expected = data["a"][10:]
    np.testing.assert_allclose(words.frame["scale(a)"], (expected - expected.mean()) / expected.std())


def test_order_of_categories_is_kept(data: pd.DataFrame) -> None:
    data["cond"] = pd.Categorical(data["cond"], ["odd", "easy", "hard", "never"])
    assert made("y ~ cond", data).glm.predictors == ("cond[easy]", "cond[hard]")
    data["number"] = np.tile([1, 2], 30)
    assert made("y ~ C(number)", data).glm.predictors == ("C(number)[2]",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "y ~ lenght",
            "y ~ 1 + lenght: the table has no column 'lenght'; known: a, b, cond, g, ms, reader,"
            " same, shape, y",
        ),
        (
            "y ~ con",
            "y ~ 1 + con: the table has no column 'con'; did you mean 'cond'? known: a, b, cond, g, ms,"
            " reader, same, shape, y",
        ),
        (
            "y ~ scal(a)",
            "no function 'scal'; did you mean 'scale'? known: bs, center, exp, log, ns, poly, scale, sqrt",
        ),
        ("y ~ log(b)", "log(b): row 2 has no finite value"),
        ("y ~ scale(a, b)", "scale(a, b): a function of one column is expected"),
        ("cond ~ a", "cond: column 'cond' holds text such as 'easy', expected numbers"),
        ("y ~ same", "not estimable: same is 'x' in all 60 rows"),
        ("y ~ a + (1 | reader)", "not estimable: (1 | reader) needs several levels, reader has '7' only"),
    ],
)
def test_says_in_one_line_what_is_wrong(text: str, message: str, data: pd.DataFrame) -> None:
    data["b"] = np.abs(data["b"])
    data.loc[1, "b"] = -1.0
    with pytest.raises(ScandlError) as caught:
        made(text, data)
    assert str(caught.value) == message


def test_says_what_too_few_rows_cannot_tell(data: pd.DataFrame) -> None:
    data.loc[0, "shape"] = "odd one"
    with pytest.raises(ScandlError, match="not estimable: shape is 'odd one' in one row only"):
        made("y ~ shape", data)
    with pytest.raises(ScandlError, match="not estimable: 12 columns and 9 rows"):
        made("y ~ a * b * cond", data[:9])
    with pytest.raises(ScandlError, match="not estimable: none of 60 rows has a value in y, a"):
        made("y ~ a", data.assign(a=np.nan))
    data["row"] = [str(k) for k in range(60)]
    with pytest.raises(ScandlError, match="not estimable: row has a level for each of 60 rows"):
        made("y ~ a + (1 + a || row)", data)


MEANS = np.array([10.0, 13.0, 11.0, 20.0])
LEVELS = ["a", "b", "c", "d"]
EXPECTED = {
    "treatment": (["b", "c", "d"], 10.0, [3.0, 1.0, 10.0]),
    "sum": (["S.a", "S.b", "S.c"], 13.5, [-3.5, -0.5, -2.5]),
    "sdif": (["b-a", "c-b", "d-c"], 13.5, [3.0, -2.0, 9.0]),
}


@pytest.mark.parametrize("name", list(CONTRASTS))
def test_coefficients_are_the_comparisons_the_names_say(name: str) -> None:
    """Solved from the means of the levels, intercept and coefficients are what the contrast promises."""
    names, matrix = CONTRASTS[name](LEVELS)
    intercept, *slopes = np.linalg.solve(np.column_stack([np.ones(4), matrix]), MEANS)
    assert names == EXPECTED[name][0]
    assert intercept == pytest.approx(EXPECTED[name][1])
    assert slopes == pytest.approx(EXPECTED[name][2])


def test_unknown_contrast_is_named() -> None:
    with pytest.raises(ScandlError, match="no contrast 'sums'; did you mean 'sum'"):
        CONTRASTS["sums"]
