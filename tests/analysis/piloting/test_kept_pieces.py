"""Pieces: made once, made again when damaged or when what they depend on changes."""

from __future__ import annotations

import numpy as np

from scandl_analysis.piloting.kept_pieces import Keeper

MADE: list[int] = []


def times(factor, number):
    MADE.append(number)
    return {("critical", "TFT"): np.array([factor * number])}


def done(folder, made_from="same", tasks=(1, 2, 3)):
    MADE.clear()
    keeper = Keeper(folder, jobs=1, scheduler=None, quiet=True)
    found = keeper.each("work", times, 10, tasks, made_from)
    keeper.tidy()
    return [part["critical", "TFT"][0] for part in found]


def test_finished_pieces_are_not_made_again(tmp_path):
    assert done(tmp_path) == [10, 20, 30]
    assert MADE == [1, 2, 3]
    assert done(tmp_path) == [10, 20, 30]
    assert MADE == []
    damaged = sorted((tmp_path / "work").glob("*.npz"))[1]
    damaged.write_bytes(damaged.read_bytes()[:-5])
    assert done(tmp_path) == [10, 20, 30]
    assert MADE == [2]
    assert done(tmp_path, "other") == [10, 20, 30]
    assert MADE == [1, 2, 3]
    assert len(list((tmp_path / "work").glob("*.npz"))) == 3


def test_without_a_folder_nothing_is_kept():
    assert done(None) == done(None) == [10, 20, 30]
    assert MADE == [1, 2, 3]
