"""What comes from other packages: optional dependencies, plug-ins; and names imported at their first use."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

from scandl.errors import ScandlError, did_you_mean


def need(module: str, extra: str) -> ModuleType:
    """Import ``module`` or say which ``pip install`` brings it.

    >>> need("no_such_module", "model")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    scandl.errors.ScandlError: this needs no_such_module, which is not installed: pip install ...[model]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and not module.startswith(error.name):
            raise
        raise _absent(module, extra) from None
    except OSError as error:  # a library of the system that it rests on is not there
        raise ScandlError(f"{module} cannot be loaded: {str(error).splitlines()[0]}") from None


def check_installed(*modules: str, extra: str) -> None:
    """Raise for the first module that is not there; commands ask before the long work.

    Nothing is imported.

    >>> check_installed("math", extra="model")
    """
    for module in modules:
        if not is_installed(module):
            raise _absent(module, extra)


def is_installed(*modules: str) -> bool:
    """Return whether all these packages are there, without importing them.

    >>> is_installed("math"), is_installed("math", "no_such_module")
    (True, False)
    """
    return all(importlib.util.find_spec(module.partition(".")[0]) is not None for module in modules)


def install_command(extra: str) -> str:
    """Return the command that adds an extra to the copy of the project that is running.

    A clone is named by its folder, since no index knows it. In any other installation pip finds what
    the extra brings in the metadata of the installed package, wherever the wheel came from.
    """
    clone = Path(__file__).resolve().parents[1]
    if not (clone / "pyproject.toml").is_file():
        return f"pip install 'scandl[{extra}]'"
    return f"pip install -e '{'.' if clone == Path.cwd() else clone}[{extra}]'"


def _absent(module: str, extra: str) -> ScandlError:
    package = module.partition(".")[0]
    return ScandlError(f"this needs {package}, which is not installed: {install_command(extra)}")


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


T = TypeVar("T")


class Registry(Generic[T]):
    """Things of one kind by name; an unknown name says what was meant and what there is.

    >>> animals: Registry[str] = Registry("animal")
    >>> _ = animals.register("cat")("miaow")
    >>> animals["cta"]
    Traceback (most recent call last):
    scandl.errors.ScandlError: no animal 'cta'; did you mean 'cat'? known: cat
    """

    def __init__(self, kind: str, *, entry_point_group: str | None = None) -> None:
        self._kind = kind
        self._group = entry_point_group
        self._items: dict[str, T] = {}
        self._searched: tuple[str, ...] = ()  # where packages were looked for

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that files what it decorates under ``name``."""

        def file(item: T) -> T:
            if name in self._items:
                raise ScandlError(f"{self._kind} {name!r} is registered twice")
            self._items[name] = item
            return item

        return file

    def __getitem__(self, name: str) -> T:
        if name not in self._items:
            self._load_entry_points()
        if name not in self._items:
            raise ScandlError(f"no {self._kind} {name!r}{did_you_mean(name, self._items)}")
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        self._load_entry_points()
        return iter(sorted(self._items))

    def values(self) -> list[T]:
        """Return the things, in the order of their names."""
        return [self._items[name] for name in self]

    def filed(self) -> list[T]:
        """Return the things in the order in which they were registered."""
        self._load_entry_points()
        return list(self._items.values())

    def __contains__(self, name: object) -> bool:
        return name in self._items or name in set(self)

    def _load_entry_points(self) -> None:
        """Add what other installed packages offer; our own names cannot be taken over."""
        if self._group is None or self._searched == tuple(sys.path):
            return
        self._searched = tuple(sys.path)
        from importlib.metadata import entry_points  # every command would wait for it

        for point in entry_points(group=self._group):
            if point.name not in self._items:
                self._items[point.name] = point.load()
