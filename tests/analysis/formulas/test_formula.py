"""Contrasts: the hypotheses that their columns stand for, by the generalised inverse of each coding."""

from __future__ import annotations

import numpy as np
import pytest

from scandl_analysis.formulas.formula import CONTRASTS, FormulaError, GroupTerm, read_formula


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y ~ a", "y ~ 1 + a"),
        ("y~1", "y ~ 1"),
        ("y ~ a*b*c", "y ~ 1 + a + b + c + a:b + a:c + b:c + a:b:c"),
        ("y ~ a*b - a:b", "y ~ 1 + a + b"),
        ("y ~ a*b - b:a", "y ~ 1 + a + b"),
        ("y ~ a*b:c", "y ~ 1 + a + b:c + a:b:c"),  # ":" binds tighter than "*"
        ("y ~ a/b", "y ~ 1 + a + a:b"),
        ("y ~ (a + b):c + a", "y ~ 1 + a + a:c + b:c"),
        ("log(y) ~ scale( a )*C(b)", "log(y) ~ 1 + scale(a) + C(b) + scale(a):C(b)"),
        ("y ~ a + (1 | g)", "y ~ 1 + a + (1 | g)"),
        ("y ~ a + (a | g)", "y ~ 1 + a + (1 + a | g)"),
        ("y ~ a + (a || g)", "y ~ 1 + a + (1 + a || g)"),
        ("y ~ a + (0 + a | g)", "y ~ 1 + a + (0 + a | g)"),
        ("y ~ a + (1 | g) + (0 + a | g)", "y ~ 1 + a + (1 + a || g)"),
        ("y ~ a + (1 | g/h)", "y ~ 1 + a + (1 | g) + (1 | g:h)"),
        ("y ~ (1 + a*b || g) + a", "y ~ 1 + a + (1 + a + b + a:b || g)"),
        ("y ~ a + (1 | g:h)", "y ~ 1 + a + (1 | g:h)"),
    ],
)
def test_means_what_lme4_means(text: str, expected: str) -> None:
    found = read_formula(text)
    assert str(found) == expected
    assert read_formula(str(found)) == found


def test_correlation_is_asked_for_by_one_bar_and_several_effects() -> None:
    groups = read_formula("y ~ a + (1 + a | g) + (1 | h) + (1 + a || i)").groups
    assert [group.correlated for group in groups] == [True, False, False]
    assert groups[0] == GroupTerm(((), ("a",)), ("g",), correlated=True)


@pytest.mark.parametrize("text", ["y ~ a*b + (1|g)", "y ~ a + a:b", "y ~ b:a", "y ~ a/b", "y ~ (a + b):c"])
def test_has_the_terms_that_formulae_reads(text: str) -> None:
    model_description = pytest.importorskip("formulae").model_description
    theirs = {frozenset(str(term.name).split(":")) for term in model_description(text).common_terms}
    ours = {frozenset(term or ("Intercept",)) for term in read_formula(text).terms}
    assert ours == theirs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y", "formula 'y': expected 'outcome ~ predictors', such as 'sr ~ length + (1 | reader)'"),
        ("~ a", "formula '~ a': expected 'outcome ~ predictors', such as 'sr ~ length + (1 | reader)'"),
        ("y ~ a +", "formula 'y ~ a +': cannot be read"),
        ("y ~ (a | g", "formula 'y ~ (a | g': cannot be read"),
        ("y ~ a^2", "formula 'y ~ a^2': powers are not offered; write the interactions out"),
        ("y ~ a**2", "formula 'y ~ a**2': powers are not offered; write the interactions out"),
        ("y ~ word.length", "formula 'y ~ word.length': 'word.length' cannot be read"),
        (
            "y ~ 0 + a",
            "formula 'y ~ 0 + a': models without an intercept are not offered; leave out 0 and - 1",
        ),
        (
            "y ~ a - 1",
            "formula 'y ~ a - 1': models without an intercept are not offered; leave out 0 and - 1",
        ),
        ("y + z ~ a", "formula 'y + z ~ a': 'y + z' is not one outcome"),
        ("y ~ a + (0 | g)", "formula 'y ~ a + (0 | g)': a group term without effects"),
        ("y ~ (1 | g) + (a | g)", "g has two group terms, one of them correlated: write one"),
        *(
            (text, f"formula {text!r}: found {found}, expected a column (0 and 1 are the intercept)")
            for text, found in (
                ("y ~ True", "True"),
                ("y ~ a + 'abc'", "'abc'"),
                ("y ~ a:2", "2"),
                ("True ~ a", "True"),
                ("y ~ (1 | True)", "True"),
            )
        ),
    ],
)
def test_says_in_one_line_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        read_formula(text)
    assert str(caught.value) == message


def joined(sign: str, n: int) -> str:
    return sign.join(f"a{k}" for k in range(n))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"y ~ {joined('*', 22)}", "found more than 500 terms when products are written out"),
        (f"y ~ ({joined('+', 40)}):({joined('+', 40).replace('a', 'b')})", "found more than 500 terms"),
        (f"y ~ {joined('+', 20_000)}", "found 128,893 characters, expected at most 5,000"),
        (f"y ~ {'a+' * 2_000}a", "found 2,000 terms and signs, expected at most 500"),
        (f"y ~ {'a-' * 501}a", "found 501 terms and signs, expected at most 500"),
        (f"y ~ {'-' * 10_000}a", "found 10,005 characters, expected at most 5,000"),
        (f"y ~ {'-' * 4_000}a", "terms "),  # nested too deeply for Python's parser, or for us
        (f"{'-' * 4_000}y ~ a", "terms "),
        (f"y ~ {'(' * 2_000}a{')' * 2_000}", "cannot be read"),
        (f"y ~ {'9' * 4_500}", "cannot be read"),
    ],
)
def test_an_immense_formula_ends_at_once_in_one_short_line(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as caught:
        read_formula(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_people_write_is_not_too_much() -> None:
    assert len(read_formula(f"y ~ {joined('*', 8)}").terms) == 2**8
    assert len(read_formula(f"y ~ {joined('+', 300)} + (1 | g)").terms) == 301


LEVELS = ["a", "b", "c", "d"]
MEANS = np.array([100.0, 130.0, 120.0, 170.0])


@pytest.mark.parametrize(
    ("coding", "expected"),
    [
        ("treatment", [100, 30, 20, 70]),
        ("sum", [130, -30, 0, -10]),
        ("sdif", [130, 30, -10, 50]),
    ],
)
def test_coefficients_of_known_means_are_the_differences_that_are_promised(
    coding: str, expected: list[float]
) -> None:
    names, matrix = CONTRASTS[coding](LEVELS)
    assert len(names) == 3
    coefficients = np.linalg.solve(np.column_stack([np.ones(4), matrix]), MEANS)
    np.testing.assert_allclose(coefficients, expected, atol=1e-9)
