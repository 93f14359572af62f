"""Fits in worker processes that die."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from scandl.errors import ScandlError
from scandl_analysis.effects import fitting
from scandl_analysis.effects.fitting import on_cluster, run_jobs


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
