"""Public names of a package that are imported when they are first used.

``import scandl`` must stay instant and free of third parties, and yet offer what a notebook needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package whose public names live in other modules.

    >>> attribute, names = lazy_names("kitchen", {"dumps": "json"})
    >>> attribute("dumps")([1]), names()
    ('[1]', ['dumps'])
    >>> attribute("spoon")
    Traceback (most recent call last):
    AttributeError: module 'kitchen' has no attribute 'spoon'
    """

    def attribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return attribute, lambda: sorted(homes)
