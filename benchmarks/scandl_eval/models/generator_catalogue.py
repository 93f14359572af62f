"""All generators by name: the baselines every model should be compared with, and the trained models."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from scandl.extras import install_command, is_installed
from scandl.generators import GENERATORS, Generator, HasLikelihood
from scandl_eval.models.baselines import times_by_word

_BASELINES = (
    "ezreader.ezreader_generator", "baselines.left_to_right", "baselines.markov",
    "baselines.medoid", "simplified_swift.simplified_swift_generator", "baselines.skip_short",
    "swift.swift_generator", "baselines.train_label", "baselines.uniform",
)  # fmt: skip
"""Modules whose generators are fitted in seconds."""
_TRAINED = (
    "scandl_eval.models.eyettention.eyettention_generator", "scandl.training.scandl_generator",
    "scandl.pointer.generator", "scandl.pointer.people_generator",
)  # fmt: skip
"""Modules whose generators train for minutes, or have been trained: they run where they are named."""


QUICKLY_TRAINED = ("scanpath-transformer",)
"""Trained models that a fold takes less than a minute of: with the baselines they are what ``all`` means."""


def find_generator(name: str) -> Callable[[], Generator]:
    """Return what makes the generator ``name``: one of ours, or one another package registered.

    ``markov+times-by-word`` is markov with durations.
    """
    _load()
    base, added, what = name.rpartition("+")
    if added and what == times_by_word.NAME and name not in GENERATORS:
        return times_by_word.Timed(GENERATORS[base])
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
        if factory.__module__.startswith(_modules()):
            names.setdefault(factory, name)
    return list(names.values())


def all_names() -> list[str]:
    """Return what ``all`` means: the baselines, and ScanDL's quickest model where torch is there."""
    if is_installed("torch"):
        return [*baseline_names(), *QUICKLY_TRAINED]
    warnings.warn(
        f"all: without {', '.join(QUICKLY_TRAINED)}, which needs torch: {install_command('model')}",
        stacklevel=2,
    )
    return baseline_names()


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


def _modules() -> tuple[str, ...]:
    """Return the modules of the baselines."""
    return tuple(f"scandl_eval.models.{name}" for name in _BASELINES)


def _load() -> None:
    """Import every module that has generators; each registers its own."""
    for module in (*_modules(), *_TRAINED):
        import_module(module)
