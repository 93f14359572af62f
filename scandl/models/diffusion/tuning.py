"""The paper's search for hyper-parameters: random cells, triple cross-validation, NLD decides.

Trials live in a database, so that several processes or machines can share one study and an
interrupted one goes on. Which cells are tried is a function of the seed and their number alone. What a search
is asked to do is a file; the published one ships.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np

from scandl.config import read_config, to_table
from scandl.corpora.corpus import Corpus, corpus_digest
from scandl.errors import DivergedError, ScandlError
from scandl.extras import need
from scandl.models.diffusion.diffusion_model import Denoising
from scandl.models.diffusion.settings import ScandlConfig, preset
from scandl.models.readings import readings
from scandl.models.trained_model import ModelOptions, TrainedModel
from scandl.seeds import stream
from scandl.splits import Fold, make_folds
from scandl.statistics.distances import paired

SHIPPED = "paper-tuning"
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
WAIT = 5  # seconds between looks at the trials of others
RETRIED = "tries again"  # the attribute of a trial that tries the cell of one that failed
Cell = dict[str, Any]
Objective = Callable[[Cell], list[float]]
"""Takes a cell; returns the criterion of each fold, lower is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneConfig:
    """The number of cells, their folds and seeds, and what all cells have in common."""

    trials: int = 60
    scheme: str = "shuffled"
    seed: int = 1
    steps: int = 50  # denoising steps
    preset: str = "paper"
    changes: tuple[str, ...] = ()  # settings on top of the preset, such as training.steps=100

    def scandl(self) -> ScandlConfig:
        """Return the settings that all cells have in common."""
        return preset(self.preset, self.changes)


def read_tune_config(source: str | None) -> TuneConfig:
    """Read a file, or ``paper-tuning.toml``, which ships; a file of one's own comes first."""
    if source is None or Path(source).exists() or source.removesuffix(".toml") != SHIPPED:
        return read_config(TuneConfig, source)
    with as_file(files("scandl.models.diffusion").joinpath(f"{SHIPPED}.toml")) as path:
        return read_config(TuneConfig, path)


def draw_cell(seed: int, number: int) -> Cell:
    """Return a cell by its number, uniform over the valid ones: an invalid one is drawn again.

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
    config: ScandlConfig,
    corpus: Corpus,
    folder: Path | str,
    *,
    trials: int = 60,
    seed: int = 1,
    steps: int = 50,
    storage: str | None = None,
    device: str | None = None,
    scheme: str = "shuffled",
    quiet: bool = True,
) -> dict[str, Any]:
    """Try ``trials`` cells in all and return the best with its mean NLD and those of its folds.

    Checkpoints stand in ``folder``, and so does the database unless ``storage`` names another. A
    study with other settings, another corpus or another seed is not gone on with.
    """
    from scandl.training.processes import chosen_device  # torch, without which cells can still be drawn

    if trials < 1:
        raise ScandlError(f"--trials {trials}: expected at least 1")
    if steps < 2:
        raise ScandlError(f"--steps {steps}: expected at least 2")
    chosen_device(device)
    root = Path(folder)
    folds = make_folds(corpus, SETTING, scheme=scheme, seed=seed, n_folds=N_FOLDS)

    def objective(cell: Cell) -> list[float]:
        own, place = configured(config, cell), root / "-".join(str(value) for value in cell.values())
        return [
            fold_nld(
                own, corpus, fold, place / fold.fold_id, seed=seed, steps=steps, device=device, quiet=quiet
            )
            for fold in folds
        ]

    if storage is None:
        root.mkdir(parents=True, exist_ok=True)
        storage = f"sqlite:///{root / 'study.db'}"
    return search(objective, storage, trials=trials, seed=seed, facts=_facts(config, corpus, steps, scheme))


def fold_nld(
    config: ScandlConfig,
    corpus: Corpus,
    fold: Fold,
    folder: Path,
    *,
    seed: int,
    steps: int,
    device: str | None = None,
    quiet: bool = True,
) -> float:
    """Train on a fold and return the mean NLD of one generated path per human test path."""
    from scandl.models.diffusion.fold_training import train_fold
    from scandl.models.diffusion.torch_model import TrainedScandl

    network = TrainedScandl.load(
        train_fold(config, corpus, fold, folder, device=device, quiet=quiet), device=device
    )
    sampling = Denoising(steps=min(steps, network.process.steps))
    model = TrainedModel(network, "scandl", ModelOptions(sampling=sampling))
    made = readings(model, corpus.restricted_to(fold.test), seed=seed)
    return float(paired([p.human or () for p in made], [p.predicted for p in made]).mean())


def search(
    objective: Objective, storage: str, *, trials: int, seed: int, facts: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Try cells 0 to ``trials`` - 1, we or other processes, and return the best of them.

    ``facts`` are what else decides the result: a study that was begun with others is refused. A cell whose
    trial failed or died is tried again, so an interrupted study ends where another does. One whose loss
    is no number any more would end so again: it is given up, with a warning.
    """
    optuna = need("optuna", "model")
    optuna.logging.set_verbosity(optuna.logging.ERROR)  # it prints tracebacks of errors that we tell

    def run(trial: Any) -> float:
        # A process that died before its first heartbeat would be waited for without end.
        study._storage.record_heartbeat(trial._trial_id)
        cell = {name: trial.suggest_categorical(name, values) for name, values in SPACE.items()}
        try:
            scores = objective(cell)
        except DivergedError as error:
            warnings.warn(f"{cell} is given up: {error}", stacklevel=2)
            raise optuna.TrialPruned from None
        trial.set_user_attr("nld_of_folds", scores)
        return float(np.mean(scores))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # the heartbeat is one
        study = _open_study(optuna, storage, seed)
        _same_study(study, storage, {"seed": seed, **(facts or {})})
        while True:
            optuna.storages.fail_stale_trials(study)
            states = _states(study)
            if all(states.get(number) in ("COMPLETE", "PRUNED") for number in range(trials)):
                break
            failed = [number for number, state in states.items() if state == "FAIL" and number < trials]
            if failed:
                study.enqueue_trial(draw_cell(seed, failed[0]), user_attrs={RETRIED: failed[0]})
            elif "WAITING" not in states.values() and max(states, default=-1) + 1 >= trials:
                time.sleep(WAIT)  # others are at the last ones
                continue
            study.optimize(run, n_trials=1)
    return _best(study, trials)


