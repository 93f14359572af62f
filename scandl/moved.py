"""Modules that have moved: their old names work for one version, with a warning."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MOVED = {
    "scandl.atomic": "scandl.files.results",
    "scandl.corpora.base": "scandl.corpora.corpus",
    "scandl.corpora.catalogue": "scandl.corpora.corpus_folder",
    "scandl.corpora.importers.arguments": "scandl.corpora.importers.import_flags",
    "scandl.corpora.importers.base": "scandl.corpora.importers.importer",
    "scandl.corpora.importers.report": "scandl.corpora.importers.fixation_report",
    "scandl.frequency": "scandl.reading.word_frequency",
    "scandl.io": "scandl.files.prediction_files",
    "scandl_analysis.correlations": "scandl_analysis.behaviour.correlations",
    "scandl_analysis.durations": "scandl_analysis.measures.word_measures",
    "scandl_analysis.psycholing": "scandl_analysis.effects.psycholing",
    "scandl_analysis.readings": "scandl_analysis.words.analysed_run",
    "scandl_analysis.run_folder": "scandl_analysis.words.analysed_run",
    "scandl_analysis.synonyms": "scandl_analysis.measures.measure_names",
    "scandl_analysis.table": "scandl_analysis.words.word_table",
    "scandl_analysis.variability": "scandl_analysis.behaviour.variability",
    "scandl_eval.cognitive": "scandl_eval.models.cognitive",
    "scandl_eval.cognitive.ezreader": "scandl_eval.models.ezreader.ezreader",
    "scandl_eval.cognitive.inputs": "scandl_eval.models.cognitive.word_inputs",
    "scandl_eval.cognitive.validation": "scandl_eval.models.ezreader.ezreader_misfit",
    "scandl_eval.comparison": "scandl_eval.scoring.comparison",
    "scandl_eval.evaluation": "scandl_eval.scoring.evaluation",
    "scandl_eval.eyettention": "scandl_eval.models.eyettention",
    "scandl_eval.eyettention.generator": "scandl_eval.models.eyettention.eyettention_generator",
    "scandl_eval.eyettention.settings": "scandl_eval.models.eyettention.eyettention_settings",
    "scandl_eval.spec": "scandl_eval.scoring.scoring_spec",
}
"""The documented modules: old name -> new name."""


class MovedModule(ModuleType):
    """A module under its old name; what it holds is looked up under the new one.

    Calling it calls the function of the same name: ``scandl_analysis.variability`` was a module and is
    a function now, and importing the old module must not take the function away.
    """

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # a file found along it would be loaded a second time, under the old name
            raise AttributeError(name)
        return getattr(import_module(MOVED[self.__name__]), name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function of the module's own name."""
        return getattr(self, self.__name__.rpartition(".")[2])(*args, **kwargs)


class MovedFinder:
    """Finds modules under their old names; it is asked last, when nobody else knows the name.

    It is finder and loader by its methods: ``importlib.abc`` would cost every command some milliseconds.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where an old name leads; None for any other."""
        if fullname not in MOVED:
            return None
        is_package = any(old.startswith(f"{fullname}.") for old in MOVED)
        return ModuleSpec(fullname, self, is_package=is_package)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module that forwards."""
        return MovedModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Say where the module is now."""
        warnings.warn(moved_message(module.__name__), DeprecationWarning, stacklevel=2)


def moved_message(old: str) -> str:
    """Return what is said of an old name.

    >>> moved_message("scandl.io")
    'scandl.io is now scandl.files.prediction_files; the old name works until version 0.2'
    """
    return f"{old} is now {MOVED[old]}; the old name works until version 0.2"


def old_names(package: str, module: str) -> Callable[[str], Any]:
    """Return ``__getattr__`` of a package that was a module: its old contents are now in ``module``."""

    def attribute(name: str) -> Any:
        # Submodules and dunder names are asked for here too, before anybody looks for a file.
        found = None if name.startswith("_") else getattr(import_module(module), name, None)
        if found is None or getattr(found, "__module__", module) != module:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        told = f"{package}.{name} is now in {module}; the old name works until version 0.2"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        return found

    return attribute


def install() -> None:
    """Let old names be found, once a process."""
    if not any(isinstance(finder, MovedFinder) for finder in sys.meta_path):
        sys.meta_path.append(MovedFinder())
