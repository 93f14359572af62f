"""Functions as machine code: numba's compiler with our types kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile on the first call, and keep the machine code beside the module for the next process.

    The kept code is thrown away when the function's own module changes, not when another module
    it calls does: after an edit of such a module, delete ``__pycache__``.
    """
    try:
        return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # no folder can be written to: compile in every process
        return cast(F, njit(nogil=True, error_model="numpy")(function))
