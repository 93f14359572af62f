"""The first half of a run: one task fits one model on one fold and generates for its test part."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scandl.corpora import Corpus
from scandl.corpora.corpus import corpus_digest, digest
from scandl.errors import ScandlError, StoppedError, one_line
from scandl.files.prediction_files import read_predictions, write_predictions
from scandl.models.catalogue import code_of, open_model
from scandl.models.readings import fold_readings
from scandl.models.trained_model import ModelOptions
from scandl.piece_cache import Pieces, code_digest
from scandl.progress import TimeLeft, showing_trainings, track
from scandl.records import Prediction
from scandl.splits import Fold, make_cross, make_folds
from scandl.workers import Workers
from scandl_eval.running.run_config import RunConfig

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
