"""Workers: every item once, whoever does it, a GPU each in turn, and one line when they are lost."""

from __future__ import annotations

import gc
import importlib.machinery
import os
import re
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from multiprocessing import get_context
from pathlib import Path

import pytest

from scandl import workers as home
from scandl.errors import DataError, ScandlError
from scandl.workers import VISIBLE, one_each, use_only, visible_gpus, workers


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ("0,1", ["0", "1"]),
        ("3", ["3"]),
        ("GPU-8f2, GPU-77a", ["GPU-8f2", "GPU-77a"]),
        ("", []),
        ("-1", []),
        ("1,-1,2", ["1"]),
    ],
)
def test_what_the_variable_says(told: str, names: list[str]) -> None:
    assert visible_gpus({VISIBLE: told}) == names


def test_without_it_what_the_driver_lists(tmp_path: Path) -> None:
    assert visible_gpus({}, tmp_path / "none") == []
    for name in ("0000:3b:00.0", "0000:5e:00.0"):
        (tmp_path / name).mkdir()
    assert visible_gpus({}, tmp_path) == ["0", "1"]


def test_workers_have_one_each_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VISIBLE, "4,7")
    assert list(one_each(5)) == ["4", "7", "4", "7", "4"]
    use_only("7")
    assert os.environ[VISIBLE] == "7"
    use_only(None)
    assert os.environ[VISIBLE] == "7"
    monkeypatch.setenv(VISIBLE, "")
    assert list(one_each(2)) == [None, None]


def scaled(factor: int, item: int) -> int:
    return factor * item


def refuse(_: int, item: int) -> int:
    raise DataError("file.csv", item, "column", "this", "that")


