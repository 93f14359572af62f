"""Regions have the measures of their words; a pool has every reading once, the same by any worker."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scandl.errors import ScandlError
from scandl.measures.word_measures import NAMES, TIME_MEASURES, timed_measures, word_measures
from scandl.models.model import AVERAGE
from scandl.models.trained_model import model_card
from scandl.records import Scanpath, Sentence
from scandl_analysis.piloting.reading_pool import (
    COUNTS,
    SHARES,
    TIMES,
    Keeper,
    Lesson,
    ReadTask,
    all_rows,
    cells_of,
    joined,
    load_values,
    open_readers,
    planned_measure,
    read,
    region_measures,
    save_values,
)
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


EVERY = [planned_measure(name) for name in (*SHARES, *TIMES, *COUNTS)]


@pytest.mark.parametrize("seed", range(30))
def test_a_region_of_one_word_has_the_measures_of_the_word(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    path = Scanpath(
        "r", "s", tuple(rng.integers(0, n, 12).tolist()), tuple(rng.uniform(80, 400, 12).tolist())
    )
    critical = int(rng.integers(0, n - 1))
    found = region_measures(path, n, (critical, critical), EVERY)
    words = timed_measures(path.positions, path.durations, n) | word_measures(path.positions, n, "firstpass")
    for measure in EVERY:
        for region, word in (("critical", critical), ("spillover", critical + 1)):
            expected = words[measure.ours][word]
            if expected is None or (measure.ours in TIMES and expected == 0):
                assert math.isnan(found[region, measure.name])
            else:
                assert found[region, measure.name] == pytest.approx(expected), (measure.name, region)


def test_a_region_of_several_words_is_one_area():
    path = Scanpath("r", "s", (0, 1, 2, 1, 3), (100.0, 200.0, 150.0, 120.0, 90.0))
    found = region_measures(
        path, 4, (1, 2), [planned_measure(n) for n in ("FFD", "FPRT", "tfc", "sr", "TFT")]
    )
    assert found["critical", "FFD"] == 200
    assert found["critical", "FPRT"] == found["critical", "TFT"] == 470
    assert found["critical", "tfc"] == 3
    assert found["sentence", "TFT"] == 660
    assert found["sentence", "tfc"] == 5
    assert ("sentence", "FFD") not in found


def test_the_last_word_spills_nowhere():
    found = region_measures(Scanpath("r", "s", (0, 1), (100.0, 90.0)), 2, (1, 1), [planned_measure("sr")])
    assert found["critical", "sr"] == 0
    assert math.isnan(found["spillover", "sr"])


def test_without_durations_there_are_no_times():
    found = region_measures(
        Scanpath("r", "s", (0, 1)), 3, (1, 1), [planned_measure("TFT"), planned_measure("tfc")]
    )
    assert math.isnan(found["critical", "TFT"])
    assert found["critical", "tfc"] == 1


def test_cells_without_a_region_are_of_the_sentence():
    assert cells_of(EVERY, has_region=False) == [("sentence", "TFT"), ("sentence", "tfc")]


def test_every_measure_there_is_can_be_planned():
    assert {*SHARES, *TIMES, *COUNTS} == {*TIME_MEASURES, *NAMES}


def test_scales():
    scales = {name: planned_measure(name).scale for name in ("sr", "RPD", "tfc")}
    assert scales == {"sr": "log odds", "RPD": "log ms", "tfc": "log count"}


def test_an_unknown_name_says_what_was_meant():
    with pytest.raises(ScandlError, match="no reading measure 'TTF'; did you mean 'TFT'"):
        planned_measure("TTF")


def test_a_model_knows_how_much_its_readers_differ_from_its_card_or_not_at_all():
    assert open_readers("people", (), ()).spread == model_card("people").reader_spread
    assert set(model_card("people").reader_spread) == {"log ms", "log odds", "log count", "slopes"}
    assert open_readers("ezreader", (), ()).spread == {}
