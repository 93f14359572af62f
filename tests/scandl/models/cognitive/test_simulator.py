from __future__ import annotations

import numpy as np
import pytest

from scandl.files.tables import read_table, write_table
from scandl.models.cognitive.simulator import Batch
from scandl.models.cognitive.word_inputs import Stimulus
from scandl.models.ezreader.ezreader import run_ezreader
from scandl.models.swift.swift import run_swift

SHORT = Stimulus("a", (2, 4), (100.0, 20.0), (0.0, 0.0))
RUNNERS = pytest.mark.parametrize("run", [run_ezreader, run_swift])


def test_geometry_of_the_words(medium):
    words = Batch.of_runs([SHORT, medium], 1, seed=1).words(("extra", np.float64))
    assert words["border"].tolist() == [3, 8, 4, 12, 18, 21, 30, 37]  # each sentence starts anew
    assert words["centre"][:3].tolist() == [2.0, 6.0, 2.5]
    assert words["extra"].tolist() == [0] * 8


@RUNNERS
def test_a_trial_does_not_depend_on_its_batch(run, medium):
    batch = Batch.of_runs([SHORT, medium], 30, seed=3)
    together = list(run(batch).paths())
    order = np.random.default_rng(0).permutation(len(batch.keys))
    shuffled = list(run(Batch(batch.stimuli, batch.sentence[order], batch.keys[order])).paths())
    assert [together[i] for i in order] == shuffled
    alone = run(Batch([medium], np.zeros(1, np.int64), batch.keys[5:6]))
    assert list(alone.paths()) == [together[5]]


@RUNNERS
def test_seeds_matter_and_repeat(run, medium):
    first, again, other = (list(run(Batch.of_runs([medium], 20, seed)).paths()) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@RUNNERS
def test_no_trials_make_no_fixations(run):
    assert list(run(Batch.of_runs([SHORT], 0, seed=1)).paths()) == []


@RUNNERS
def test_more_fixations_than_expected_are_kept(run):
    long = Stimulus("long", (6,) * 150, (20.0,) * 150, (0.0,) * 150)
    simulated = run(Batch.of_runs([long], 3, seed=1))
    assert len(simulated) == 3
    assert simulated.starts[-1] == len(simulated.word)
    assert np.diff(simulated.starts).min() > 100


def test_table_of_fixations(tmp_path, medium):
    batch = Batch.of_runs([SHORT, medium], 2, seed=1)
    simulated = run_ezreader(batch)
    write_table(tmp_path / "fixations.csv", simulated.table(batch))
    rows = list(read_table(tmp_path / "fixations.csv").rows())
    assert [(r["sentence_id"], r["run"]) for r in rows if r["fix_index"] == "0"] == [
        ("a", "0"),
        ("m", "0"),
        ("a", "1"),
        ("m", "1"),
    ]
    assert [r["is_final"] for r in rows] == [str(int(final)) for final in simulated.is_final]
    assert sum(r["is_final"] == "1" for r in rows) == 4
    assert all(float(r["within_word_pos"]) >= 0 for r in rows)
