"""Names for functions and classes, open to other packages through entry points."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from typing import Generic, TypeVar

from scandl.errors import ScandlError, did_you_mean

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
        for point in entry_points(group=self._group):
            if point.name not in self._items:
                self._items[point.name] = point.load()
