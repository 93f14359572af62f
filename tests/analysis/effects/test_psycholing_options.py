from __future__ import annotations

import pytest

from scandl_analysis.effects.psycholing_options import Options


@pytest.mark.parametrize(
    ("given", "edges"),
    [
        ({}, ("first", "last")),
        ({"design": "paper"}, ()),
        ({"design": "paper", "drop": ("first",)}, ("first",)),
        ({"drop": ()}, ()),
        ({"drop": (), "spillover": True}, ("first",)),  # a first word has no previous one
        ({"spillover": True}, ("first", "last")),
    ],
)
def test_edges_are_left_out_as_the_design_has_it(given: dict, edges: tuple[str, ...]) -> None:
    assert Options(**given).edges == edges


@pytest.mark.parametrize(
    ("design", "engine", "used"),
    [
        ("crossed", "hmc", "hmc"), ("maximal", "hmc", "nutpie"), ("maximal", "nuts", "nutpie"),
        ("maximal", "imh", "nutpie"), ("maximal", "pymc", "pymc"),
    ],
)  # fmt: skip
def test_correlated_slopes_are_left_to_pymc(design: str, engine: str, used: str) -> None:
    assert Options(design=design, engine=engine).engine_used == used


def test_maximum_likelihood_has_no_priors() -> None:
    assert [Options(engine=engine).priors_used for engine in ("nuts", "mle", "mle-robust")] == [
        "brms", "none", "none",
    ]  # fmt: skip


def test_spillover_adds_the_predictors_of_the_previous_word() -> None:
    plain, more = (Options(spillover=spillover).predictors for spillover in (False, True))
    assert more[: len(plain)] == plain
    assert len(more) == 2 * len(plain)
