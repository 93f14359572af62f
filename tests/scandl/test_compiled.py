"""Compiled functions: the same values with the compiler, without its cache, and without it."""

from __future__ import annotations

import numba
import pytest

from scandl import compiled
from scandl.errors import ScandlError
from scandl.models.ezreader.ezreader import simulate_ezreader
from scandl.models.swift.swift import simulate_swift


def double(x: float) -> float:
    return 2 * x


def test_functions_keep_their_values() -> None:
    assert compiled.compiled(double)(1.5) == double(1.5) == 3.0


def test_without_a_folder_for_the_cache_it_still_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def njit(**options: bool) -> object:
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'double': no locator available for file")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    assert compiled.compiled(double)(2.0) == 4.0
    assert ["cache" in options for options in asked] == [True, False]


def test_without_numba_functions_stay_and_simulators_say_what_they_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert compiled.compiled(double) is double
    for simulate in (simulate_ezreader, simulate_swift):
        with pytest.raises(ScandlError, match=r"this needs numba, which is not installed: .*simulators"):
            simulate([])