def die(_: int, item: int) -> None:
    os._exit(1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_item_comes_back_with_its_index(jobs):
    with workers(3, jobs=jobs) as team:
        assert sorted(team.each(scaled, [5, 6, 7])) == [(0, 15), (1, 18), (2, 21)]
        assert list(team.each(scaled, [])) == []


def gpu_seen(_: int, item: int) -> str:
    time.sleep(1)  # long enough for the other to begin
    return os.environ["CUDA_VISIBLE_DEVICES"]


def test_each_local_process_has_a_gpu_of_its_own(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,5")
    with workers(0, scheduler="cuda") as team:  # without dask-cuda: as many processes as GPUs
        assert {name for _, name in team.each(gpu_seen, range(6))} == {"2", "5"}


def test_a_worker_on_each_gpu_needs_a_gpu(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with (
        pytest.raises(ScandlError, match="--scheduler cuda: no GPU is available here"),
        workers(0, scheduler="cuda"),
    ):
        pass


def test_where_dask_cuda_is_installed_its_cluster_does_the_work(monkeypatch):
    """A stand-in: it needs GPUs, and a real cluster in this process would disturb those of other tests."""
    pytest.importorskip("distributed")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,5")
    module = types.ModuleType("dask_cuda")
    module.__spec__ = importlib.machinery.ModuleSpec("dask_cuda", None)
    module.LocalCUDACluster = lambda: nullcontext("two workers")
    monkeypatch.setitem(sys.modules, "dask_cuda", module)
    monkeypatch.setattr("scandl.workers._client", lambda cluster: nullcontext(f"client of {cluster}"))
    monkeypatch.setattr("scandl.workers._Cluster", lambda *parts: parts)
    with workers(3, scheduler="cuda") as team:
        assert team == ("client of two workers", 3, "cuda")


def test_error_of_a_worker_keeps_its_text():
    with workers(0, jobs=2) as team, pytest.raises(DataError, match=r"file.csv:4: column 'column'"):
        list(team.each(refuse, [4]))


def test_death_of_a_worker_is_one_line():
    with workers(0, jobs=2) as team, pytest.raises(ScandlError, match="finished pieces are kept"):
        list(team.each(die, [1]))


@pytest.mark.parametrize(
    ("address", "reason"),
    [("tls://127.0.0.1:9", "TLS expects a `ssl_context`"), ("x://127.0.0.1:9", "unknown address")],
)
def test_an_address_that_cannot_be_used_is_one_line(address, reason):
    pytest.importorskip("distributed")
    gc.collect()  # a client of another test that was never made, collected while one starts, waits for itself
    with (
        pytest.raises(ScandlError, match=f"no Dask scheduler at '{address}': {reason}"),
        workers(0, scheduler=address),
    ):
        pass


def slow_scaled(factor: int, item: int) -> int:
    time.sleep(0.2)
    return factor * item


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_lost_scheduler_is_one_line(capfd):
    pytest.importorskip("distributed")
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    scheduler = [
        sys.executable,
        "-m",
        "distributed.cli.dask_scheduler",
        "--no-dashboard",
        "--port",
        address.split(":")[-1],
    ]
    worker = [
        sys.executable,
        "-m",
        "distributed.cli.dask_worker",
        address,
        "--no-dashboard",
        "--nthreads",
        "1",
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(scheduler, **quiet) as first, subprocess.Popen(worker, **quiet) as second:
        try:
            with (
                pytest.raises(
                    ScandlError, match=f"the Dask scheduler at '{address}' was lost; finished pieces are kept"
                ),
                workers(3, scheduler=address) as team,
            ):
                for _ in team.each(slow_scaled, range(50)):
                    first.kill()
        finally:
            first.kill()
            second.kill()
    assert "Traceback" not in capfd.readouterr().err


def test_absent_scheduler_is_one_line(monkeypatch):
    monkeypatch.setattr("scandl.workers.CONNECT_SECONDS", 1)
    with (
        pytest.raises(ScandlError, match="no Dask scheduler at 'tcp://127.0.0.1:9'"),
        workers(0, scheduler="tcp://127.0.0.1:9"),
    ):
        pass


@pytest.mark.parametrize("jobs", [1, 2])
def test_items_without_end_are_taken_as_they_are_needed(jobs):
    taken = []

    def numbers():
        for n in range(1000):
            taken.append(n)
            yield n

    with workers(2, jobs=jobs) as team:
        found = team.each(scaled, numbers(), ahead=2)
        first = [next(found) for _ in range(5)]
        assert all(result == 2 * i for i, result in first)
        assert len(taken) <= 5 + 2 * jobs
        found.close()


def test_plain_lines_come_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 1000, 4))
    monkeypatch.setattr(home.time, "monotonic", lambda: next(clock))
    assert list(home.track("abcdef", "folds", total=6)) == list("abcdef")
    assert capsys.readouterr().err == "folds: 3/6 after 12 s, about 12 s left\nfolds: 6/6 after 24 s\n"


def test_the_time_left_is_right_when_kinds_differ(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two kinds, one of 30 seconds and one of 1, one after the other: right from the second task on."""
    kinds = ["slow", "quick"] * 5
    cost = {"slow": 30.0, "quick": 1.0}
    now = [0.0]
    monkeypatch.setattr(home.time, "monotonic", lambda: now[0])
    left = home.TimeLeft(kinds)

    def work() -> Iterator[str]:
        for kind in kinds:
            now[0] += cost[kind]
            yield kind

    for kind in home.track(work(), "models", total=10, left=left):
        left.took(kind, cost[kind])
    said = [
        [float(number) for number in re.findall(r"(\d+) s", line)]
        for line in capsys.readouterr().err.splitlines()[1:-1]
    ]
    assert len(said) >= 4
    assert all(passed + rest == pytest.approx(5 * 31.0) for passed, rest in said)


def test_quiet_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(home.track([1, 2], "folds", quiet=True)) == [1, 2]
    assert capsys.readouterr().err == ""


def test_trainings_show_themselves_only_within_work_that_is_shown() -> None:
    assert not home.trainings_are_shown()
    with home.showing_trainings():
        assert home.trainings_are_shown()
        with home.showing_trainings(False):
            assert not home.trainings_are_shown()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, home.showing_trainings():
        assert not pool.submit(home.trainings_are_shown).result()  # bars of several would mix
    assert not home.trainings_are_shown()
