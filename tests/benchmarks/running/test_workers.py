from __future__ import annotations

import os

import pytest

from scandl.errors import DataError, ScandlError
from scandl_eval.running.workers import workers


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


def test_error_of_a_worker_keeps_its_text():
    with workers(0, jobs=2) as team, pytest.raises(DataError, match=r"file.csv:4: column 'column'"):
        list(team.each(refuse, [4]))


def test_death_of_a_worker_is_one_line():
    with workers(0, jobs=2) as team, pytest.raises(ScandlError, match="finished pieces are kept"):
        list(team.each(die, [1]))


def test_absent_scheduler_is_one_line(monkeypatch):
    monkeypatch.setattr("scandl_eval.running.workers.CONNECT_SECONDS", 1)
    with (
        pytest.raises(ScandlError, match="no Dask scheduler at 'tcp://127.0.0.1:9'"),
        workers(0, scheduler="tcp://127.0.0.1:9"),
    ):
        pass
