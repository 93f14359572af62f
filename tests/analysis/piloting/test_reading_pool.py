"""The pool: every reader reads every version once, in any division of the work."""

from __future__ import annotations

import numpy as np

from scandl_analysis.piloting.reading_pool import (
    Keeper,
    Lesson,
    ReadTask,
    all_rows,
    joined,
    load_values,
    read,
    save_values,
)
from scandl_analysis.piloting.region_measures import planned_measure
from scandl_analysis.piloting.stimuli import read_stimuli


def lesson(frame):
    return Lesson(read_stimuli(frame), (planned_measure("sr"), planned_measure("TFT")), (), "en", 1)


def test_who_reads_together_does_not_matter(stimuli_frame):
    whole = read(lesson(stimuli_frame), ReadTask("ezreader", 0, 5))
    parts = [read(lesson(stimuli_frame), ReadTask("ezreader", *span)) for span in ((0, 2), (2, 3))]
    pool = joined(parts)
    assert pool.shape == (5, 4, 2)
    for cell, values in whole.items():
        np.testing.assert_array_equal(pool.values[cell], values)


def test_rows_keep_their_place():
    values = np.arange(24.0).reshape(2, 3, 4)
    values[0, 0, 0] = np.nan
    rows = all_rows(values)
    for y, r, i, c in zip(rows.y, rows.reader, rows.item, rows.condition, strict=True):
        np.testing.assert_equal(y, values[r, i, c])
    assert len(rows.known().y) == 23


def test_values_are_kept(tmp_path):
    values = {("critical", "sr"): np.array([[[0.0, np.nan]]]), ("sentence", "TFT"): np.ones((1, 1, 2))}
    save_values(tmp_path / "values.npz", values)
    found = load_values(tmp_path / "values.npz")
    assert list(found) == list(values)
    np.testing.assert_array_equal(found["critical", "sr"], values["critical", "sr"])


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
