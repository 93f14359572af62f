"""What a run is asked to do, and its first half: a task fits one model on one fold and lets it read."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Self

from scandl.config import read_config
from scandl.corpora import Corpus
from scandl.corpora.corpus import corpus_digest
from scandl.errors import ConfigError, ScandlError, StoppedError, did_you_mean, one_line
from scandl.files.manifest import Pieces, code_digest, digest
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.measures.catalogue import METRICS
from scandl.models.catalogue import all_names, code_of, model_sources, open_model
from scandl.models.cognitive.predictability import SOURCES, Predictability
from scandl.models.cognitive.word_inputs import CLOZE
from scandl.models.cognitive.word_probabilities import COLUMNS
from scandl.models.diffusion.settings import PRESETS, preset
from scandl.models.readings import fold_readings
from scandl.models.trained_model import ModelOptions
from scandl.records import Prediction
from scandl.splits import SCHEMES, SETTINGS, Fold, make_cross, make_folds
from scandl.workers import TimeLeft, Workers, showing_trainings, track
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


Group = tuple[str, str]
"""(model, setting)"""


@dataclass(frozen=True, slots=True)
class Corpora:
    """What every worker holds: the corpus, and the one that is tested on in the setting cross."""

    corpus: Corpus
    test_corpus: Corpus | None = None

    def tested(self, setting: str) -> Corpus:
        """Return the corpus that the test pairs of a setting come from."""
        return self.test_corpus if setting == "cross" and self.test_corpus is not None else self.corpus


@dataclass(frozen=True, slots=True)
class Task:
    """One model on one fold."""

    model: str  # its name
    source: str  # what opens it: the name, a file, or a class in a Python file
    fold: Fold
    samples: int
    seed: int
    changes: tuple[str, ...] = ()  # settings of a network that is trained
    checkpoints: Path | None = None  # where such are kept
    context: str | None = None  # who says how expected words are, where a model uses that

    @property
    def group(self) -> Group:
        """The model and the setting it belongs to."""
        return self.model, self.fold.setting

    @property
    def name(self) -> str:
        """The name of its piece: ``markov/nrns-3``."""
        return f"{self.model}/{self.fold.fold_id}"


def folds_of(config: RunConfig, corpora: Corpora) -> dict[str, list[Fold]]:
    """Return the folds to run by setting."""
    found: dict[str, list[Fold]] = {}
    for setting in config.settings:
        if setting == "cross":
            found[setting] = [
                make_cross(corpora.corpus, corpora.tested(setting), scheme=config.scheme, seed=config.seed)
            ]
            continue
        every = make_folds(
            corpora.corpus, setting, scheme=config.scheme, seed=config.seed, n_folds=config.n_folds
        )
        found[setting] = [every[number] for number in config.folds]
    return found


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a model cannot do a task: a corpus without durations, too few sentences."""

    reason: str


def generate(corpora: Corpora, task: Task) -> list[Prediction] | Refused:
    """Do one task; this is what workers run."""
    try:
        return fold_readings(
            open_model(task.source, ModelOptions(context=task.context)),
            task.fold,
            corpora.corpus,
            samples=task.samples,
            seed=task.seed,
            test_corpus=corpora.tested(task.fold.setting),
            changes=task.changes,
            checkpoints=task.checkpoints,
        )
    except StoppedError:
        raise
    except ScandlError as error:
        return Refused(one_line(error))


def _timed(corpora: Corpora, task: Task) -> tuple[list[Prediction] | Refused, float]:
    """Do one task and say how many seconds it took."""
    started = time.monotonic()
    return generate(corpora, task), time.monotonic() - started


def make_predictions(
    tasks: Sequence[Task], corpora: Corpora, pieces: Pieces, workers: Workers, *, quiet: bool
) -> tuple[dict[Task, Path], dict[Group, str]]:
    """Do the tasks whose pieces are not there yet.

    Returns the pieces, and the models that refused a setting with their reasons: one model that a
    corpus does not suit must not cost the results of all others. Folds that such a model has done
    are kept: what went wrong may not be the corpus.
    """
    keys = _keys(tasks, corpora)
    paths = {task: pieces.path(task.name, key, ".csv") for task, key in zip(tasks, keys, strict=True)}
    missing = [task for task in tasks if not paths[task].exists()]
    work = workers.each(_timed, missing)
    reasons: dict[int, str] = {}
    left = TimeLeft([task.model for task in missing])
    with showing_trainings(not quiet):
        for i, (found, seconds) in track(
            work, "fit and generate", total=len(missing), quiet=quiet, left=left
        ):
            left.took(missing[i].model, seconds)
            if isinstance(found, Refused):
                reasons[i] = found.reason
            else:
                write_predictions(paths[missing[i]], found)
                pieces.seal(paths[missing[i]])
    refused: dict[Group, str] = {}
    pieces.keep(path for path in paths.values() if path.exists())
    for i in sorted(reasons):  # tasks end in any order; what is told must not depend on it
        refused.setdefault(missing[i].group, reasons[i])
    return {task: path for task, path in paths.items() if task.group not in refused}, refused


def join_folds(pieces: Mapping[Task, Path]) -> dict[Group, list[Prediction]]:
    """Read the folds of each model and setting, each once."""
    groups: dict[Group, list[Prediction]] = {}
    for task, path in pieces.items():
        groups.setdefault(task.group, []).extend(read_predictions(path, index_base=0))
    return groups


def write_by_group(groups: Mapping[Group, Sequence[Prediction]], folder: Path) -> None:
    """Write the predictions of each model and setting as ``<model>/<setting>.csv``."""
    for (model, setting), predictions in groups.items():
        write_predictions(folder / model / f"{setting}.csv", predictions)


def _keys(tasks: Sequence[Task], corpora: Corpora) -> list[str]:
    content = [
        corpus_digest(corpus) for corpus in (corpora.corpus, corpora.test_corpus) if corpus is not None
    ]
    folds = {fold.fold_id: digest(fold.train, fold.test) for fold in (task.fold for task in tasks)}
    codes = {source: code_digest(code_of(source)) for source in {task.source for task in tasks}}
    return [
        digest(
            content,
            folds[task.fold.fold_id],
            task.model,
            task.samples,
            task.seed,
            task.changes,
            task.context,
            codes[task.source],
        )
        for task in tasks
    ]
