"""Run a command and print the modules of the project in which it does work, one per line.

``python tests/end_to_end/modules_visited.py scandl_eval nld --pred preds.csv``

A module does work when one of its functions runs; to be imported is not enough.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import sys
from importlib import import_module
from types import FrameType
from typing import Any

PACKAGES = ("scandl", "scandl_eval", "scandl_analysis", "scandl_reports")


def visited(package: str, arguments: list[str]) -> list[str]:
    """Return the modules whose functions run between the parsed call and its end."""
    found: set[str] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name not in found and name.partition(".")[0] in PACKAGES and _works(frame):
            found.add(name)

    parsed = import_module(f"{package}.cli").parser().parse_args(arguments)
    sys.setprofile(watch)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            parsed.run(parsed)
    finally:
        sys.setprofile(None)
    return sorted(found)


def _works(frame: FrameType | None) -> bool:
    """Say whether a call is work: no body of a class, not made while a module is imported or code compiled."""
    if frame is None or not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return False
    while frame is not None and frame.f_code.co_name != "visited":
        module = frame.f_globals.get("__name__", "")
        if frame.f_code.co_name == "<module>" or module.startswith(("importlib.", "numba.")):
            return False
        frame = frame.f_back
    return True


if __name__ == "__main__":
    print("\n".join(visited(sys.argv[1], sys.argv[2:])))
