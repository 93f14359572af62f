from __future__ import annotations

from scandl import compiled


def double(x: float) -> float:
    return 2 * x


def test_functions_keep_their_values():
    assert compiled.compiled(double)(1.5) == double(1.5) == 3.0


def test_without_a_folder_for_the_cache_it_still_compiles(monkeypatch):
    asked = []

    def njit(**options):
        asked.append(options)
        if options.get("cache"):
            raise RuntimeError("cannot cache function 'double': no locator available for file")
        return lambda function: function

    monkeypatch.setattr(compiled, "njit", njit)
    assert compiled.compiled(double)(2.0) == 4.0
    assert ["cache" in options for options in asked] == [True, False]
