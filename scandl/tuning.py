"""The paper's search for hyper-parameters: random cells, triple cross-validation, NLD decides.

Trials live in a database, so that several processes or machines can share one study and an
interrupted one goes on. Which cell a trial tries is a function of the seed and its number.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from scandl.corpora.base import Corpus
from scandl.distances import paired
from scandl.errors import ScandlError
from scandl.extras import need
from scandl.generation import Sampling
from scandl.generators import Request
from scandl.seeds import stream
from scandl.settings import ScandlConfig
from scandl.splits import Fold, make_folds

SPACE: dict[str, tuple[Any, ...]] = {
    "layers": (2, 4, 8, 12, 16),
    "heads": (2, 4, 8, 12, 16),
    "dim": (128, 256, 512, 768),
    "schedule": ("linear", "sqrt", "cosine", "trunc_cos", "trunc_lin"),
}
SETTING = "nrns"
N_FOLDS = 3
STUDY = "scandl"
HEARTBEAT = 60  # seconds; a trial that misses two has died and is tried again

Cell = dict[str, Any]
Objective = Callable[[Cell], list[float]]
"""Takes a cell; returns the criterion of each fold, lower is better."""


def draw_cell(seed: int, number: int) -> Cell:
    """Return the cell of a trial, uniform over the valid ones: an invalid one is drawn again.

    >>> draw_cell(1, 0) == draw_cell(1, 0)
    True
    """
    rng = stream(seed, "tune", number)
    while True:
        cell = {name: values[int(rng.integers(len(values)))] for name, values in SPACE.items()}
        if is_valid(cell):
            return cell


def is_valid(cell: Cell) -> bool:
    """Return whether the heads divide the width: 425 of the 500 cells.

    >>> is_valid({"heads": 12, "dim": 256}), is_valid({"heads": 12, "dim": 768})
    (False, True)
    """
    return bool(cell["dim"] % cell["heads"] == 0)


def configured(config: ScandlConfig, cell: Cell) -> ScandlConfig:
    """Return ``config`` with the values of a cell."""
    model = replace(config.model, layers=cell["layers"], heads=cell["heads"], dim=cell["dim"])
    return replace(config, model=model, diffusion=replace(config.diffusion, schedule=cell["schedule"]))


def tune(
    config: ScandlConfig, corpus: Corpus, folder: Path | str, *, trials: int = 60, seed: int = 1,
    steps: int = 50, storage: str | None = None, device: str | None = None, quiet: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Try ``trials`` cells in all and return the best with its mean NLD and those of its folds.

    Checkpoints stand in ``folder``, and so does the database unless ``storage`` names another.
    """
    root = Path(folder)
    folds = make_folds(corpus, SETTING, seed=seed, n_folds=N_FOLDS)

    def objective(cell: Cell) -> list[float]:
        own, place = configured(config, cell), root / "-".join(str(value) for value in cell.values())
        return [
            fold_nld(
                own, corpus, fold, place / fold.fold_id, seed=seed, steps=steps, device=device, quiet=quiet
            )
            for fold in folds
        ]

    root.mkdir(parents=True, exist_ok=True)
    return search(objective, storage or f"sqlite:///{root / 'study.db'}", trials=trials, seed=seed)


def fold_nld(
    config: ScandlConfig, corpus: Corpus, fold: Fold, folder: Path, *, seed: int, steps: int,
    device: str | None = None, quiet: bool = True,
) -> float:  # fmt: skip
    """Train on a fold and return the mean NLD of one generated path per human test path."""
    from scandl.model import TrainedScandl
    from scandl.training import train_fold

    model = TrainedScandl.load(
        train_fold(config, corpus, fold, folder, device=device, quiet=quiet), device=device
    )
    requests = [Request(corpus.sentences[sentence], reader) for reader, sentence in fold.test]
    generated = model.generate(requests, seed=seed, sampling=Sampling(steps=min(steps, model.process.steps)))
    humans = [corpus.by_pair[pair].words for pair in fold.test]
    return float(paired(humans, [path.words for path in generated]).mean())


def search(objective: Objective, storage: str, *, trials: int, seed: int) -> dict[str, Any]:
    """Run trials until the study in ``storage`` has ``trials`` finished ones, ours or others'."""
    if trials < 1:
        raise ScandlError(f"--trials {trials}: expected at least 1")
    optuna = need("optuna", "model")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    complete = (optuna.trial.TrialState.COMPLETE,)

    def run(trial: Any) -> float:
        cell = draw_cell(seed, trial.number)
        for name, values in SPACE.items():
            trial.suggest_categorical(name, values)
        scores = objective(cell)
        trial.set_user_attr("nld_of_folds", scores)
        return float(np.mean(scores))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # the heartbeat is one
        study = optuna.create_study(
            study_name=STUDY, sampler=_sampler(optuna, seed), load_if_exists=True,
            storage=optuna.storages.RDBStorage(storage, heartbeat_interval=HEARTBEAT),
        )  # fmt: skip
        if len(study.get_trials(deepcopy=False, states=complete)) < trials:
            study.optimize(run, callbacks=[optuna.study.MaxTrialsCallback(trials, states=complete)])
    best = study.best_trial
    return {**best.params, "nld": best.value, "nld_of_folds": best.user_attrs["nld_of_folds"]}


def _sampler(optuna: Any, seed: int) -> Any:
    """Return the sampler that gives each trial the cell of its number."""

    class CellSampler(optuna.samplers.BaseSampler):  # type: ignore[misc]
        def infer_relative_search_space(self, study: Any, trial: Any) -> dict[str, Any]:
            return {
                name: optuna.distributions.CategoricalDistribution(values) for name, values in SPACE.items()
            }

        def sample_relative(self, study: Any, trial: Any, search_space: dict[str, Any]) -> Cell:
            return draw_cell(seed, trial.number)

        def sample_independent(self, study: Any, trial: Any, param_name: str, param_distribution: Any) -> Any:
            return draw_cell(seed, trial.number)[param_name]

    return CellSampler()
