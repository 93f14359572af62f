"""Fits in worker processes that die."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import pytest

from scandl.errors import ScandlError
from scandl_analysis.effects import fitting
from scandl_analysis.effects.fitting import (
    CHECKS,
    DIAGNOSTICS,
    Done,
    check_table,
    diagnostics_table,
    on_cluster,
    prior_table,
    run_jobs,
)
from scandl_analysis.glm.diagnostics import diagnose
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.spec import Glm, Sampling


class Deadly:
    """A job that ends the process that takes it up."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


def test_the_death_of_a_worker_is_one_line() -> None:
    with pytest.raises(
        ScandlError, match="a worker process died .*finished fits are kept: run again to go on"
    ):
        run_jobs([Deadly(), Deadly()], workers=2)  # type: ignore[list-item]


def test_a_cluster_does_the_fits_in_any_order_and_they_come_back_in_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    class Backwards:
        def each(self, function: Any, jobs: Any) -> Iterator[tuple[int, Any]]:
            for i in reversed(range(len(jobs))):
                yield i, function(None, jobs[i])

    @contextmanager
    def cluster(shared: None, *, scheduler: str) -> Iterator[Backwards]:
        asked.append(scheduler)
        yield Backwards()

    monkeypatch.setattr(fitting, "workers_of", cluster)
    monkeypatch.setattr(fitting, "run_job", lambda job: f"fit of {job}")
    with on_cluster("tcp://head:8786"):
        assert run_jobs(["a", "b", "c"]) == ["fit of a", "fit of b", "fit of c"]  # type: ignore[list-item, comparison-overlap]
    assert asked == ["tcp://head:8786"]
    assert run_jobs(["d"]) == ["fit of d"]  # type: ignore[list-item, comparison-overlap]
    assert len(asked) == 1


@pytest.fixture
def done(made_words: Callable[..., pd.DataFrame]) -> list[Done]:
    """A fit of one source, one of all sources together, and one that found nothing."""
    frame, glm = made_words(), Glm("y", "bernoulli", ("word_length",))
    both = pd.concat([frame.assign(source="human"), frame.assign(source="m")])
    joint = Glm("y", "bernoulli", ("word_length",), by="source")
    fits = [
        fit(words, each, engine="laplace", sampling=Sampling(draws=20))
        for words, each in ((frame, glm), (both, joint))
    ]
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
