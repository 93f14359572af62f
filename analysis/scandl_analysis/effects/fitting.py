"""Many regressions at once: in parallel, each kept on disk as soon as it is done, and their tables."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import pandas as pd

from scandl.errors import ScandlError
from scandl.files.results import atomic_file, package_version
from scandl.workers import track
from scandl.workers import workers as workers_of
from scandl_analysis.effects.model_checks import LENGTH_CLASS, predictive_checks
from scandl_analysis.glm.design import NotEstimableError
from scandl_analysis.glm.diagnostics import Diagnosis, diagnose
from scandl_analysis.glm.fit import fit
from scandl_analysis.glm.marginal import spread_draws
from scandl_analysis.glm.spec import Fit, Glm, Sampling
from scandl_analysis.words.word_table import VERSION, versions_of

_scheduler: ContextVar[str | None] = ContextVar("scheduler", default=None)
_STORED = 9
"""Version of what is kept of a fit; an older one is fitted again."""


CHECKS = [
    "model",
    "measure",
    "check",
    "class",
    "n_words",
    "observed",
    "expected",
    "ci_low",
    "ci_high",
    "count",
]
DIAGNOSTICS = ["model", "measure", "n_rows", "engine", *Diagnosis({}).row]


@dataclass(frozen=True)
class FitJob:
    """One regression of one source."""

    model: str
    glm: Glm
    frame: pd.DataFrame
    engine: str = "hmc"
    priors: str = "brms"
    sampling: Sampling = field(default_factory=Sampling)

    @property
    def key(self) -> str:
        """A hash of everything the result depends on."""
        columns = [name for name in (*self.glm.columns, LENGTH_CLASS, VERSION) if name in self.frame]
        rows = pd.util.hash_pandas_object(self.frame[columns], index=False).to_numpy()
        settings = [
            _STORED,
            self.model,
            repr(self.glm),
            self.engine,
            self.priors,
            asdict(self.sampling),
            package_version(),
        ]
        return hashlib.sha256(rows.tobytes() + json.dumps(settings).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class Done:
    """A finished regression without its group effects; ``fit`` is None where nothing is estimable."""

    model: str
    glm: Glm
    n_rows: int
    fit: Fit | None
    note: str = ""
    warnings: tuple[str, ...] = ()
    checks: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # prior and posterior predictive
    diagnosis: dict[str, float | int | None] = field(default_factory=dict)


def run_jobs(
    jobs: Sequence[FitJob], *, store: Path | None = None, workers: int = 1, quiet: bool = True
) -> list[Done]:
    """Fit every job; with a ``store`` finished ones are read from it instead."""
    done: dict[int, Done] = {}
    if store is not None:
        for n, job in enumerate(jobs):
            stored = _load(store / f"{job.key}.npz", job)
            if stored is not None:
                done[n] = stored
    waiting = [n for n in range(len(jobs)) if n not in done]
    finished = _results([jobs[n] for n in waiting], workers)
    for n, result in zip(waiting, track(finished, "fits", total=len(waiting), quiet=quiet), strict=True):
        done[n] = result
        if store is not None:
            _save(store / f"{jobs[n].key}.npz", result)
    return [done[n] for n in range(len(jobs))]


def run_job(job: FitJob) -> Done:
    """Fit one job, check it, and drop the group effects; how much they differ is kept."""
    try:
        found = fit(job.frame, job.glm, engine=job.engine, priors=job.priors, sampling=job.sampling)
    except NotEstimableError as error:
        n_rows = len(versions_of(job.frame)[0].dropna(subset=list(job.glm.columns)))
        return Done(job.model, job.glm, n_rows, None, str(error))
    scalars = {name: draws for name, draws in found.draws.items() if draws.ndim == 2}
    slim = replace(found, draws=scalars | spread_draws(found), levels={}, stats={})
    sampled = diagnose(found)
    seen = versions_of(job.frame)[0]  # checks are of words that were read once
    return Done(
        job.model,
        job.glm,
        found.n_rows,
        slim,
        found.note,
        tuple(sampled.warnings),
        predictive_checks(found, seen, model=job.model, priors=job.priors, seed=job.sampling.seed),
        sampled.row,
    )


@contextmanager
def on_cluster(scheduler: str | None) -> Iterator[None]:
    """Let a Dask cluster do the fits that are asked for meanwhile; None leaves them to this machine."""
    before = _scheduler.set(scheduler)
    try:
        yield
    finally:
        _scheduler.reset(before)


def _on_cluster(jobs: Sequence[FitJob], scheduler: str) -> Iterator[Done]:
    """Yield the results of a cluster in the order of the jobs, each as soon as those before are there."""
    found: dict[int, Done] = {}
    n = 0
    with workers_of(None, scheduler=scheduler) as team:
        for i, done in team.each(_run_there, jobs):
            found[i] = done
            while n in found:
                yield found.pop(n)
                n += 1


def _run_there(_: None, job: FitJob) -> Done:
    return run_job(job)


def _results(jobs: Sequence[FitJob], workers: int) -> Iterator[Done]:
    scheduler = _scheduler.get()
    if scheduler is not None and jobs:
        yield from _on_cluster(jobs, scheduler)
        return
    if workers == 1 or len(jobs) < 2:
        yield from map(run_job, jobs)
        return
    # A forked child of a process with sampler threads can hang, so children start afresh.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context) as pool:
        try:
            yield from pool.map(run_job, jobs)
        except BrokenProcessPool:
            raise ScandlError(
                "a worker process died (out of memory?); with a folder to write to, finished fits are kept:"
                " run again to go on, perhaps with fewer --jobs"
            ) from None


def _save(path: Path, done: Done) -> None:
    meta: dict[str, Any] = {
        "n_rows": done.n_rows,
        "note": done.note,
        "warnings": done.warnings,
        "checks": done.checks,
        "diagnosis": done.diagnosis,
    }
    arrays: dict[str, Any] = {}
    if done.fit is not None:
        meta["fit"] = {
            "engine": done.fit.engine,
            "priors": done.fit.priors,
            "prior_table": dict(done.fit.prior_table),
            "note": done.fit.note,
            "versions": done.fit.versions,
        }
        arrays = {f"draws:{name}": values for name, values in done.fit.draws.items()}
    with atomic_file(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, meta=np.array(json.dumps(meta)), **arrays)


def _load(path: Path, job: FitJob) -> Done | None:
    """Return a finished fit; None where there is none, or a damaged one that is better made again."""
    try:
        with np.load(BytesIO(path.read_bytes())) as stored:  # of a damaged file it would not close the handle
            meta = json.loads(str(stored["meta"]))
            draws = {name.partition(":")[2]: stored[name] for name in stored.files if name != "meta"}
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):
        return None
    found = None
    if "fit" in meta:
        kept = meta["fit"]
        found = Fit(
            job.glm,
            kept["engine"],
            kept["priors"],
            kept["prior_table"],
            meta["n_rows"],
            draws,
            note=kept["note"],
            versions=kept["versions"],
        )
    return Done(
        job.model,
        job.glm,
        meta["n_rows"],
        found,
        meta["note"],
        tuple(meta["warnings"]),
        meta["checks"],
        meta["diagnosis"],
    )


def prior_table(fits: Sequence[Done]) -> pd.DataFrame:
    """Return the prior of each parameter of each fit."""
    rows = [
        {"model": _sources(done), "measure": done.glm.measure, "parameter": name, "prior": prior}
        for done in fits
        if done.fit is not None
        for name, prior in done.fit.prior_table.items()
    ]
    return pd.DataFrame(rows)


def diagnostics_table(fits: Sequence[Done]) -> pd.DataFrame:
    """Return how each fit was sampled; the header stands where there is none."""
    rows = [
        {"model": _sources(done), "measure": done.glm.measure, "n_rows": done.n_rows}
        | {"engine": done.fit.engine, **done.diagnosis}
        for done in fits
        if done.fit is not None
    ]
    return pd.DataFrame(rows, columns=DIAGNOSTICS)


def check_table(fits: Sequence[Done]) -> pd.DataFrame:
    """Return prior and posterior predictive checks; the header stands where there is none."""
    rows = [
        {"model": done.model, "measure": done.glm.measure, "check": check, **row}
        for done in fits
        for check, table in done.checks.items()
        for row in table
    ]
    return pd.DataFrame(rows, columns=CHECKS)


def _sources(done: Done) -> str:
    """Return whose words a fit is of."""
    return done.model if done.glm.by is None else "all sources"
