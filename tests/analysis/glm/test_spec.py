from __future__ import annotations

import pytest

from scandl_analysis.glm.spec import FAMILIES, Glm, Slope, joint_glm, paper_glm

READERS = (Slope("x", "reader_id"), Slope("z", "reader_id"))


@pytest.mark.parametrize(
    ("glm", "formula"),
    [
        (Glm("sr", "bernoulli", ()), "sr ~ 1"),
        (Glm("TFT", "lognormal", ("x",), ("item",)), "log(TFT) ~ x + (1|item)"),
        (Glm("sr", "bernoulli", ("x",), slopes=READERS), "sr ~ x + (0 + x + z||reader_id)"),
        (
            Glm("sr", "bernoulli", ("x",), ("reader_id",), slopes=READERS, correlated=("reader_id",)),
            "sr ~ x + (1 + x + z|reader_id)",
        ),
    ],
)
def test_formulas_are_those_of_lme4(glm: Glm, formula: str) -> None:
    assert glm.formula == formula


def test_columns_are_named_once_and_slopes_belong_to_their_factor() -> None:
    glm = Glm("sr", "bernoulli", ("x",), ("reader_id", "item"), "source", READERS)
    assert glm.columns == ("sr", "x", "z", "reader_id", "item", "source")
    assert glm.factors == ("reader_id", "item")
    assert (glm.slopes_of("reader_id"), glm.slopes_of("item")) == (("x", "z"), ())


@pytest.mark.parametrize("measure", FAMILIES)
def test_the_published_models(measure: str) -> None:
    assert paper_glm(measure, "human").groups == ("reader_id",)
    assert paper_glm(measure, "uniform").groups == ()
    assert paper_glm(measure, "human").family == FAMILIES[measure]
    joint = joint_glm(measure)
    assert (joint.by, joint.groups) == ("source", ("reader_id", "sentence_id"))
