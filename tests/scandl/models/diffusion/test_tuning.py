"""The search: the paper's space, studies that are shared and resumed, cells that depend on nothing else."""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from scandl.corpora import Card, Corpus
from scandl.errors import DivergedError, ScandlError
from scandl.models.diffusion import tuning
from scandl.models.diffusion.settings import preset
from scandl.models.diffusion.tuning import SPACE, Cell, draw_cell, is_valid, search, tune
from scandl.records import Scanpath, Sentence


def slow(cell: Cell) -> list[float]:
    return [cell["layers"] + 0.5, cell["heads"] + 0.5, abs(cell["dim"] - 256)]


SENTENCES = {f"s{n}": Sentence(f"s{n}", f"The cat {n} sat.") for n in range(3)}
CORPUS = Corpus(
    Card(name="toy"),
    SENTENCES,
    tuple(Scanpath(f"r{r}", s, (0, 1, r % 4)) for s in SENTENCES for r in range(6)),
)
CONFIG = preset(
    "small", ["model.feed_forward=16", "diffusion.steps=20", "training.steps=2", "training.batch=4"]
)


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
        "scandl.models.diffusion.tuning.SPACE",
        {"layers": (1,), "heads": (2,), "dim": (16,), "schedule": ("sqrt", "cosine")},
    )
    best = tune(CONFIG, CORPUS, tmp_path, trials=1, seed=2, steps=4, device="cpu")
    assert best["schedule"] in ("sqrt", "cosine")
    assert best["nld"] == pytest.approx(sum(best["nld_of_folds"]) / 3)
    assert all(0 <= nld <= 1 for nld in best["nld_of_folds"])
    assert {p.parent.name for p in tmp_path.glob("*/*/last.pt")} == {"nrns-0", "nrns-1", "nrns-2"}


def database(folder: Path) -> str:
    return f"sqlite:///{folder / 'study.db'}"


class Tried:
    """An objective that remembers its cells and, once, raises at one of its calls."""

    def __init__(self, at: int = -1, error: BaseException | None = None) -> None:
        self.at, self.error = at, error
        self.cells: list[Cell] = []

    def __call__(self, cell: Cell) -> list[float]:
        self.cells.append(cell)
        if len(self.cells) - 1 == self.at and self.error is not None:
            raise self.error
        return slow(cell)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ScandlError("a full disk")])
def test_an_interrupted_study_ends_where_another_does(
    error: BaseException, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    import optuna

    interrupted, resumed = Tried(1, error), Tried()
    with pytest.raises(type(error)):
        search(interrupted, database(tmp_path), trials=4, seed=3)
    assert capfd.readouterr() == ("", "")  # optuna would print a traceback
    best = search(resumed, database(tmp_path), trials=4, seed=3)
    cells = [draw_cell(3, number) for number in range(4)]
    assert interrupted.cells == cells[:2]
    assert resumed.cells == cells[1:]
    assert best["nld"] == pytest.approx(min(sum(slow(cell)) / 3 for cell in cells))
    finished = optuna.load_study(study_name="scandl", storage=database(tmp_path)).trials
    assert [trial.params for trial in finished if trial.state.name == "COMPLETE"] == cells


def die(storage: str) -> None:
    tuning.HEARTBEAT = 1
    search(lambda cell: os._exit(9), storage, trials=2, seed=3)


def test_the_cell_of_a_process_that_died_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "HEARTBEAT", 1)
    monkeypatch.setattr(tuning, "WAIT", 0.2)
    dead = multiprocessing.get_context("spawn").Process(target=die, args=(database(tmp_path),))
    dead.start()
    dead.join()
    assert dead.exitcode == 9
    tried = Tried()
    search(tried, database(tmp_path), trials=2, seed=3)
    assert sorted(map(str, tried.cells)) == sorted(str(draw_cell(3, number)) for number in range(2))


def test_a_cell_that_diverges_is_given_up_and_the_study_goes_on(tmp_path: Path) -> None:
    tried, again = Tried(1, DivergedError("the loss at step 3 is nan")), Tried()
    with pytest.warns(UserWarning, match="'layers'.* is given up: the loss at step 3 is nan"):
        best = search(tried, database(tmp_path), trials=3, seed=3)
    cells = [draw_cell(3, number) for number in range(3)]
    assert tried.cells == cells
    assert best["nld"] == pytest.approx(min(sum(slow(cell)) / 3 for cell in (cells[0], cells[2])))
    assert search(again, database(tmp_path), trials=3, seed=3) == best
    assert again.cells == []
    with (
        pytest.warns(UserWarning, match="is given up: nan"),
        pytest.raises(ScandlError, match="none of the 1 cells could be trained"),
    ):
        search(Tried(0, DivergedError("nan")), f"{database(tmp_path)}2", trials=1, seed=3)


def test_the_best_is_of_the_cells_that_were_asked_for(tmp_path: Path) -> None:
    search(slow, database(tmp_path), trials=6, seed=3)
    for trials in (2, 6):
        values = [sum(slow(draw_cell(3, number))) / 3 for number in range(trials)]
        assert search(slow, database(tmp_path), trials=trials, seed=3)["nld"] == pytest.approx(min(values))


OTHER_TEXT = replace(CORPUS, sentences=SENTENCES | {"s0": Sentence("s0", "The dog 0 sat.")})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"corpus": OTHER_TEXT}, r"corpus toy \(\w{16}\), not toy \(\w{16}\)"),
        ({"seed": 3}, "seed 2, not 3"),
        ({"steps": 5}, "steps 4, not 5"),
        (
            {"config": replace(CONFIG, training=replace(CONFIG.training, lr=0.5))},
            "training.lr 0.001, not 0.5",
        ),
    ],
)
def test_a_study_of_something_else_is_not_gone_on_with(
    change: dict[str, object], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []

    def fold_nld(*args: object, **_: object) -> float:
        calls.append(args)
        return 0.5

    monkeypatch.setattr(tuning, "fold_nld", fold_nld)
    asked: dict[str, object] = {"config": CONFIG, "corpus": CORPUS, "seed": 2, "steps": 4}
    call: Callable[..., dict[str, object]] = tune
    first = call(**asked, folder=tmp_path, trials=1, device="cpu")
    assert call(**asked, folder=tmp_path, trials=1, device="cpu") == first
    assert len(calls) == 3
    with pytest.raises(ScandlError, match=f"study.db: a study made with {told}; give another --out"):
        call(**asked | change, folder=tmp_path, trials=1, device="cpu")
    assert len(calls) == 3


def test_what_cannot_be_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(ScandlError, match="--trials 0: expected at least 1"):
        tune(CONFIG, CORPUS, out, trials=0, device="cpu")
    for steps in (0, 1):
        with pytest.raises(ScandlError, match=f"--steps {steps}: expected at least 2"):
            tune(CONFIG, CORPUS, out, steps=steps, device="cpu")
    with pytest.raises(ScandlError, match="--device foo: expected cpu or cuda"):
        tune(CONFIG, CORPUS, out, device="foo")
    with pytest.raises(ScandlError, match="^foo://bar: cannot be opened as a study [(]Can't load plugin"):
        tune(CONFIG, CORPUS, out, storage="foo://bar", device="cpu")
    assert not out.exists()
    (tmp_path / "study.db").write_text("no database")
    with pytest.raises(ScandlError, match="study.db: cannot be opened as a study"):
        tune(CONFIG, CORPUS, tmp_path, device="cpu")
