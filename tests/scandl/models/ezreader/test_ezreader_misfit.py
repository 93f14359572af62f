from __future__ import annotations

import numpy as np
import pytest

from scandl.corpora import read_corpus
from scandl.models.cognitive.word_inputs import WordProperties
from scandl.models.ezreader.ezreader_misfit import (
    OBSERVED,
    class_table,
    has_regression,
    rmsd,
)

SENTENCE = WordProperties("s", (3, 4, 5, 2, 6), (1.0, 5.0, 500.0, 50_000.0, 1.0), (0.0,) * 5)


def test_table_of_two_readings_by_hand():
    trials = [
        (SENTENCE, (0, 1, 1, 2, 4), (200, 210, 90, 250, 180)),
        (SENTENCE, (0, 2, 3, 4), (200, 300, 150, 180)),
    ]
    table = class_table(trials)
    assert table["FFD"] == (210, 0, 275, 0, 150)
    assert table["GD"] == (300, 0, 275, 0, 150)
    assert table["SFD"] == (0, 0, 275, 0, 150)
    assert (table["Pr1"][0], table["Pr2"][0], table["PrS"][0]) == (0, 0.5, 0.5)
    assert (table["Pr1"][2], table["PrS"][4]) == (1, 0.5)


def test_regression_trials_can_be_dropped():
    trials = [(SENTENCE, (0, 1), (200, 200)), (SENTENCE, (0, 2, 1), (200, 100, 100))]
    assert has_regression((0, 2, 1))
    assert class_table(trials, drop_regressions=True)["PrS"][0] == 0
    assert class_table(trials)["PrS"][0] == 0.5


def test_averaging_over_words_and_over_cases_differ():
    two = WordProperties("t", (3, 4, 5, 6), (1.0, 5.0, 6.0, 1.0), (0.0,) * 4)
    trials = [(two, (1, 2), (100, 200)), (two, (2,), (400,))]
    assert class_table(trials, average="words")["FFD"][0] == (100 + 300) / 2
    assert class_table(trials, average="cases")["FFD"][0] == pytest.approx((100 + 200 + 400) / 3)


def test_rmsd_counts_standard_deviations():
    shifted = dict(OBSERVED) | {"FFD": tuple(np.add(OBSERVED["FFD"], (26.34, 31.65, 31.31, 42.21, 64.75)))}
    assert rmsd(shifted) == pytest.approx(np.sqrt(5 / 20))


def test_human_readers_of_the_schilling_sentences(shared, schilling):
    """Score as in the reference: from the left-most of the first three fixations, without regressions."""
    stimuli = {stimulus.sentence_id: stimulus for stimulus in schilling}
    trials = []
    for path in read_corpus(shared("schilling")).scanpaths:
        start = int(np.argmin(path.positions[:3]))
        trials.append((stimuli[path.sentence_id], path.positions[start:], path.durations[start:]))
    table = class_table(trials, drop_regressions=True, average="cases")
    assert table["FFD"] == pytest.approx([253, 244, 234, 239, 220], abs=2)
    assert table["GD"] == pytest.approx([312, 286, 261, 247, 228], abs=2)
    assert table["Pr1"] == pytest.approx([0.66, 0.68, 0.66, 0.41, 0.30], abs=0.01)
    assert table["PrS"] == pytest.approx([0.11, 0.15, 0.24, 0.57, 0.69], abs=0.01)
