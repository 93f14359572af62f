"""The slow half of scoring a run: whether human and generated paths can be told apart, model by model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from scandl.corpora.corpus_digest import digest
from scandl.errors import ScandlError
from scandl.files.atomic_writes import write_text
from scandl.piece_cache import Pieces, code_digest
from scandl.progress import track
from scandl.records import Scanpath
from scandl.statistics.energy_tests import permutation_p
from scandl.workers import Workers
from scandl_eval.distributions.classifier import classifier_test
from scandl_eval.running.tasks import Corpora, Group
from scandl_eval.scoring.engine import SettingScores

KERNELS = ("nld", "yujian-bo", "nld-time")


@dataclass(frozen=True, slots=True)
class Job:
    """The human and the generated paths of one model in one setting."""

    human: tuple[Scanpath, ...]
    generated: tuple[Scanpath, ...]
    n_words: Mapping[str, int]
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionTests:
    """What the tests found; plain lists and numbers, to be kept as JSON."""

    auc: float | None
    auc_ci95: list[float] | None
    n_paths: int
    p_values: dict[str, float]  # of the permutation test, by kernel

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> Self:
        """Return the tests that ``asdict`` gave."""
        return cls(**{field.name: table[field.name] for field in fields(cls)})


def distribution_tests(corpora: Corpora, job: Job) -> DistributionTests:
    """Test one model; this is what workers run."""
    human, model = (_by_sentence(paths) for paths in (job.human, job.generated))
    found = {kernel: permutation_p(human, model, kernel, seed=job.seed) for kernel in KERNELS}
    try:
        apart = classifier_test(
            job.human, job.generated, dict(job.n_words), resamples=job.resamples, seed=job.seed
        )
    except ScandlError:
        apart = None  # too few readers or sentences to hold some out
    ci95 = None if apart is None or apart.ci95 is None else list(apart.ci95)
    return DistributionTests(
        auc=None if apart is None else apart.auc,
        auc_ci95=ci95,
        n_paths=len(job.generated),
        p_values={kernel: p for kernel, p in found.items() if p is not None},
    )


def tests_of(
    settings: Sequence[SettingScores], corpora: Corpora, *, resamples: int, seed: int
) -> dict[Group, DistributionTests]:
    """Test every model of every setting in this process."""
    return {
        (model, found.setting): distribution_tests(corpora, _job(found, model, resamples, seed))
        for found in settings
        for model in found.models
    }


def _by_sentence(paths: Sequence[Scanpath]) -> dict[str, list[Scanpath]]:
    found: dict[str, list[Scanpath]] = {}
    for path in paths:
        found.setdefault(path.sentence_id, []).append(path)
    return found


def make_tests(
    settings: Sequence[SettingScores],
    pieces: Pieces,
    workers: Workers,
    *,
    resamples: int,
    seed: int,
    quiet: bool,
) -> tuple[dict[Group, DistributionTests], set[Path]]:
    """Test every model of every setting whose piece is not there yet; return the tests and their pieces."""
    jobs = {
        (model, found.setting): _job(found, model, resamples, seed)
        for found in settings
        for model in found.models
    }
    paths = {group: pieces.path(f"{group[0]}/{group[1]}", _key(job), ".json") for group, job in jobs.items()}
    missing = [group for group in jobs if not paths[group].exists()]
    work = workers.each(distribution_tests, [jobs[group] for group in missing])
    for i, tests in track(work, "score", total=len(missing), quiet=quiet):
        write_text(paths[missing[i]], json.dumps(asdict(tests)) + "\n")
        pieces.seal(paths[missing[i]])
    read = {group: json.loads(path.read_text(encoding="utf-8")) for group, path in paths.items()}
    return {group: DistributionTests.from_dict(table) for group, table in read.items()}, set(paths.values())


def _job(found: SettingScores, model: str, resamples: int, seed: int) -> Job:
    texts = {unit.prediction.sentence_id: unit.n_words for unit in found.beside.units.values()}
    return Job(
        tuple(path for paths in found.beside.humans.values() for path in paths),
        tuple(path for paths in found.compared.paths[model].values() for path in paths),
        {sentence: n for sentence, n in texts.items() if n is not None},
        resamples,
        seed,
    )


def _key(job: Job) -> str:
    sides = [
        [(p.reader_id, p.sentence_id, p.words, p.durations) for p in side]
        for side in (job.human, job.generated)
    ]
    return digest(sides, sorted(job.n_words.items()), job.resamples, job.seed, code_digest())
