"""Generators every model should be compared with, one file each; importing this package loads none."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from scandl.generators import GENERATORS, Generator, HasLikelihood


def find_generator(name: str) -> Callable[[], Generator]:
    """Return what makes the generator ``name``: one of ours, or one another package registered."""
    _load()
    return GENERATORS[name]


def generator_names() -> list[str]:
    """Return the names of all generators, ours and those of other packages."""
    _load()
    return list(GENERATORS)


def baseline_names() -> list[str]:
    """Return the baselines of this package, each once although some have a second name."""
    names: dict[Callable[[], Generator], str] = {}
    for name in generator_names():
        factory = GENERATORS[name]
        if factory.__module__.startswith(f"{__name__}."):
            names.setdefault(factory, name)
    return list(names.values())


@dataclass(frozen=True, slots=True)
class Description:
    """A generator as ``scandl-eval baseline list`` shows it."""

    name: str
    about: str
    likelihood: bool  # whether it says how probable a human path is


def describe_generators() -> list[Description]:
    """Return one line about each generator, from the first line of its docstring."""
    described = []
    for name in generator_names():
        factory = GENERATORS[name]
        about = (factory.__doc__ or "").strip().partition("\n")[0]
        likelihood = isinstance(factory, type) and issubclass(factory, HasLikelihood)
        described.append(Description(name, about, likelihood))
    return described


def _load() -> None:
    """Import every module of this package; each registers its generators."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    import_module("scandl.scandl_generator")  # ScanDL itself, which lives in the room below
