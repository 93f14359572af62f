from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest

from scandl_analysis.effects.fit_tables import (
    CHECKS,
    DIAGNOSTICS,
    check_table,
    diagnostics_table,
    prior_table,
)
from scandl_analysis.effects.fitting import Done
from scandl_analysis.glm.diagnostics import diagnose
from scandl_analysis.glm.fit import Sampling, fit
from scandl_analysis.glm.spec import Glm


@pytest.fixture
def done(made_words: Callable[..., pd.DataFrame]) -> list[Done]:
    """A fit of one source, one of all sources together, and one that found nothing."""
    frame, glm = made_words(), Glm("y", "bernoulli", ("word_length",))
    both = pd.concat([frame.assign(source="human"), frame.assign(source="m")])
    joint = Glm("y", "bernoulli", ("word_length",), by="source")
    fits = [fit(words, each, engine="laplace", sampling=Sampling(draws=20)) for words, each in ((frame, glm), (both, joint))]  # fmt: skip
    row = {"model": "human", "observed": 0.5, "expected": 0.4}
    return [
        Done("human", glm, len(frame), fits[0], checks={"mean": [row, row]}, diagnosis=diagnose(fits[0]).row),
        Done("m", joint, len(both), fits[1], diagnosis=diagnose(fits[1]).row),
        Done("uniform", glm, 0, None, note="not estimable"),
    ]


def test_priors_of_every_parameter_of_every_fit(done: list[Done]) -> None:
    table = prior_table(done)
    assert set(table["model"]) == {"human", "all sources"}
    own = table[table["model"] == "human"]
    assert done[0].fit is not None
    assert dict(zip(own["parameter"], own["prior"], strict=True)) == done[0].fit.prior_table


def test_how_each_fit_was_sampled(done: list[Done]) -> None:
    table = diagnostics_table(done)
    assert list(table.columns) == DIAGNOSTICS
    assert table[["model", "engine"]].to_numpy().tolist() == [
        ["human", "laplace"],
        ["all sources", "laplace"],
    ]
    assert table["n_rows"].tolist() == [done[0].n_rows, done[1].n_rows]


def test_checks_keep_the_name_of_their_source(done: list[Done]) -> None:
    table = check_table(done)
    assert list(table.columns) == CHECKS
    assert table["observed"].tolist() == [0.5, 0.5]
    assert set(table["model"]) == {"human"}


def test_without_fits_the_headers_stand() -> None:
    assert (list(check_table([]).columns), list(diagnostics_table([]).columns)) == (CHECKS, DIAGNOSTICS)
