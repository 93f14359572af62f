"""What a benchmark run is asked to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from scandl.diffusion.settings import PRESETS, preset
from scandl.errors import ConfigError, did_you_mean
from scandl.splits import SCHEMES, SETTINGS
from scandl_eval.models.cognitive.predictability import SOURCES, Predictability
from scandl_eval.models.generator_catalogue import all_names, find_generator

ALL = "all"
_NUMBERS = (
    ("samples", 1, 100_000), ("resamples", 1, 10_000_000), ("n_folds", 2, 100_000), ("seed", 0, 2**63 - 1),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Corpora, settings, models and seeds of one run; ``run.toml`` holds exactly these."""

    corpus: str = "demo"
    test_corpus: str | None = None  # needed by the setting cross alone
    settings: tuple[str, ...] = ("ns", "nr", "nrns")
    models: tuple[str, ...] = (ALL,)
    predictions: tuple[str, ...] = ()  # files of models that were fitted elsewhere, on the same folds
    columns: tuple[str, ...] = ()  # which column of these files is which, such as predicted=path
    folds: tuple[int, ...] = (0, 1, 2, 3, 4)  # those to run, of n_folds
    n_folds: int = 5
    scheme: str = "shuffled"
    samples: int = 1  # paths generated for each human path
    words: str | None = None  # a table of the words of the corpus, for models that read their properties
    predictability: str = "auto"  # or cloze, surprisal, zero
    calibration: tuple[float, ...] = (0.0, 1.0)  # from a language model's probability to cloze
    changes: tuple[str, ...] = ()  # settings of ScanDL on top of its preset, such as training.steps=100
    keep_checkpoints: bool = False  # in the run folder: a training that was stopped goes on where it was
    resamples: int = 2000  # of the bootstrap that gives the AUC its interval
    seed: int = 1

    @property
    def word_inputs(self) -> Predictability:
        """What models that read properties of the words are told."""
        return Predictability(words=self.words, source=self.predictability, calibration=self.calibration)

    def checked(self) -> Self:
        """Return the configuration with ``all`` spelt out, or say which value cannot be."""
        for kind, names, known in (
            ("setting", self.settings, tuple(SETTINGS)),
            ("scheme", (self.scheme,), SCHEMES),
            ("predictability", (self.predictability,), SOURCES),
        ):
            for name in names:
                if name not in known:
                    raise ConfigError(f"no {kind} {name!r}{did_you_mean(name, known)}")
        for name, least, most in _NUMBERS:
            found = getattr(self, name)
            if not least <= found <= most:
                expected = f"a number from {least}" if found < least else f"at most {most:,}"
                raise ConfigError(f"setting {name!r}: found {found}, expected {expected}")
        for name in PRESETS:
            preset(name, self.changes)  # a setting that is not there is refused before anything is trained
        for fold in self.folds:
            if not 0 <= fold < self.n_folds:
                raise ConfigError(f"no fold {fold!r}; known: 0 to {self.n_folds - 1}")
        if "cross" in self.settings and self.test_corpus is None:
            raise ConfigError("setting 'cross' needs a second corpus: give --test-corpus")
        if not (self.settings and self.models and self.folds):
            raise ConfigError("a run needs at least one setting, one model and one fold")
        return replace(
            self,
            settings=_once(self.settings),
            models=known_models(self.models),
            folds=tuple(sorted(set(self.folds))),
        )


def known_models(names: Iterable[str]) -> tuple[str, ...]:
    """Return the models with ``all`` replaced by what it means; an unknown name is refused."""
    spelt_out = [model for name in names for model in (all_names() if name == ALL else [name])]
    for name in spelt_out:
        find_generator(name)
    return _once(spelt_out)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
