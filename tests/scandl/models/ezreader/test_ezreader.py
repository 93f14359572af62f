"""E-Z Reader: beside a slow definition, and the published numbers it must come near."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from word_classes import class_table, has_regression, rmsd

from scandl.corpora import read_corpus
from scandl.errors import ScandlError
from scandl.models.cognitive.simulator import TrialBatch, Word
from scandl.models.cognitive.word_inputs import WordProperties
from scandl.models.ezreader.ezreader import (
    EZReaderMind,
    EZReaderWord,
    new_mind,
    new_words,
    run_ezreader,
    simulate_ezreader,
)
from scandl.models.ezreader.ezreader_parameters import EZREADER_10_2

STIMULI = (
    WordProperties("s1", lengths=(3, 5), frequencies=(10.0, 20.0), cloze=(0.0, 0.1)),
    WordProperties("s2", lengths=(4,), frequencies=(30.0,), cloze=(0.5,)),
)
DETERMINISTIC = EZREADER_10_2._replace(shape=math.inf, eta1=0.0, eta2=0.0, refixation=0.0, p_failure=0.0)
GOLDEN = WordProperties("golden", (5, 5, 3, 7, 5), (100.0, 100.0, 1000.0, 10.0, 100.0), (0.0,) * 5)


def test_a_mind_has_the_fields_of_its_protocol() -> None:
    (mind,) = new_mind()
    assert set(mind.dtype.names) == set(EZReaderMind.__annotations__)


def test_every_word_of_a_batch_has_its_record() -> None:
    words = new_words(TrialBatch.of_runs(STIMULI, runs=1, seed=1))
    assert words["length"].tolist() == [3, 5, 4]
    assert set(words.dtype.names) == {*Word.__annotations__, *EZReaderWord.__annotations__}


def test_golden_trace():
    simulated = simulate_ezreader([GOLDEN], parameters=DETERMINISTIC, include_final_fixation=True)
    assert simulated.word.tolist() == [0, 1, 2, 3, 4]
    assert simulated.char_pos == pytest.approx([3.5, 9.6466, 14.9125, 20.8097, 27.5599], abs=1e-4)
    assert simulated.duration_ms == pytest.approx([284.866, 251.683, 233.960, 250.928, 159.314], abs=1e-3)
    assert simulated.saccade_ms.tolist() == [25, 25, 25, 25, 0]


def test_first_fixation_by_hand():
    # Familiarity check, slowed by the six letter edges 1 to 6 around the eye at 3.5, then both programmes.
    slowing = 1.15 ** (sum(abs(edge - 3.5) for edge in range(1, 7)) / 5)
    l1 = (115 - 2.2 * math.log(100)) * slowing
    simulated = simulate_ezreader([GOLDEN], parameters=DETERMINISTIC, include_final_fixation=True)
    assert simulated.duration_ms[0] == pytest.approx(l1 + 125 + 25)
    assert simulated.char_pos[1] == pytest.approx(3.5 + 6 + (7 - 6) * (6 - math.log(l1 + 125)) / 3)


def test_the_final_fixation_is_dropped_and_nothing_else(medium):
    whole = simulate_ezreader([medium], runs=50, include_final_fixation=True)
    cut = simulate_ezreader([medium], runs=50)
    assert [words[:-1] for words, _ in whole.paths()] == [words for words, _ in cut.paths()]


def test_time_in_flight_can_be_left_out(medium):
    batch = TrialBatch.of_runs([medium], 400, seed=1)
    with_flight, without = run_ezreader(batch), run_ezreader(batch, count_flight=False)
    difference = with_flight.duration_ms.mean() - without.duration_ms.mean()
    assert 0.5 < difference < 4.0


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"p_failure": 0.3},
        {"integration": 120.0, "refixation": 0.05},
        {"shape": 4.0, "xi": 0.9, "eta2": 0.3},
    ],
)
def test_agrees_with_the_event_by_event_reference(medium, scalar, same_distribution, changes):
    parameters = EZREADER_10_2._replace(**changes)
    fast = simulate_ezreader([medium], runs=3_000, parameters=parameters, include_final_fixation=True)
    same_distribution(fast, scalar("ezreader")([medium], 1_500, parameters, seed=2))


def test_slow_readers_fixate_longer(medium):
    batch = TrialBatch.of_runs([medium], 300, seed=1)
    slow = run_ezreader(batch, alpha1_factor=np.full(300, 1.5))
    assert slow.duration_ms.mean() > run_ezreader(batch).duration_ms.mean() + 10


def test_one_word_sentence():
    simulated = simulate_ezreader([WordProperties("one", (4,), (10.0,), (0.0,))], runs=20)
    assert set(simulated.word.tolist()) == {0}


def test_an_endless_sentence_is_refused():
    restless = EZREADER_10_2._replace(
        refixation=1e9, labile=0.001, nonlabile=0.001, saccade=0.001, alpha1=1e6
    )
    with pytest.raises(ScandlError, match=r"E-Z Reader does not come to the end of sentence 'golden'"):
        simulate_ezreader([GOLDEN], parameters=restless)


def test_fit_of_the_schilling_sentences(schilling, reference, trials):
    """1,000 readers in 20 groups: each cell within 3 standard errors of the reference, RMSD within 0.10."""
    wanted = reference["ezreader_10_2"]["simulated_regression_trials_dropped_3000_readers"]
    simulated = simulate_ezreader(schilling, runs=1_000)
    every = trials(schilling, simulated)
    assert rmsd(class_table(every, drop_regressions=True)) <= 0.10
    size = len(every) // 20
    tables = [class_table(every[i : i + size], drop_regressions=True) for i in range(0, len(every), size)]
    for measure in ("FFD", "SFD", "GD", "Pr1", "Pr2", "PrS"):
        cells = np.array([table[measure] for table in tables])
        ours = cells.std(axis=0, ddof=1) / np.sqrt(20)
        rounding = 0.05 if wanted[measure][0] > 1 else 0.0005
        error = np.sqrt(ours**2 * (1 + 1 / 3) + rounding**2 / 3)  # the reference is the mean of 3,000 readers
        assert (np.abs(cells.mean(axis=0) - wanted[measure]) < 3 * error).all(), measure


def test_trial_statistics_of_the_schilling_sentences(schilling, trials, step_shares):
    simulated = simulate_ezreader(schilling, runs=300, include_final_fixation=True)
    shares = step_shares(simulated)
    assert shares == pytest.approx(
        {"next": 0.538, "refixation": 0.155, "skip": 0.275, "regression": 0.032}, abs=0.006
    )
    every = trials(schilling, simulated)
    ends_on_last = np.mean([words[-1] == stimulus.n_words - 1 for stimulus, words, _ in every])
    assert ends_on_last == pytest.approx(0.49, abs=0.015)
    recorded = [words[:-1] for _, words, _ in every]
    assert np.mean([has_regression(words) for words in recorded]) == pytest.approx(0.1986, abs=0.01)
    assert np.mean([len(words) for words in recorded]) == pytest.approx(8.318, abs=0.03)


def test_without_predictability_fewer_words_are_skipped(schilling, trials):
    blind = [replace(stimulus, cloze=(0.0,) * stimulus.n_words) for stimulus in schilling]
    simulated = simulate_ezreader(blind, runs=200)
    skipped = class_table(trials(blind, simulated))["PrS"]
    assert skipped == pytest.approx([0.03, 0.05, 0.07, 0.20, 0.29], abs=0.012)
    assert len(simulated.word) / len(simulated) == pytest.approx(11.4, abs=0.06)


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
