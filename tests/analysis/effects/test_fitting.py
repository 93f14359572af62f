"""Fits in worker processes that die."""

from __future__ import annotations

import os
from typing import Any

import pytest

from scandl.errors import ScandlError
from scandl_analysis.effects.fitting import run_jobs


class Deadly:
    """A job that ends the process that takes it up."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (1,)


def test_the_death_of_a_worker_is_one_line() -> None:
    with pytest.raises(
        ScandlError, match="a worker process died .*finished fits are kept: run again to go on"
    ):
        run_jobs([Deadly(), Deadly()], workers=2)  # type: ignore[list-item]
