"""Functions as machine code, where numba is installed, with our types kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from scandl.extras import check_installed, is_installed

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile on the first call, and keep the machine code beside the module for the next process.

    Without numba a function stays as it is: some twenty times slower, with the same values. Functions that
    work on records need the compiler; who calls them asks ``check_compiler`` first.

    The kept code is thrown away when the function's own module changes, not when another module
    it calls does: after an edit of such a module, delete ``__pycache__``.
    """
    if not is_installed("numba"):
        return function
    from numba import njit

    try:
        return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # no folder can be written to: compile in every process
        return cast(F, njit(nogil=True, error_model="numpy")(function))


def check_compiler() -> None:
    """Say what to install where machine code is needed and there is no compiler."""
    check_installed("numba", extra="simulators")
