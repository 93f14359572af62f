"""The search: the paper's space, studies that are shared and resumed, cells that depend on nothing else."""

from __future__ import annotations

import itertools
import multiprocessing
from collections import Counter
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import ScandlError
from scandl.records import Scanpath, Sentence
from scandl.settings import preset
from scandl.tuning import SPACE, Cell, draw_cell, is_valid, search, tune


def slow(cell: Cell) -> list[float]:
    return [cell["layers"] + 0.5, cell["heads"] + 0.5, abs(cell["dim"] - 256)]


def share(storage: str) -> None:
    search(slow, storage, trials=12, seed=4)


def test_the_space_is_the_papers() -> None:
    cells = [dict(zip(SPACE, values, strict=True)) for values in itertools.product(*SPACE.values())]
    assert len(cells) == 500
    assert sum(map(is_valid, cells)) == 425


def test_cells_are_valid_and_uniform() -> None:
    drawn = [draw_cell(1, number) for number in range(4000)]
    assert all(map(is_valid, drawn))
    twelve = Counter(cell["dim"] for cell in drawn if cell["heads"] == 12)
    assert set(twelve) == {768}
    # 25 of the 425 valid cells have 12 heads; two standard errors of a share at 4,000 draws are .0075.
    assert twelve[768] / 4000 == pytest.approx(25 / 425, abs=0.0112)


def test_processes_share_a_study_and_it_resumes(tmp_path: Path) -> None:
    import optuna

    storage = f"sqlite:///{tmp_path / 'study.db'}"
    search(slow, storage, trials=3, seed=4)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=share, args=(storage,)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    trials = optuna.load_study(study_name="scandl", storage=storage).trials
    assert 12 <= len(trials) <= 13  # a second process may be in the middle of one when the last is told
    for trial in trials:
        cell = draw_cell(4, trial.number)
        assert trial.params == cell
        assert trial.value == pytest.approx(sum(slow(cell)) / 3)
    best = search(slow, storage, trials=12, seed=4)  # nothing is left to do
    assert best["nld"] == min(trial.value for trial in trials)
    assert len(optuna.load_study(study_name="scandl", storage=storage).trials) == len(trials)


def test_a_trial_is_triple_cross_validation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "scandl.tuning.SPACE", {"layers": (1,), "heads": (2,), "dim": (16,), "schedule": ("sqrt", "cosine")}
    )
    sentences = {f"s{n}": Sentence(f"s{n}", f"The cat {n} sat.") for n in range(3)}
    corpus = Corpus(
        Card(name="toy"),
        sentences,
        tuple(Scanpath(f"r{r}", s, (0, 1, r % 4)) for s in sentences for r in range(6)),
    )
    config = preset(
        "small", ["model.feed_forward=16", "diffusion.steps=20", "training.steps=2", "training.batch=4"]
    )
    best = tune(config, corpus, tmp_path, trials=1, seed=2, steps=4, device="cpu")
    assert best["schedule"] in ("sqrt", "cosine")
    assert best["nld"] == pytest.approx(sum(best["nld_of_folds"]) / 3)
    assert all(0 <= nld <= 1 for nld in best["nld_of_folds"])
    assert {p.parent.name for p in tmp_path.glob("*/*/last.pt")} == {"nrns-0", "nrns-1", "nrns-2"}


def test_no_trials_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ScandlError, match="--trials 0: expected at least 1"):
        search(slow, f"sqlite:///{tmp_path / 'x.db'}", trials=0, seed=1)
