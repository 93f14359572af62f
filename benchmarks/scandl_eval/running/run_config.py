"""What a benchmark run is asked to do; the published experiments ship as files that ``--config`` takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Self

from scandl.config import read_config
from scandl.corpora import Corpus
from scandl.errors import ConfigError, did_you_mean
from scandl.measures.catalogue import METRICS
from scandl.models.catalogue import all_names, model_sources
from scandl.models.cognitive.predictability import SOURCES, Predictability
from scandl.models.cognitive.word_inputs import CLOZE
from scandl.models.cognitive.word_probabilities import COLUMNS
from scandl.models.diffusion.settings import PRESETS, preset
from scandl.splits import SCHEMES, SETTINGS
from scandl_eval.leaderboard.leaderboard import one_of_each_family

ALL, ALL_VARIANTS = "all", "all-variants"
"""What is fitted in seconds or less than a minute: one of each family of models, or every variant."""
_NUMBERS = (
    ("samples", 1, 100_000),
    ("resamples", 1, 10_000_000),
    ("n_folds", 2, 100_000),
    ("seed", 0, 2**63 - 1),
)

FOLDER = "scandl_eval.recipes"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Corpora, settings, models and seeds of one run; ``run.toml`` holds exactly these."""

    corpus: str = "demo"
    test_corpus: str | None = None  # needed by the setting cross alone
    settings: tuple[str, ...] = ("ns", "nr", "nrns")
    models: tuple[str, ...] = (ALL,)
    metrics: tuple[str, ...] = ()  # beside the usual ones
    predictions: tuple[str, ...] = ()  # files of models that were fitted elsewhere, on the same folds
    columns: tuple[str, ...] = ()  # which column of these files is which, such as predicted=path
    index_base: int | None = None  # what positions in these files count from, 0 or 1
    folds: tuple[int, ...] = (0, 1, 2, 3, 4)  # those to run, of n_folds
    n_folds: int = 5
    scheme: str = "shuffled"
    samples: int = 1  # paths generated for each human path
    words: str | None = None  # a table of the words of the corpus, for models that read their properties
    context: str | None = None  # who tells trained models how expected words are; None: as they ship
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

    def with_word_inputs(self, corpus: Corpus, *, words: bool = True) -> Corpus:
        """Return the corpus with what models are told of its words; without ``words`` not from the table."""
        asked = (words and self.words is not None) or self.predictability != "auto"
        if not asked and not corpus.words.keys() & {CLOZE, *COLUMNS}:
            return corpus  # nothing is known that could be told
        told = self.word_inputs
        return (told if words else replace(told, words=None)).of(corpus)

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
        if len(self.calibration) != 2:
            raise ConfigError(f"calibration: found {list(self.calibration)}, expected intercept and slope")
        for name, least, most in _NUMBERS:
            found = getattr(self, name)
            if not least <= found <= most:
                expected = f"a number from {least}" if found < least else f"at most {most:,}"
                raise ConfigError(f"setting {name!r}: found {found}, expected {expected}")
        for name in PRESETS if self.changes else ():
            preset(name, self.changes)  # a setting that is not there is refused before anything is trained
        for fold in self.folds:
            if not 0 <= fold < self.n_folds:
                raise ConfigError(f"no fold {fold!r}; known: 0 to {self.n_folds - 1}")
        for name in self.metrics:
            if METRICS[name].asked_as and not METRICS[name].usual:
                raise ConfigError(f"{name} is of 'scandl-eval score', not of a run")
        if "cross" in self.settings and self.test_corpus is None:
            raise ConfigError("setting 'cross' needs a second corpus: give --test-corpus")
        if not (self.settings and self.models and self.folds):
            raise ConfigError("a run needs at least one setting, one model and one fold")
        return replace(
            self,
            settings=_once(self.settings),
            models=known_models(self.models),
            metrics=_once(self.metrics),
            folds=tuple(sorted(set(self.folds))),
        )


def known_models(names: Iterable[str]) -> tuple[str, ...]:
    """Return the models with ``all`` and ``all-variants`` replaced by what they mean; no unknown names."""
    spelt_out: list[str] = []
    for name in names:
        meant = all_names() if name in (ALL, ALL_VARIANTS) else [name]
        spelt_out += one_of_each_family(meant) if name == ALL else meant
    model_sources(_once(spelt_out))  # an unknown name is refused, and one that two models have
    return _once(spelt_out)


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def recipe_names() -> list[str]:
    """Return the names of the shipped configurations.

    >>> recipe_names()
    ['paper', 'paper-ablations', 'paper-cross']
    """
    return sorted(
        found.name.removesuffix(".toml") for found in files(FOLDER).iterdir() if found.name.endswith(".toml")
    )


def read_run_config(source: str | None) -> RunConfig:
    """Read a file, or the shipped configuration of that name; a file of one's own comes first."""
    name = "" if source is None else source.removesuffix(".toml")
    if source is None or Path(source).exists() or name not in recipe_names():
        return read_config(RunConfig, source)
    with as_file(files(FOLDER).joinpath(f"{name}.toml")) as path:
        return read_config(RunConfig, path)
