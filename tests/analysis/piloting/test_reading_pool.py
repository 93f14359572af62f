"""The pool: every reader reads every version once, in any division of the work."""

from __future__ import annotations

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.models.model import AVERAGE
from scandl.records import Sentence
from scandl_analysis.piloting.reading_pool import (
    Keeper,
    Lesson,
    ReadTask,
    all_rows,
    joined,
    load_values,
    open_readers,
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


SENTENCES = tuple(
    Sentence(f"s{k}", "The old farmer investigated the horse near the barn.") for k in range(12)
)


@pytest.mark.parametrize(("name", "said"), [("ezreader", "α1 × exp(Normal(0, 0.3))"), ("swift", "61 fitted")])
def test_readers_differ_and_stay_themselves(name, said):
    """The spread of readers' means is larger than chance makes it among readings of one reader."""
    readers = open_readers(name, SENTENCES, ())
    assert said in readers.about
    paths = readers.read(SENTENCES, 0, 40, seed=1)
    means = np.array([np.mean(path.durations) for path in paths]).reshape(40, 12)
    between = means.mean(axis=1).var(ddof=1)
    by_chance = means.var(axis=1, ddof=1).mean() / 12
    assert between > 3 * by_chance


def test_predictability_reaches_e_z_reader():
    """A word that is certain is skipped more often than one that nothing is known of."""
    text = SENTENCES[0].text
    n = len(text.split())
    certain = ((text, (0.0,) * n),)
    unknown = ((text, (float("nan"),) * n),)
    counts = [
        np.mean(
            [
                len(path.positions)
                for path in open_readers("ezreader", SENTENCES, known).read(SENTENCES, 0, 20, seed=1)
            ]
        )
        for known in (certain, unknown)
    ]
    assert counts[0] < counts[1]


def test_the_model_of_the_package_has_readers_who_stay_themselves():
    readers = open_readers("people", SENTENCES, ())
    assert "each reader keeps the style of one of" in readers.about
    paths = readers.read(SENTENCES, 0, 30, seed=1)
    means = np.array([np.mean(path.durations) for path in paths]).reshape(30, 12)
    assert means.mean(axis=1).var(ddof=1) > 3 * means.var(axis=1, ddof=1).mean() / 12


@pytest.mark.parametrize("name", ["people", "demo", "ezreader"])
def test_readers_are_the_same_in_any_company(name):
    readers = open_readers(name, SENTENCES, ())
    whole = readers.read(SENTENCES[:2], 0, 4, seed=1)
    parts = [*readers.read(SENTENCES[:2], 0, 1, seed=1), *readers.read(SENTENCES[:2], 1, 3, seed=1)]
    assert [(p.positions, p.durations) for p in whole] == [(p.positions, p.durations) for p in parts]


def test_what_cannot_read_says_why():
    with pytest.raises(ScandlError, match=r"no model 'ezraeder'; did you mean 'ezreader'"):
        open_readers("ezraeder", SENTENCES, ())
    with pytest.raises(ScandlError, match="markov needs training: name a corpus that people have read"):
        open_readers("markov", SENTENCES, ())


def test_a_model_without_readers_says_so():
    assert open_readers("uniform", SENTENCES, ()).about == AVERAGE
    assert open_readers("demo", SENTENCES, ()).about.endswith(AVERAGE)
