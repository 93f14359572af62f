from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from scandl.statistics.bootstrap import Floats
from scandl_analysis.glm.columns import Columns, Runs
from scandl_analysis.glm.design import Design, build_design
from scandl_analysis.glm.spec import Family, Glm, Slope

Made = Callable[..., pd.DataFrame]

SLOPES = (Slope("surprisal", "reader_id"), Slope("word_length", "reader_id"))
CASES = [
    ((), ()),
    (("reader_id",), ()),
    (("reader_id", "sentence_id"), ()),
    (("reader_id", "word_token"), SLOPES),
    (("reader_id", "sentence_id", "word_token"), SLOPES),
    (("sentence_id",), (Slope("frequency", "reader_id"), Slope("frequency", "sentence_id"))),
]


def columns_of(frame: pd.DataFrame, groups: tuple[str, ...], slopes: tuple[Slope, ...]) -> Columns:
    return Columns.of(build_design(frame, Glm("y", "bernoulli", groups=groups, slopes=slopes)))


def written_out(columns: Columns) -> Floats:
    """Return the map as a matrix, (row, effect)."""
    return np.column_stack([columns.predict(e) for e in np.eye(columns.n_effects)])


@pytest.mark.parametrize(("groups", "slopes"), CASES)
def test_information_is_the_product_of_the_matrix_with_itself(
    made_words: Made, groups: tuple[str, ...], slopes: tuple[Slope, ...]
) -> None:
    columns = columns_of(made_words(n_readers=5, n_words=4), groups, slopes)
    matrix = written_out(columns)
    weights = np.random.default_rng(1).uniform(size=len(matrix))
    found = columns.information(weights)
    rows = np.stack([found.product(e) for e in np.eye(columns.n_effects)])
    np.testing.assert_allclose(rows, (matrix.T * weights) @ matrix, atol=1e-10)
    np.testing.assert_allclose(columns.collect(weights), matrix.T @ weights)


def test_predictions_are_the_sum_of_what_the_formula_says(made_words: Made) -> None:
    frame = made_words(n_readers=3)
    glm = Glm("y", "bernoulli", groups=("reader_id",), slopes=(Slope("surprisal", "reader_id"),))
    design = build_design(frame, glm, aggregate=False)
    effects = np.random.default_rng(2).normal(size=4 + 3 + 3)
    reader = frame["reader_id"].str[1:].astype(int).to_numpy()
    x = frame[list(glm.predictors)].to_numpy()
    # The common part is centred, the slopes of readers are of the predictor as it came.
    expected = effects[0] + (x - x.mean(axis=0)) @ effects[1:4]
    expected += effects[4:7][reader] * frame["surprisal"] + effects[7:][reader]
    np.testing.assert_allclose(Columns.of(design).predict(effects), expected)
    assert [group.name for group in design.groups] == ["surprisal|reader_id", "1|reader_id"]


def test_tokens_hang_on_their_sentences_and_take_little_room(made_words: Made) -> None:
    """Sentences of single readers leave most of the rim empty: it is kept sparse."""
    frame = made_words(n_readers=20, n_shared=1, n_own=20)
    columns = columns_of(frame, ("reader_id", "sentence_id", "word_token"), SLOPES)
    found = columns.information(np.ones(len(columns.x)))
    assert (len(found.border), len(found.leaves.parents)) == (4 + 3 * 20, 401)
    assert len(found.leaves.children) == 401 * 8
    assert not isinstance(found.rim, np.ndarray)
    assert found.rim.nnz == (401 * 9) * 4 + (400 * 9 + 20 * 9) * 3


def test_what_is_not_nested_enters_the_border(made_words: Made) -> None:
    frame = made_words(n_readers=9, n_shared=2, n_own=0)  # two sentences and nine readers, fully crossed
    found = columns_of(frame, ("reader_id", "sentence_id"), ()).information(np.ones(len(frame)))
    assert (len(found.border), len(found.leaves.parents), len(found.leaves.children)) == (4 + 2, 0, 9)


def linear_predictor(design: Design, effects: np.ndarray) -> np.ndarray:
    """Row by row: the intercept, the predictors, and what each group adds."""
    p = len(design.terms)
    eta = effects[0] + design.x @ effects[1 : p + 1]
    place = p + 1
    for group in design.groups:
        own = effects[place + group.index]
        eta = eta + (own if group.values is None else own * group.values)
        place += len(group.levels)
    return eta


@pytest.mark.parametrize("groups", [("reader_id", "sentence_id"), ("reader_id", "sentence_id", "word_token")])
@pytest.mark.parametrize("family", ["bernoulli", "poisson"])
def test_log_partition_functions_summed_in_runs_are_those_of_the_rows(
    made_words: Made, family: Family, groups: tuple[str, ...]
) -> None:
    """Also of tokens nested in sentences, whose rows meet the sum of both."""
    frame = made_words(family, n_readers=6)
    glm = Glm("y", family, groups=groups, slopes=(Slope("surprisal", "reader_id"),))
    design = build_design(frame, glm)
    rng = np.random.default_rng(3)
    n_effects = 1 + len(design.terms) + sum(len(group.levels) for group in design.groups)
    effects = rng.normal(0, 0.3, n_effects)
    gradient = np.zeros(n_effects)
    found = Runs.of(design).subtract(effects, gradient, bernoulli=family == "bernoulli")
    eta = linear_predictor(design, effects)
    partition = np.log1p(np.exp(eta)) if family == "bernoulli" else np.exp(eta)
    assert found == pytest.approx(float((design.trials * partition).sum()))
    step = 1e-6
    sizes = [len(group.levels) for group in design.groups]
    inside = n_effects - sizes[-1] - 1  # the last level but those of the last group
    for k in (0, 1, len(design.terms) + 2, inside, n_effects - 1):
        there = effects.copy()
        there[k] += step
        change = Runs.of(design).subtract(there, np.zeros(n_effects), bernoulli=family == "bernoulli") - found
        assert gradient[k] == pytest.approx(-change / step, rel=1e-3, abs=1e-3)