def _best(study: Any, trials: int) -> dict[str, Any]:
    """Return the best of the first ``trials`` cells; other processes may have tried more."""
    every = study.trials
    finished = [t for t in every if t.state.name == "COMPLETE" and cell_number(every, t) < trials]
    if not finished:
        raise ScandlError(f"none of the {trials} cells could be trained: lower training.lr")
    best = min(finished, key=lambda trial: trial.value)
    return {**best.params, "nld": best.value, "nld_of_folds": best.user_attrs["nld_of_folds"]}


def cell_number(trials: Sequence[Any], trial: Any) -> int:
    """Return which cell a trial of a study tries: one that is tried again says so, the others count up."""
    again = trial.user_attrs.get(RETRIED)
    if again is not None:
        return int(again)
    return int(trial.number - sum(RETRIED in t.user_attrs for t in trials if t.number < trial.number))


def _states(study: Any) -> dict[int, str]:
    """Return how the last trial of each cell stands; one that was finished stays so."""
    every = study.trials
    states: dict[int, str] = {}
    for trial in every:
        number = cell_number(every, trial)
        if states.get(number) not in ("COMPLETE", "PRUNED"):
            states[number] = trial.state.name
    return states


def _open_study(optuna: Any, storage: str, seed: int) -> Any:
    try:
        return optuna.create_study(
            study_name=STUDY,
            sampler=_sampler(optuna, seed),
            load_if_exists=True,
            storage=optuna.storages.RDBStorage(storage, heartbeat_interval=HEARTBEAT),
        )
    except Exception as error:  # of the database, its driver or the network: they have no base in common
        raise ScandlError(f"{storage}: cannot be opened as a study ({str(error).splitlines()[0]})") from None


def _same_study(study: Any, storage: str, facts: Mapping[str, Any]) -> None:
    """Raise if a study was begun with other facts; a new one takes them."""
    own = json.loads(json.dumps(facts))  # as the database gives them back
    known = study.user_attrs.get("facts")
    if known is None and not study.trials:
        study.set_user_attr("facts", own)
        return
    if known is None:
        raise ScandlError(f"{storage}: a study that does not say what it was made with; give another --out")
    for name in {**own, **known}:
        if own.get(name) != known.get(name):
            raise ScandlError(
                f"{storage}: a study made with {name} {known.get(name)}, not {own.get(name)};"
                " give another --out or --storage"
            )


def _facts(config: ScandlConfig, corpus: Corpus, steps: int, scheme: str) -> dict[str, Any]:
    """Return what decides the score of a cell, by the name a user gave it."""
    settings = {
        f"{group}.{name}": value for group, table in to_table(config).items() for name, value in table.items()
    }
    return {
        "corpus": f"{corpus.name} ({corpus_digest(corpus)[:16]})",
        "steps": steps,
        "scheme": scheme,
        **settings,
    }


def _sampler(optuna: Any, seed: int) -> Any:
    """Return the sampler that gives each trial its cell."""

    class CellSampler(optuna.samplers.BaseSampler):  # type: ignore[misc]
        def infer_relative_search_space(self, study: Any, trial: Any) -> dict[str, Any]:
            return {
                name: optuna.distributions.CategoricalDistribution(values) for name, values in SPACE.items()
            }

        def sample_relative(self, study: Any, trial: Any, search_space: dict[str, Any]) -> Cell:
            return draw_cell(seed, cell_number(study.trials, trial))

        def sample_independent(self, study: Any, trial: Any, param_name: str, param_distribution: Any) -> Any:
            return draw_cell(seed, cell_number(study.trials, trial))[param_name]

    return CellSampler()
