"""The benchmark as one Python function: a corpus and models in, a leaderboard out, no file written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ConfigError, ScandlError, StoppedError, one_line
from scandl.models.fold_predictions import find_generator, predict
from scandl.models.model import Generator
from scandl.progress import track
from scandl.records import Prediction
from scandl.splits import Fold
from scandl_eval.leaderboard.leaderboard import Leaderboard
from scandl_eval.running.board import build_leaderboard
from scandl_eval.running.run_config import RunConfig, known_models
from scandl_eval.running.scored_run import score_run, tests_of
from scandl_eval.running.tasks import Corpora, Group, folds_of

Factory = Callable[[], Generator]


def benchmark(
    corpus: Corpus | str,
    models: Iterable[str | Any] = ("all",),
    *,
    settings: Sequence[str] = ("ns", "nr", "nrns"),
    test_corpus: Corpus | str | None = None,
    folds: Sequence[int] = (0, 1, 2, 3, 4),
    samples: int = 1,
    seed: int = 1,
    quiet: bool = True,
) -> Leaderboard:
    """Fit and score models in every setting and return the leaderboard.

    Parameters
    ----------
    corpus
        A corpus, or its name or folder.
    models
        Names of generators, ``all`` for the baselines and ScanDL's quickest model, or objects with
        ``fit`` and ``generate``: each fold gets a fresh copy. An object is called by its attribute
        ``name``, or by its class.
    test_corpus
        What the setting ``cross`` is tested on.

    Examples
    --------
    >>> board = benchmark("demo", ["left-to-right", "skip-short"], settings=["nrns"], folds=[0])
    >>> [row.model for row in board.rows if row.metric == "nld" and row.rank == 1]
    ['left-to-right']
    """
    named = _named(models)
    opened = _opened(corpus)
    other = None if test_corpus is None else _opened(test_corpus)
    config = RunConfig(
        corpus=opened.name,
        test_corpus=None if other is None else other.name,
        settings=tuple(settings),
        models=("left-to-right",),
        folds=tuple(folds),
        samples=samples,
        seed=seed,
    ).checked()
    corpora = Corpora(opened, other)
    predictions: dict[Group, list[Prediction]] = {}
    refused: dict[Group, str] = {}
    tasks = [
        (name, factory, fold)
        for name, factory in named.items()
        for found in folds_of(config, corpora).values()
        for fold in found
    ]
    for name, factory, fold in track(tasks, "fit and generate", quiet=quiet):
        group = (name, fold.setting)
        found = _generated(name, factory, fold, corpora, config) if group not in refused else ""
        if isinstance(found, str):
            refused.setdefault(group, found)
        else:
            predictions.setdefault(group, []).extend(found)
    kept = {group: found for group, found in predictions.items() if group not in refused}
    if not kept:
        raise ScandlError(next(iter(refused.values())))
    runs = score_run(kept, corpora, seed=seed)
    tests = tests_of([run.found for run in runs], corpora, resamples=config.resamples, seed=seed)
    return build_leaderboard(replace(config, models=tuple(named)), corpora, runs, tests, refused)


def _generated(
    name: str, factory: Factory, fold: Fold, corpora: Corpora, config: RunConfig
) -> list[Prediction] | str:
    """Return the predictions for one fold, or why the model cannot make them."""
    try:
        return predict(
            factory,
            fold,
            corpora.corpus,
            model=name,
            samples=config.samples,
            seed=config.seed,
            test_corpus=corpora.tested(fold.setting),
        )
    except StoppedError:
        raise
    except ScandlError as error:
        return one_line(error)


def _named(models: Iterable[str | Any]) -> dict[str, Factory]:
    """Return what makes each model, by name; two of one name are refused."""
    found: dict[str, Factory] = {}
    for model in [models] if isinstance(models, str) else models:
        if isinstance(model, str):
            new: dict[str, Factory] = {name: find_generator(name) for name in known_models([model])}
        elif hasattr(model, "fit") and hasattr(model, "generate"):
            new = {str(getattr(model, "name", type(model).__name__)): partial(deepcopy, model)}
        else:
            raise ConfigError(
                f"models: found {type(model).__name__}, expected a name or an object with fit and generate"
            )
        for name in new:
            if name in found:
                raise ConfigError(f"models: found {name!r} twice, expected different names")
        found |= new
    if not found:
        raise ConfigError("a benchmark needs at least one model")
    return found


def _opened(corpus: Corpus | str) -> Corpus:
    return open_corpus(corpus) if isinstance(corpus, str) else corpus
