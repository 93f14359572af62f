"""The benchmark as one Python function: a corpus and models in, a leaderboard out, no file written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from scandl.corpora import Corpus
from scandl.corpora.corpus_folder import open_corpus
from scandl.errors import ConfigError, ScandlError, StoppedError, one_line
from scandl.models.catalogue import open_model
from scandl.models.model import Model
from scandl.models.readings import fold_readings
from scandl.records import Prediction
from scandl.splits import Fold
from scandl.workers import track
from scandl_eval.leaderboard.leaderboard import Leaderboard
from scandl_eval.running.board import build_leaderboard
from scandl_eval.running.scored_run import score_run, tests_of
from scandl_eval.running.tasks import Corpora, Group, RunConfig, folds_of, known_models


def benchmark(
    corpus: Corpus | str,
    models: Iterable[str | Any] = ("all",),
    *,
    settings: Sequence[str] = ("ns", "nr", "nrns"),
    test_corpus: Corpus | str | None = None,
    folds: Sequence[int] = (0, 1, 2, 3, 4),
    samples: int = 1,
    metrics: Sequence[str] = (),
    seed: int = 1,
    quiet: bool = True,
) -> Leaderboard:
    """Fit and score models in every setting and return the leaderboard.

    Parameters
    ----------
    corpus
        A corpus, or its name or folder.
    models
        Names, files, ``all`` for the baselines and the model that is trained quickest, or objects with
        ``fit`` and ``read``: each fold gets a fresh copy. An object is called by its attribute
        ``name``, or by its class.
    settings
        Any of ``ns`` (new sentences), ``nr`` (new readers), ``nrns`` (both new) and ``cross``.
    test_corpus
        What the setting ``cross`` is tested on.
    folds
        The numbers of the folds, 0 to 4.
    samples
        Scanpaths that each model generates per test item.
    metrics
        Names from ``METRICS`` of what to score by beside the usual ones.
    seed
        The seed of folds, training and generation.
    quiet
        Whether to leave out progress and notes.

    Returns
    -------
    Leaderboard
        One row per model, setting and metric, with intervals and ranks.

    Examples
    --------
    >>> board = benchmark("demo", ["left-to-right", "skip-short"], settings=["nrns"], folds=[0])
    >>> [row.model for row in board.rows if row.metric == "nld" and row.rank == 1]
    ['left-to-right']
    """
    readers = _opened_models(models)
    opened = _opened(corpus)
    other = None if test_corpus is None else _opened(test_corpus)
    config = RunConfig(
        corpus=opened.name,
        test_corpus=None if other is None else other.name,
        settings=tuple(settings),
        models=("left-to-right",),
        folds=tuple(folds),
        samples=samples,
        metrics=tuple(metrics),
        seed=seed,
    ).checked()
    corpora = Corpora(opened, other)
    predictions: dict[Group, list[Prediction]] = {}
    refused: dict[Group, str] = {}
    folds_to_run = [fold for of_setting in folds_of(config, corpora).values() for fold in of_setting]
    tasks = [(model, fold) for model in readers for fold in folds_to_run]
    for model, fold in track(tasks, "fit and generate", quiet=quiet):
        group = (model.name, fold.setting)
        found = _generated(model, fold, corpora, config) if group not in refused else ""
        if isinstance(found, str):
            refused.setdefault(group, found)
        else:
            predictions.setdefault(group, []).extend(found)
    kept = {group: found for group, found in predictions.items() if group not in refused}
    if not kept:
        raise ScandlError(next(iter(refused.values())))
    runs = score_run(kept, corpora, metrics=config.metrics, seed=seed)
    tests = tests_of([run.found for run in runs], corpora, resamples=config.resamples, seed=seed)
    return build_leaderboard(
        replace(config, models=tuple(model.name for model in readers)), corpora, runs, tests, refused
    )


def _generated(model: Model, fold: Fold, corpora: Corpora, config: RunConfig) -> list[Prediction] | str:
    """Return the predictions for one fold, or why the model cannot make them."""
    try:
        return fold_readings(
            model,
            fold,
            corpora.corpus,
            samples=config.samples,
            seed=config.seed,
            test_corpus=corpora.tested(fold.setting),
        )
    except StoppedError:
        raise
    except ScandlError as error:
        return one_line(error)


def _opened_models(models: Iterable[str | Any]) -> list[Model]:
    """Open the models; two of one name are refused."""
    opened: dict[str, Model] = {}
    for given in [models] if isinstance(models, str) else models:
        for source in known_models([given]) if isinstance(given, str) else [given]:
            model = open_model(source)
            if opened.setdefault(model.name, model) is not model:
                raise ConfigError(f"models: found {model.name!r} twice, expected different names")
    if not opened:
        raise ConfigError("a benchmark needs at least one model")
    return list(opened.values())


def _opened(corpus: Corpus | str) -> Corpus:
    return open_corpus(corpus) if isinstance(corpus, str) else corpus
