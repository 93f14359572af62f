"""SWIFT: beside a slow definition, its targets, and what readers do."""

from __future__ import annotations

import numpy as np
import pytest
from word_classes import class_table

from scandl.errors import ScandlError
from scandl.models.cognitive.random_numbers import new_state
from scandl.models.cognitive.simulator import TrialBatch
from scandl.models.cognitive.word_inputs import WordProperties
from scandl.models.swift.swift import run_swift, simulate_swift
from scandl.models.swift.swift_parameters import SWIFT_3, choose_target, new_words

SHORT = WordProperties("short", (3, 6, 4, 7), (60_000.0, 12.0, 300.0, 5.0), (0.0, 0.5, 0.9, 0.0))


def words(*lengths):
    return new_words(
        TrialBatch.of_runs([WordProperties("s", lengths, (1.0,) * len(lengths), (0.0,) * len(lengths))], 1, 1)
    )


def test_target_probabilities():
    text = words(4, 4, 4, 4, 4)
    text["activation"] = np.array([0.0, 0.4, 0.7, 0.2, 0.0]) * 30
    text["phase"] = [2, 0, 0, 0, 0]  # the second word is the left-most one that is not read
    state = new_state(np.uint64(3))
    drawn = np.bincount([choose_target(text, SWIFT_3, state) for _ in range(20_000)], minlength=5) / 20_000
    assert drawn == pytest.approx([0.0181, 0.3187, 0.4692, 0.1940, 0.0000], abs=0.01)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {
            "delta1": 4.0,
            "asymmetry": 0.6,
            "h1": 1.0,
            "p": 0.7,
            "kappa0": 2.0,
            "kappa1": 0.05,
            "R": 2.0,
            "theta": 1.0,
        },
    ],
)
def test_agrees_with_the_step_by_step_reference(scalar, same_distribution, changes):
    parameters = SWIFT_3._replace(**changes)
    fast = simulate_swift([SHORT], runs=3_000, parameters=parameters)
    same_distribution(fast, scalar("swift")([SHORT], 120, parameters, seed=2))


@pytest.mark.slow
def test_agrees_with_the_step_by_step_reference_on_a_longer_sentence(medium, scalar, same_distribution):
    fast = simulate_swift([medium], runs=5_000)
    same_distribution(fast, scalar("swift")([medium], 1_000, SWIFT_3, seed=3))


def test_saccades_last_twenty_ms_and_the_last_fixation_has_none():
    simulated = simulate_swift([SHORT], runs=1_000)
    last = simulated.is_final
    assert (simulated.saccade_ms[last] == 0).all()
    flights = simulated.saccade_ms[~last]
    assert flights.mean() == pytest.approx(20.0, abs=0.2)
    assert flights.std() / flights.mean() == pytest.approx(1 / np.sqrt(20), abs=0.01)


def test_every_landing_is_in_the_sentence_and_on_its_word():
    simulated = simulate_swift([SHORT], runs=1_000)
    borders = np.cumsum(np.add(SHORT.lengths, 1))
    assert simulated.char_pos.min() >= 0
    assert simulated.char_pos.max() <= borders[-1]
    assert simulated.word.tolist() == np.searchsorted(borders, simulated.char_pos).tolist()
    left = np.concatenate(([0], borders))[simulated.word]
    assert simulated.within_word_pos == pytest.approx(simulated.char_pos - left)


def test_readers_of_a_batch_differ():
    batch = TrialBatch.of_runs([SHORT], 600, seed=1)
    readers = np.tile([7.23, 1.5, 0.7, 2.67], (600, 1))
    readers[300:, 3] = 4.0  # a slower timer
    simulated = run_swift(batch, readers=readers)
    middle = simulated.starts[300]
    assert simulated.duration_ms[middle:].mean() > simulated.duration_ms[:middle].mean() + 30


def test_an_endless_sentence_is_refused():
    with pytest.raises(ScandlError, match=r"SWIFT does not come to the end of sentence 'short'"):
        simulate_swift([SHORT], parameters=SWIFT_3._replace(alpha=1e-6))


def check_schilling(simulated, stimuli, reference, trials, step_shares, *, ms, share, class_ms):
    wanted = reference["swift_3_program_14_1"]["exact_truncated_gamma"]
    assert len(simulated.word) / len(simulated) == pytest.approx(wanted["n_fix"], abs=4 * share)
    assert simulated.duration_ms.mean() == pytest.approx(wanted["mean_fix_dur"], abs=ms)
    shares = step_shares(simulated)
    names = {"next": "p_forward1", "refixation": "p_refix", "skip": "p_skip", "regression": "p_regress"}
    assert shares == pytest.approx({ours: wanted[theirs] for ours, theirs in names.items()}, abs=share)
    table = class_table(trials(stimuli, simulated), average="cases")
    for measure in ("FFD", "GD"):
        assert table[measure] == pytest.approx(wanted[measure], abs=class_ms), measure
    for measure in ("PrS", "Pr1"):
        assert table[measure] == pytest.approx(wanted[measure], abs=share + 0.002), measure
    # Rare words are looked at longer and skipped less often, as by human readers.
    assert list(table["FFD"]) == sorted(table["FFD"], reverse=True)
    assert list(table["PrS"]) == sorted(table["PrS"])


def test_statistics_of_the_schilling_sentences(schilling, reference, trials, step_shares):
    simulated = simulate_swift(schilling, runs=150)
    check_schilling(simulated, schilling, reference, trials, step_shares, ms=1.5, share=0.008, class_ms=4.0)
    percentiles = np.percentile(simulated.duration_ms, [1, 5, 25, 50, 75, 95, 99])
    assert percentiles == pytest.approx([85, 120, 175, 232, 310, 437, 532], rel=0.02)


@pytest.mark.slow
def test_statistics_of_the_schilling_sentences_precisely(schilling, reference, trials, step_shares):
    simulated = simulate_swift(schilling, runs=3_000)
    check_schilling(simulated, schilling, reference, trials, step_shares, ms=1.5, share=0.004, class_ms=1.5)


def test_the_average_of_the_fitted_readers(schilling, step_shares):
    """Compare with the published values for the mean parameters of 61 readers."""
    average = SWIFT_3._replace(delta0=12.158, M=np.exp(-0.044), R=np.exp(0.099), t_sac=2.003)
    simulated = simulate_swift(schilling, runs=60, parameters=average)
    assert simulated.duration_ms.mean() == pytest.approx(216, abs=2)
    shares = step_shares(simulated)
    assert (shares["regression"], shares["skip"]) == pytest.approx((0.046, 0.386), abs=0.008)
